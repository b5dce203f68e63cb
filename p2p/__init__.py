"""Playing without trust: the table, its messages, its proofs. Knows the contract, never a concrete game."""
