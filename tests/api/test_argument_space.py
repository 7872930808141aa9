"""Hostile values at each parameter of each public function: a value, or an error that names it."""

from __future__ import annotations

import inspect
import io
import random
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rankspec as rs
from rankspec import plots
from rankspec.analysis.check.report import check
from rankspec.compat import evaluate, lightgbm, pytrec_eval, xgboost
from rankspec.errors import InputError
from rankspec.evaluation import conventions
from rankspec.metrics.catalogue import METRICS, SESSION_METRICS

pytestmark = pytest.mark.filterwarnings("ignore")


class Raises:
    """An object of which each of some methods raises."""

    def __init__(self, *methods: str) -> None:
        def fail(*_: object) -> Any:
            raise RuntimeError("of the caller")

        self.__class__ = type("Raises", (), dict.fromkeys(methods, fail))


def released() -> memoryview:
    view = memoryview(bytearray(b"\1\2"))
    view.release()
    return view


def nested() -> list[Any]:
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    return deep


def cyclic() -> list[Any]:
    x: list[Any] = []
    x.append(x)
    return x


HOSTILE: Mapping[str, Callable[[], Any]] = {
    "None": lambda: None,
    "True": lambda: True,
    "zero": lambda: 0,
    "minus one": lambda: -1,
    "minus zero": lambda: -0.0,
    "nan": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "least double": lambda: 5e-324,
    "huge": lambda: 10**4000,
    "huge negative": lambda: -(10**4000),
    "int64 and more": lambda: 2**63,
    "huge fraction": lambda: Fraction(10**4000, 3),
    "complex": lambda: 1j,
    "Decimal": lambda: Decimal("0.5"),
    "Decimal nan": lambda: Decimal("nan"),
    "signalling nan": lambda: Decimal("sNaN"),
    "Fraction": lambda: Fraction(1, 3),
    "datetime": lambda: datetime(2020, 1, 1, tzinfo=UTC),
    "NA": lambda: pd.NA,
    "NaT": lambda: pd.NaT,
    "ellipsis": lambda: ...,
    "text": lambda: "x",
    "empty text": lambda: "",
    "surrogate": lambda: "\ud800",
    "NUL": lambda: "a\0b",
    "bytes": lambda: b"\xff",
    "bytearray": lambda: bytearray(b"\1\2"),
    "released": released,
    "empty list": list,
    "empty dict": dict,
    "empty set": set,
    "list of None": lambda: [None, None],
    "list of nan": lambda: [float("nan")],
    "list of huge": lambda: [10**4000, 1],
    "list of texts": lambda: ["a", "b"],
    "list of surrogates": lambda: ["\ud800"],
    "list of lists": lambda: [[1, 2], [3]],
    "list of unhashable": lambda: [{}, []],
    "list of NA": lambda: [pd.NA, 1],
    "nested": nested,
    "cyclic": cyclic,
    "generator": lambda: (x for x in (1, 2)),
    "failing generator": lambda: (1 // x for x in (1, 0)),
    "dict": lambda: {"q": {"d": 1}},
    "dict of None": lambda: {None: None},
    "dict of nan": lambda: {"q": {"d": float("nan")}},
    "dict of unhashable": lambda: {"q": [[], {}]},
    "0-d array": lambda: np.array(3),
    "0-d array of objects": lambda: np.array([], dtype=object).reshape(0, 0),
    "array of times": lambda: np.array(["2020-01-01"], dtype="M8[D]"),
    "array of objects": lambda: np.array([None, "x"], dtype=object),
    "structured array": lambda: np.zeros(2, dtype=[("a", "i4")]),
    "numpy nan": lambda: np.float32("nan"),
    "series": lambda: pd.Series([1, None]),
    "frame": lambda: pd.DataFrame({"a": [1]}),
    "function": lambda: lambda *_: "x",
    "class": lambda: int,
    "object": object,
    "file": lambda: io.BytesIO(b"\0\xff"),
    "no len": lambda: Raises("__len__", "__getitem__", "__iter__"),
    "no iter": lambda: Raises("__iter__"),
    "no float": lambda: Raises("__float__", "__index__", "__int__"),
    "no eq": lambda: Raises("__eq__"),
    "no hash": lambda: Raises("__hash__"),
    "no bool": lambda: Raises("__bool__"),
    "no repr": lambda: Raises("__repr__", "__str__"),
}

LABELS, QRELS, RUN = [2, 0, 1], {"q": {"a": 1, "b": 0}, "r": {"a": 2}}, {"q": {"a": 2, "b": 1}}
RUNS = {"A": RUN, "B": {"q": {"b": 2, "a": 1}, "r": {"a": 1}}}
SESSIONS = {"s": [["a", "b"], ["c"]], "t": [["a"]]}
JUDGED = {"s": {"a": 1, "c": 2}, "t": {"a": 1}}
OF_SUBTOPICS = {"q": {"a": {"1": 1}, "b": {"2": 1}}}
NAMED = {
    "labels": LABELS, "scores": [3, 2, 1], "qrels": QRELS, "run": RUN, "runs": RUNS, "query": "q",
    "measure": "RR", "measures": ["RR"], "vectors": [[1, 2], [3, 4]], "text": "RR",
    "V": [1, 2], "I": [2, 3], "n": 9,
    "difference": 0.1, "deviation": 0.3, "queries": [2, 3], "q": 1, "N": 3, "metrics": "RR",
}  # fmt: skip
"""Arguments for parameters of the name, where a call needs one."""


def evaluations() -> Any:
    return rs.evaluate_runs(QRELS, RUNS, ["RR"])


def judged_sessions() -> Any:
    return rs.judge_sessions(JUDGED, SESSIONS)


OWN: Mapping[str, Callable[[], dict[str, Any]]] = {
    "compare": lambda: {"evaluations": evaluations()},
    "compare_judgments": lambda: {
        "judgments": {"A": QRELS, "B": {"q": {"a": 0, "b": 1}, "r": {"a": 1}}},
        "runs": RUNS,
        "measures": ["RR"],
    },
    "classify": lambda: {"qrels": QRELS, "runs": [RUN], "measures": ["nDCG@5"]},
    "classify_letor": lambda: {"file": io.BytesIO(b"1 qid:1 1:2\n"), "features": [1]},
    "evaluate_letor": lambda: {
        "file": io.BytesIO(b"1 qid:1 1:2\n"),
        "measures": ["RR"],
        "feature": 1,
    },
    "evaluate_diversity": lambda: {"qrels": OF_SUBTOPICS, "run": RUN, "measures": ["StRecall"]},
    "evaluate_sessions": lambda: {"judgments": JUDGED, "sessions": SESSIONS, "measures": ["sDCG"]},
    "evaluate_lists": lambda: {"ranked": [["a"]], "relevant": [["a"]], "measures": ["RR"]},
    "judge_sessions": lambda: {"judgments": JUDGED, "sessions": SESSIONS},
    "read_sessions": lambda: {"file": io.BytesIO(b"s\t1\t1\ta\n")},
    "replicate": lambda: {
        "qrels": QRELS,
        "original": RUN,
        "replicated": RUNS["B"],
        "measures": ["RR"],
    },
    "session_curve": lambda: {"judged": judged_sessions(), "k": 2},
    "query_curves": lambda: {"judged": judged_sessions(), "k": 2},
    "individual_curves": lambda: {"judged": judged_sessions(), "k": 2},
    "session_sensitivity": lambda: {"judged": judged_sessions(), "bases": [2], "query_bases": [4]},
    "inverse_propensities": lambda: {"counts": [1, 2], "n": 3},
    "mean": lambda: {"values": [0.5, 1.0]},
    "held": lambda: {"V": [0.5, 1.0], "n": 3},
    "design": lambda: {"difference": 0.1, "deviation": 0.3},
    "unjudged_bounds": lambda: {"qrels": QRELS, "runs": RUNS, "measures": ["RR"]},
    "axioms": lambda: {"metric": "RR", "labels": [0, 1], "only": "c1", "isolated": False},
    "identify": lambda: {"fn": lambda *_: 0.0, "isolated": False},
    "prior_of_clicks": lambda: {"clicks": [2, 1]},
    "prior_of_lengths": lambda: {"lengths": {1: 2}},
    "adjusted_of": lambda: {"fn": sum, "labels": [1, 0]},
    "bounds_of": lambda: {"fn": lambda _: 0.0, "judged": [1, 0], "limits": (0, 1)},
    "certify.certified": lambda: {"of": "RR", "labels": LABELS},
    "certify.certified_vector": lambda: {"of": "query_sDCG", "labels": [[1, 0], [2]]},
    "check": lambda: {"qrels": io.BytesIO(b"q 0 a 1\n"), "run": io.BytesIO(b"q Q0 a 1 1 t\n")},
    "pytrec_eval.parse_run": lambda: {"f_run": ["q Q0 a 1 1 t"]},
    "pytrec_eval.parse_qrel": lambda: {"f_qrel": ["q 0 a 1"]},
    "pytrec_eval.compute_aggregated_measure": lambda: {"measure": "map", "values": [0.5, 1.0]},
    "evaluate.compute": lambda: {"predictions": [[3]], "references": [[1]]},
    "plots.length": dict,
}  # fmt: skip
# rankspec.compat.sklearn leaves the checks of its arrays to NumPy, as scikit-learn does.
ELSEWHERE = {
    pytrec_eval: ("parse_run", "parse_qrel", "compute_aggregated_measure"),
    evaluate: ("compute",),
    lightgbm: ("feval", "eval_metric"),
    xgboost: ("custom_metric",),
}
CERTIFIED = ("ndcg", "err", "ap", "certified", "certified_vector")


def axioms_of(metric: Any, **options: Any) -> Any:
    """Call rs.axioms with one metric, which it takes by position."""
    return rs.axioms(metric, **options)


CONVENTIONS = [x.name for x in conventions.DECLARED]
OPTIONS: Mapping[str, Sequence[str]] = {
    "axioms": ("labels", "length", "k", "only", "timeout", "isolated"),
    "evaluate.compute": ("ties", "undefined", "gain", "discount", "rel"),
    "identify": ("cutoff", "cutoffs", "binary", "judged"),
    **{f"certify.{name}": ("k", "gain", "discount", "rel", "theta") for name in CERTIFIED},
}
"""Arguments by name beyond a signature, other than conventions."""
LEFT_OUT = {
    "axioms",  # is axioms_of() below
    "reproduce",  # takes the name of a paper
    "vectors", "spec_index",  # plain data of this package
}  # fmt: skip
DIVERSITY = {"alpha_dcg", "alpha_ndcg", "ap_ia", "d_ndcg", "dsharp_ndcg", "err_ia", "ndcg_ia",
             "nerr_ia", "nnrbp", "nrbp", "p_ia", "st_recall"}  # fmt: skip
OF_SESSIONS = {"avg_nsdcg", "avg_sdcg", "instance_recall", "isdcg", "isdcg_vector", "nsdcg",
               "nsdcg_vector", "query_ndcg", "query_p_at_recall", "query_sdcg",
               "query_sdcg_vectors", "sdcg", "sdcg_q", "sdcg_vector"}  # fmt: skip


def functions() -> dict[str, Callable[..., Any]]:
    """The public functions, those on labels and those of compat among them."""
    found = {
        name: getattr(rs, name)
        for name in rs.__all__
        if name not in LEFT_OUT and inspect.isfunction(getattr(rs, name))
    }
    found |= {f"certify.{name}": getattr(rs.certify, name) for name in CERTIFIED}
    found |= {
        f"{module.__name__.rpartition('.')[2]}.{name}": getattr(module, name)
        for module, names in ELSEWHERE.items()
        for name in names
    }
    return found | {"check": check, "axioms": axioms_of, "plots.length": plots.length}


def valid(name: str, function: Callable[..., Any]) -> dict[str, Any]:
    """Arguments with which a function has a value."""
    if name in OWN:
        return OWN[name]()
    if name in DIVERSITY:
        return {"labels": [[1, 0], [0, 1]]}
    if name in OF_SESSIONS:
        return {"labels": [[2, 0], [1]]}
    needed = [
        p.name
        for p in inspect.signature(function).parameters.values()
        if p.default is p.empty and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
    ]
    return {x: NAMED[x] for x in needed}


def cases() -> list[tuple[str, str]]:
    """Each function with each of its parameters."""
    found = []
    for name, function in functions().items():
        parameters = inspect.signature(function).parameters.values()
        found += [
            (name, p.name)
            for p in parameters
            if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL) and p.name != "progress"
        ]
        if any(p.kind is p.VAR_KEYWORD for p in parameters):
            found += [(name, x) for x in OPTIONS.get(name, CONVENTIONS)]
    return found


