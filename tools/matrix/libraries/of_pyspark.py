"""Spark's RankingMetrics (pyspark.mllib) of one query, in a local session."""

from pyspark.mllib.evaluation import RankingMetrics
from pyspark.sql import SparkSession

PACKAGE = "pyspark"
SPARK = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
SPARK.sparkContext.setLogLevel("OFF")
FEWER = 150  # a call takes half a second


def measure(name):
    def function(recommended, judged, k):
        pairs = SPARK.sparkContext.parallelize([(list(recommended), list(judged))], 1)
        metrics = RankingMetrics(pairs)
        of = getattr(metrics, name)
        return float(of(k) if callable(of) else of)

    return function


GIVEN = {"form": "lists", "judged": "list", "binary": True, "cutoff": "required"}
NAMES = ("ndcgAt", "meanAveragePrecisionAt")
ADAPTERS = {name: (measure(name), GIVEN) for name in NAMES}
