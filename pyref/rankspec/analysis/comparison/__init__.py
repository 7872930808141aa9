"""Comparing systems: which is better, by which test, and how surely."""
