"""Two or more systems on the same queries: tests, effect sizes, corrections."""
