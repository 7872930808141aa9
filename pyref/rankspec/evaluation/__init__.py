"""Runs against judgments: conventions, profiles, evaluations, and what they print."""
