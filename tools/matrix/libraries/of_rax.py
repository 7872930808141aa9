"""Rax's metrics, in float32."""

import jax.numpy as jnp
import rax

PACKAGE = "rax"


def measure(name, **chosen):
    of = getattr(rax, name)

    def function(labels, scores, k):
        given = (jnp.array(scores, dtype=jnp.float32), jnp.array(labels, dtype=jnp.float32))
        return float(of(*given, topn=k, **chosen))

    return function


GRADED = {"form": "scores", "min_length": 1}
ADAPTERS = {
    "ndcg_metric": (measure("ndcg_metric"), GRADED),
    "dcg_metric": (measure("dcg_metric"), GRADED),
    "mrr_metric": (measure("mrr_metric"), GRADED),
    "precision_metric": (measure("precision_metric"), GRADED),
    "recall_metric": (measure("recall_metric"), GRADED),
    "ap_metric": (measure("ap_metric"), GRADED),
}
