"""Sessions against judgments."""
