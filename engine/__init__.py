"""Pure rules. Nothing below this folder knows a clock, chance, files, a screen or a network."""