CALLED: Mapping[str, str] = {
    "judgments": "qrels",  # a document of their kind, whichever function reads it
    "f_qrel": "qrels",
    "qrels": "judgments|relevant",  # those of diversity; lists of ids by query
    "evaluations": "systems",  # by name
    "sessions": "session",  # one of them
    "queries": "ranks",  # of which many queries would have too many
    "query": "the id",  # of a query
    "current": "run",
    "runs": "run",
    "f_run": "run",
    "tests": "test",  # one of several
    "text": "measure",
    "metric": "axioms|measure",  # of rs.axioms
    "only": "axiom",  # one of several
    "features": "feature",
    "bases": "discount",  # whose bases they are
    "query_bases": "query_discount",
    "predictions": "scores",  # as rs.evaluate_letor() calls them
    "references": "labels",
    "k": "X|M",  # as papers on sessions and on lists of any length call the cut-off
    "M": "k",  # either of them is the cut-off
    "labels": "sessions|expected one ranking",  # lists of labels by query
    "ranked": "relevant",  # which has to have as many
    "least_queries": "queries or more",
}
"""Words that an error may have for the name of an argument."""
FILES = ("text", "empty text", "surrogate", "NUL", "list of texts", "list of surrogates")
"""Values that may be paths, or lists of them: the error then is of the file, by its name."""


