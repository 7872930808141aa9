"""TF-Ranking's Keras metrics, in float32."""

import functools

import tensorflow as tf
import tensorflow_ranking as tfr

PACKAGE = "tensorflow-ranking"


@functools.cache
def metric(name, k):
    return getattr(tfr.keras.metrics, name)(topn=k)


def measure(name):
    def function(labels, scores, k):
        of = metric(name, k)
        of.reset_state()
        return float(of(tf.constant([labels], tf.float32), tf.constant([scores], tf.float32)))

    return function


NAMES = ("NDCGMetric", "MRRMetric", "PrecisionMetric", "MeanAveragePrecisionMetric")
ADAPTERS = {name: (measure(name), {"form": "scores", "min_length": 1}) for name in NAMES}
