"""TF-Ranking's Keras metrics, in float32."""

import tensorflow as tf
import tensorflow_ranking as tfr

PACKAGE = "tensorflow-ranking"


def measure(name):
    def function(labels, scores, k):
        metric = getattr(tfr.keras.metrics, name)(topn=k)
        return float(metric(tf.constant([labels], tf.float32), tf.constant([scores], tf.float32)))

    return function


NAMES = ("NDCGMetric", "DCGMetric", "MRRMetric", "PrecisionMetric", "RecallMetric",
         "MeanAveragePrecisionMetric", "HitsMetric")  # fmt: skip
ADAPTERS = {name: (measure(name), {"form": "scores", "min_length": 1}) for name in NAMES}