def is_named(error: str, parameter: str, kind: str) -> bool:
    """Return True if an error names the argument as a word, or begins with the file that it is."""
    if kind == "file" and re.match("the open file:", error):
        return True
    if kind in FILES and re.match(r"""('?[ax]?'?|"a.x00b"|".ud800"): cannot be read: """, error):
        return True
    return bool(re.search(rf"(?<!\w)({parameter}|{CALLED.get(parameter, parameter)})(?!\w)", error))


def problem(call: Callable[[], Any], kind: str, parameter: str = "") -> str:
    """Return the fault of a call; "" for a value or a documented error.

    parameter: the one whose name is to stand in the error
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call()
    except InputError as error:
        named = not parameter or is_named(str(error), parameter, kind)
        return "" if named else f"does not name it: {error}"[:200]
    except RuntimeError as error:
        return "" if str(error) == "of the caller" else f"RuntimeError: {error}"
    except ZeroDivisionError as error:
        return "" if "failing" in kind else f"ZeroDivisionError: {error}"
    except MemoryError:
        return ""
    except BaseException as error:  # noqa: BLE001 - this is what is looked for
        return f"{type(error).__name__}: {str(error)[:200]}"
    return ""


def problems(name: str, parameter: str, values: Mapping[str, Callable[[], Any]]) -> Iterator[str]:
    function = functions()[name]
    for kind, make in values.items():
        given = valid(name, function) | {parameter: make()}
        keywords = inspect.signature(function).parameters
        ordered = [given.pop(p) for p, x in keywords.items()
                   if x.kind is x.POSITIONAL_ONLY and p in given]  # fmt: skip
        call = lambda: function(*ordered, **given)  # noqa: B023, E731
        if wrong := problem(call, kind, parameter):
            yield f"{name}({parameter}={kind}): {wrong}"


NAMES = sorted(functions())


@pytest.mark.parametrize("name", NAMES)
def test_the_arguments_that_are_called_valid_are(name: str) -> None:
    functions()[name](**valid(name, functions()[name]))


def test_a_share_of_all_hostile_arguments() -> None:
    """Some values for each parameter, by a seed; the slow lane has all."""
    chosen = random.Random(20261129)
    found: list[str] = []
    for name, parameter in chosen.sample(cases(), 100):
        values = dict(chosen.sample(sorted(HOSTILE.items()), 3))
        found += problems(name, parameter, values)
    assert found == []


@pytest.mark.slow
@pytest.mark.long(but=24)
@pytest.mark.parametrize("name", NAMES)
def test_every_hostile_argument(name: str) -> None:
    found: list[str] = []
    for function, parameter in cases():
        if function == name:
            found += problems(name, parameter, HOSTILE)
    assert found == []


@pytest.mark.slow
@pytest.mark.parametrize("known", [*METRICS, *SESSION_METRICS], ids=lambda known: known.name)
def test_every_hostile_parameter_of_a_measure(known: Any) -> None:
    """Of its object, which then takes hostile lists."""
    make = getattr(rs, known.name)
    found = [
        f"{known.name}({parameter}={kind}): {wrong}"
        for parameter in ("k", *known.parameters)
        for kind, value in HOSTILE.items()
        if (wrong := problem(lambda: make(**{parameter: value()}), kind))  # noqa: B023
    ]
    found += [
        f"{known.name} of {kind}: {wrong}"
        for kind, value in HOSTILE.items()
        if (wrong := problem(lambda: make().of(value()), kind))  # noqa: B023
    ]
    assert found == []


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rs.unjudged_bounds(QRELS, RUNS, "RR", baseline=[]), "baseline: unknown system"),
        (lambda: rs.judge_sessions(JUDGED, np.array(3)), "sessions: "),
        (lambda: rs.evaluate(np.array(3), RUN, "RR"), "qrels: expected a file, dict"),
        (lambda: rs.evaluate(QRELS, released(), "RR"), "run: expected a file, dict"),
        (lambda: rs.evaluate(QRELS, RUN, released()), "measures: "),
        (lambda: rs.ndcg(LABELS, k=released()), "k: "),
        (lambda: rs.nsdcg(released()), "labels: "),
        (lambda: rs.classify(QRELS, np.array(3)), "runs: expected a list of runs"),
        (lambda: rs.classify(QRELS, pd.DataFrame({"a": [1]})), "runs: expected a list of runs"),
        (
            lambda: rs.classify_letor(io.BytesIO(b"1 qid:1 1:2\n"), predictions={"a": [1]}),
            "predictions: expected a list of predictions, got {'a': [1]}",
        ),
        (lambda: pytrec_eval.parse_run(["q Q0 a 1 1 t", "\ud800"]), "has no encoding in UTF-8"),
        (lambda: pytrec_eval.parse_run("q Q0 a 1 1 t"), "f_run: expected an open file or a list"),
        (lambda: rs.explain(QRELS, RUN, "q", []), "measure: expected at least one"),
        (lambda: check(QRELS, RUN), "qrels: expected a path, an open file or a data frame, got {"),
    ],
)  # fmt: skip
def test_the_error_names_the_argument(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert words in str(error.value)
