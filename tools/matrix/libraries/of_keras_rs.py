"""Keras RS' ranking metrics, with JAX, in float32. Lists are padded and masked."""

import functools
import os

os.environ["KERAS_BACKEND"] = "jax"
import keras_rs
import numpy as np

PACKAGE = "keras-rs"
LENGTH = 32


@functools.cache
def metric(name, k):
    return getattr(keras_rs.metrics, name)(k=k)


def measure(name):
    def function(labels, scores, k):
        of = metric(name, k)
        of.reset_state()
        mask = np.arange(LENGTH) < len(labels)
        of.update_state({"labels": padded(labels), "mask": mask[None]}, padded(scores))
        return float(of.result())

    return function


def padded(numbers):
    return np.array([[*numbers, *[0.0] * (LENGTH - len(numbers))]], np.float32)


NAMES = ("NDCG", "DCG", "MeanReciprocalRank", "PrecisionAtK", "RecallAtK", "MeanAveragePrecision")
GIVEN = {"form": "scores", "min_length": 1, "max_length": LENGTH}
ADAPTERS = {name: (measure(name), GIVEN) for name in NAMES}
