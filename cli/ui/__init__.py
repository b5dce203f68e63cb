"""Everything a player reads: words in seven languages, screens as pure functions, and the line mode."""
