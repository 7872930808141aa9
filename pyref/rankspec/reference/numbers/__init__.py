"""The number types that equations are read over, and what decides their equalities."""
