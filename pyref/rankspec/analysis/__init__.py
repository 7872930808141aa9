"""Explanations, checks, query types, relevance: what stands behind a number."""
