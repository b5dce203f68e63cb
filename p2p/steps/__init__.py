"""One file per need of the rules: how a table without a dealer satisfies it."""
