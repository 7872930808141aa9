"""Hypothesis profiles: the short default, and others for `--hypothesis-profile=NAME`."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("default", max_examples=30, derandomize=True, **_COMMON)
# Some 10^5 examples in tests/differential alone.
settings.register_profile("long", max_examples=700, derandomize=False, **_COMMON)
settings.register_profile("sanitized", max_examples=4, derandomize=True, **_COMMON)
settings.load_profile("default")
