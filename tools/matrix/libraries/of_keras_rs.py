"""Keras RS' ranking metrics, with JAX, in float32."""

import os

os.environ["KERAS_BACKEND"] = "jax"
import keras_rs
import numpy as np

PACKAGE = "keras-rs"


def measure(name):
    def function(labels, scores, k):
        metric = getattr(keras_rs.metrics, name)(k=k)
        metric.update_state(np.array([labels], np.float32), np.array([scores], np.float32))
        return float(metric.result())

    return function


NAMES = ("NDCG", "DCG", "MeanReciprocalRank", "PrecisionAtK", "RecallAtK", "MeanAveragePrecision")
ADAPTERS = {name: (measure(name), {"form": "scores", "min_length": 1}) for name in NAMES}
