"""Rax's metrics, in float32. Lists are padded and masked: it compiles for each length."""

import jax.numpy as jnp
import rax

PACKAGE = "rax"
LENGTH = 32


def measure(name):
    of = getattr(rax, name)

    def function(labels, scores, k):
        n = len(labels)
        given = (padded(scores), padded(labels))
        return float(of(*given, topn=k, where=jnp.arange(LENGTH) < n))

    return function


def padded(numbers):
    return jnp.array([*map(float, numbers), *[0.0] * (LENGTH - len(numbers))], dtype=jnp.float32)


GRADED = {"form": "scores", "min_length": 1, "max_length": LENGTH}
NAMES = ("ndcg_metric", "dcg_metric", "mrr_metric", "precision_metric", "recall_metric",
         "ap_metric")  # fmt: skip
ADAPTERS = {name: (measure(name), GRADED) for name in NAMES}
