"""Spark's RankingMetrics (pyspark.mllib) of some queries, in a local session."""

from pyspark.mllib.common import callMLlibFunc
from pyspark.mllib.evaluation import JavaModelWrapper, RankingMetrics
from pyspark.sql import SparkSession

PACKAGE = "pyspark"
NOTES = [
    "`RankingMetrics` infers the type of its ids from the first rows. Of one query whose ranking "
    "or truth is empty it cannot, and raises `CANNOT_DETERMINE_TYPE`; beside other queries there "
    "is no error. So the type is given here, and the answers are those of Spark itself: 0 for an "
    "empty truth, as its documentation says."
]
SPARK = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
SPARK.sparkContext.setLogLevel("OFF")
FEWER = 150  # a call takes half a second


def measure(name):
    def function(recommended, judged, k):
        rows = [(list(r), list(j)) for r, j in zip(recommended, judged, strict=True)]
        frame = SPARK.createDataFrame(rows, "_1 array<string>, _2 array<string>")
        metrics = RankingMetrics.__new__(RankingMetrics)
        JavaModelWrapper.__init__(metrics, callMLlibFunc("newRankingMetrics", frame._jdf))
        of = getattr(metrics, name)
        return float(of(k) if callable(of) else of)

    return function


GIVEN = {"form": "lists", "judged": "list", "binary": True, "cutoff": "required",
         "several": True}  # fmt: skip
NAMES = ("ndcgAt", "meanAveragePrecisionAt")
ADAPTERS = {name: (measure(name), GIVEN) for name in NAMES}
