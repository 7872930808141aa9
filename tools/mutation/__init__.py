"""Mutants of the package and of its C core, and the tests that find them (tools/mutants.py)."""
