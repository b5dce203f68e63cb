"""Numbers and bytes only: groups, proofs, shuffles. Knows no seats, no card names, no messages."""
