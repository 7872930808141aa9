"""The former place of :mod:`rankspec.evaluation`."""

from __future__ import annotations

from .evaluation import Evaluation, evaluate

__all__ = ["Evaluation", "evaluate"]
