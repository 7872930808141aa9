"""Numbers of every type give the value of the plain list, and leave nothing behind in a cache."""

from __future__ import annotations

import inspect
import json
from array import array
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

import rankspec as rs
from rankspec.analysis.comparison.agreement import (
    compare_orders,
    discriminative_power,
    mean_pad,
    rmse,
)
from rankspec.compat.groups import evaluate_groups
from rankspec.compat.sklearn import ndcg_score
from rankspec.reference.numbers.canonical import CanonicalForms, primitive
from rankspec.reference.numbers.reals import RATIONALS
from tests.each import each

DTYPES = ("?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i4", ">u8", "e", "f", "d", ">d")
SMALL = [3, 0, 1, 2, 2, 0]
BITS = [0, 1, 1, 0, 1, 0]
LARGE = [9819, 9, 6498, 1, 865, 359]  # products of five of them leave 64 bits
LARGER = [(1 << 31) - 1, 5, 1 << 30, 7, 11, 1]


def forms(numbers: list[int]) -> Iterator[tuple[str, Any]]:
    """Yield (name, the same numbers) for each type that holds them all exactly."""
    for dtype in DTYPES:
        with np.errstate(all="ignore"):
            flat = np.array(numbers, np.float64).astype(dtype)
        if flat.astype(np.float64).tolist() != numbers:
            continue
        spread = np.zeros(2 * len(numbers), dtype)
        spread[::2] = flat
        yield dtype, flat
        yield f"{dtype}, strided", spread[::2]
        yield f"{dtype}, reversed", np.ascontiguousarray(flat[::-1])[::-1]
        yield f"{dtype}, as objects", np.array(list(flat), dtype=object)
        yield f"{dtype}, in a list", list(flat)
        if flat.dtype.isnative and dtype != "e":
            yield f"{dtype}, memoryview", memoryview(flat)
    for code in "bBhHiIlLqQfd":
        try:
            held = array(code, numbers)
        except OverflowError:
            continue
        if held.tolist() == numbers:
            yield f"array({code!r})", held
            yield f"memoryview of array({code!r})", memoryview(held)
    if max(numbers) < 256:
        yield "bytearray", bytearray(numbers)
        yield "memoryview of bytes", memoryview(bytes(numbers))
    if max(numbers) < 2:
        yield "booleans", [bool(x) for x in numbers]
    yield "fractions", [Fraction(x) for x in numbers]
    yield "doubles", [float(x) for x in numbers]


def is_one_list(form: Any) -> bool:
    """Return whether the form may stand as a row of a list of lists."""
    return isinstance(form, (list, array, bytearray, memoryview, np.ndarray))


def answer(call: Callable[[Any], Any], numbers: Any) -> Any:
    """Return the value as plain data, or the type of the error."""
    try:
        found = call(numbers)
    except rs.InputError:
        return rs.InputError
    if isinstance(found, list):
        return [np.asarray(x).tolist() for x in found]
    return np.asarray(found).tolist()


def check(call: Callable[[Any], Any], numbers: list[int], admits: Any = lambda _: True) -> None:
    """All forms give what the list gives, whichever comes first to a cache."""
    found = {name: answer(call, form) for name, form in forms(numbers) if admits(form)}
    expected = answer(call, list(numbers))
    assert {name: x for name, x in found.items() if repr(x) != repr(expected)} == {}
    assert len(found) > 20


def functions_of(argument: str, *others: str) -> list[str]:
    """Return the names of the public functions that have these arguments, in their order."""
    return [
        name
        for name in sorted(dir(rs))
        if inspect.isfunction(function := getattr(rs, name))
        and [argument, *others] == list(inspect.signature(function).parameters)[: 1 + len(others)]
    ]


def has(name: str, argument: str) -> bool:
    return argument in inspect.signature(getattr(rs, name)).parameters


OF_LABELS = functions_of("labels")
OF_SUBTOPICS = [name for name in OF_LABELS if has(name, "probabilities")]
OF_SESSIONS = [
    name
    for name in OF_LABELS
    if has(name, "sessions") or name.endswith(("sdcg_vector", "isdcg_vector", "vectors"))
]
OF_RANKINGS = [name for name in OF_LABELS if name not in {*OF_SUBTOPICS, *OF_SESSIONS}]


@pytest.mark.spec("RS-CONV-11")
@each("backend", ["c", "reference"])
@each("numbers", [LARGE, SMALL, BITS], fast=1)
@each("name", OF_RANKINGS, fast=6)
def test_labels(name: str, numbers: list[int], backend: str) -> None:
    check(lambda x: getattr(rs, name)(x, backend=backend), numbers)


@pytest.mark.spec("RS-CONV-11")
@each("backend", ["c", "reference"], fast=1)
def test_rows_of_a_batch(backend: str) -> None:
    check(lambda x: rs.ndcg([x, BITS], backend=backend), SMALL, is_one_list)
    check(lambda x: rs.ndcg([BITS, x], backend=backend), SMALL, is_one_list)
    check(lambda x: rs.rr([BITS, BITS], scores=[SMALL, x], backend=backend), LARGE, is_one_list)
    check(lambda x: rs.ndcg([BITS, BITS], judged=[x, BITS], backend=backend), SMALL, is_one_list)


@pytest.mark.spec("RS-CONV-11")
@each("argument", ["scores", "judged", "unjudged"])
@each("name", OF_RANKINGS, fast=4)
def test_what_stands_beside_labels(name: str, argument: str) -> None:
    if not has(name, argument):
        return
    numbers = {"scores": LARGE, "judged": [*SMALL, 3, 1], "unjudged": BITS}[argument]
    check(lambda x: getattr(rs, name)(SMALL, **{argument: x}), numbers)


@pytest.mark.spec("RS-SES-1")
@each("name", OF_SESSIONS, fast=3)
def test_labels_of_sessions(name: str) -> None:
    function = getattr(rs, name)
    check(lambda x: function([x, x]), SMALL, is_one_list)
    if has(name, "judged"):
        check(lambda x: function([SMALL], judged=x), [*SMALL, 3, 1])


@pytest.mark.spec("RS-DIV-1")
@each("name", OF_SUBTOPICS, fast=1)
def test_labels_and_probabilities_of_subtopics(name: str) -> None:
    function = getattr(rs, name)
    check(lambda x: function([x, BITS]), SMALL, is_one_list)
    check(lambda x: function([BITS, SMALL], probabilities=x), LARGE)


def listed(function: Callable[..., Any]) -> Callable[[list[int], Any], Any]:
    """Return a call with the scores as the list."""
    return lambda _, scores: function(scores)


def pooled(function: Callable[..., Any]) -> Callable[[list[int], Any], Any]:
    """Return a call with the scores as the pool of a list of the first three numbers."""
    return lambda numbers, scores: function(numbers[:3], judged=scores)


OF_PHI = [rs.ap_phi, rs.rbp_phi, rs.dcg_phi, rs.ndcg_phi]
OF_RELEVANCE = ["nDCG(gain='exp2')@3", "ERR(stop='label')", "LNDCG", "G"]
TAKES_SCORES = {
    "relevance": listed(rs.relevance),
    **{f"{function.__name__}, judged": pooled(function) for function in OF_PHI},
    **{function.__name__: listed(function) for function in OF_PHI},
    **{measure: listed(partial(rs.of_relevance, measure)) for measure in OF_RELEVANCE},
    "relevance, reference": listed(partial(rs.relevance, backend="reference")),
}


@pytest.mark.spec("RS-REL-9", "RS-REL-13", "RS-REL-14", "RS-REL-15")
@each("numbers", [LARGE, SMALL, BITS, LARGER], fast=1)
@each("call", TAKES_SCORES.values(), ids=TAKES_SCORES, fast=4)
def test_relevance_of_scores(numbers: list[int], call: Callable[[list[int], Any], Any]) -> None:
    check(lambda x: call(numbers, x), numbers)


@pytest.mark.spec("RS-GAIN-4", "RS-NUM-5", "RS-SES-18")
def test_counts_values_and_vectors() -> None:
    check(lambda x: rs.inverse_propensities(x, 10_000), LARGE, lambda x: not of_fractions(x))
    for numbers in (SMALL, LARGE, LARGER):
        check(rs.mean, numbers)
        check(lambda x: rs.PartialMean.of(x).mean, numbers)
        check(lambda x: rs.avg_vect([x, [1] * 6]), numbers)
        check(lambda x: rs.norm_vect(x, [9, 8, 7, 6, 5, 4]), numbers)
        check(lambda x: rs.held(x, 9), numbers)


def of_fractions(form: Any) -> bool:
    return isinstance(form, list) and isinstance(form[0], Fraction)


def is_no_buffer(form: Any) -> bool:
    return not isinstance(form, bytearray)


@pytest.mark.spec("RS-GAIN-3", "RS-DISC-5", "RS-LEN-1", "RS-UTL-1")
@each("backend", ["c", "reference"], fast=1)
def test_gains_and_weights(backend: str) -> None:
    more = {"backend": backend}
    check(lambda x: rs.ndcg(SMALL, gain=x, **more), [0, 1, 200, 201], is_no_buffer)
    check(lambda x: rs.ndcg(SMALL, discount=x, **more), LARGE[:1] * 6, is_no_buffer)
    check(lambda x: rs.ldcg(SMALL, prior=x, **more), [97, 89, 61, 13, 2, 1], is_no_buffer)
    check(lambda x: rs.utility(SMALL, weights=x, **more), [5, 2, 1, 1])
    check(lambda x: rs.relevance(SMALL, points=[*zip(x, (0, 1), strict=True)], **more), [1, 3])
    check(lambda x: rs.precision(LARGE, k=3, rel=x[0], **more), [865, 1])


@pytest.mark.spec("RS-CONV-11")
@each("backend", ["c", "reference"], fast=1)
@each("numbers", [LARGE, SMALL], fast=1)
def test_evaluations(numbers: list[int], backend: str) -> None:
    """Labels and scores in dicts, as the numbers that an array gives out."""
    documents = "abcdef"
    how: dict[str, Any] = {"backend": backend}
    measures = ["nDCG@3", "AP", "nDCG_phi", "G"]

    def named(x: Any) -> dict[str, Any]:
        return dict(zip(documents, x, strict=True))

    check(
        lambda x: values(rs.evaluate({"q": named(x)}, {"q": named(LARGE)}, measures, **how)),
        numbers,
    )
    check(
        lambda x: values(rs.evaluate({"q": named(SMALL)}, {"q": named(x)}, measures, **how)),
        numbers,
    )


def values(evaluation: rs.Evaluation) -> list[float]:
    return [x for own in evaluation.per_query.values() for x in own.values()]


@pytest.mark.spec("RS-NUM-5")
@each("argument", ["labels", "scores", "sizes", "weights"])
def test_groups(argument: str) -> None:
    plain: dict[str, Any] = {
        "labels": SMALL,
        "scores": LARGE,
        "sizes": [1, 2, 3],
        "weights": [7, 9, 8],
    }

    def call(x: Any) -> list[float]:
        given = {**plain, argument: x}
        found = evaluate_groups(["nDCG@3", "AP"], **given)
        return [found[m] for m in ("nDCG@3", "AP")]

    def admits(form: Any) -> bool:
        """Whole numbers by type for sizes, which count; no objects for sizes and weights."""
        kind = np.asarray(form).dtype.kind
        return kind in {"sizes": "iu", "weights": "biuf"}.get(argument, kind)

    check(call, plain[argument], admits)


EXACT = 1 << 53  # the integers up to here are doubles, the next one is not
MIXED = [
    [np.int64(EXACT + 1), 0.5],
    [0.5, np.int64(EXACT + 1)],
    [np.uint64(EXACT + 1), np.float16(0.5)],
    [np.float32(0.5), np.int64(EXACT + 1)],
    [np.float64(EXACT), np.int64(EXACT + 1)],
    [EXACT + 1, np.float64(0.5)],
    [np.uint64((1 << 63) + 1), np.int64(1)],
    [np.int64(1), np.uint64((1 << 63) + 1)],
]
MIXED_EXACT = [
    [np.int64(EXACT), 0.5],
    [np.float16(0.5), np.uint64(EXACT)],
    [np.float32(1.5), 1, np.int8(1)],
    [np.bool_(True), np.float64(2.5)],
    [np.uint64(EXACT + 1), np.int64(1)],
]
TAKES_MIXED: dict[str, Callable[[Any], Any]] = {
    "labels": rs.cg,
    "labels, reference": lambda x: rs.cg(x, backend="reference"),
    "labels of a batch": lambda x: rs.cg([x, x]),
    "labels of a batch with offsets": lambda x: rs.cg(x, offsets=[0, len(x)]),
    "labels as objects": lambda x: rs.cg(np.array(x, dtype=object)),
    "scores": lambda x: rs.rr(BITS[: len(x)], scores=x),
    "judged": lambda x: rs.ndcg([1], judged=[1, *x]),
    "session": lambda x: rs.sdcg([x]),
    "sessions": lambda x: rs.sdcg([[x, x], [x]]),
    "subtopics": lambda x: rs.alpha_ndcg([x, x]),
    "probabilities of subtopics": lambda x: rs.alpha_ndcg(
        [[1] * len(x), BITS[: len(x)]], probabilities=x
    ),
    "scores of documents": rs.ap_phi,
    "relevance": rs.relevance,
    "mean": rs.mean,
    "partial mean": lambda x: rs.PartialMean.of(x).mean,
    "labels of groups": lambda x: evaluate_groups("CG", labels=x, scores=x, sizes=[len(x)])["CG"],
    "weights of groups": lambda x: evaluate_groups(
        "RR", labels=[0] * len(x), scores=[0] * len(x), sizes=[1] * len(x), weights=x
    )["RR"],
}


@pytest.mark.spec("RS-CONV-1", "RS-CONV-11")
@each("takes", list(TAKES_MIXED))
def test_lists_that_mix_numbers_of_numpy_are_read_as_the_numbers_of_python(takes: str) -> None:
    call = TAKES_MIXED[takes]
    for numbers in (*MIXED, *MIXED_EXACT):
        of_python = [x.item() if isinstance(x, np.generic) else x for x in numbers]
        assert repr(answer(call, numbers)) == repr(answer(call, of_python)), numbers
    for numbers in MIXED:
        assert answer(call, numbers) is rs.InputError, numbers


@pytest.mark.spec("RS-CONV-1")
def test_metrics_for_sklearn_refuse_lists_that_numpy_would_round() -> None:
    for numbers in MIXED:
        assert answer(lambda x: ndcg_score([x], [[1, 2]]), numbers) is rs.InputError
        assert answer(lambda x: ndcg_score([[1, 2]], [x]), numbers) is rs.InputError


# 1/8, 1/4 and the others are doubles and of float16 alike: all forms stand for the same numbers.
NUMBER_FORMS: dict[str, Callable[[float], Any]] = {
    "float16": np.float16,
    "float32": np.float32,
    "float64": np.float64,
    "fraction": Fraction,
    "decimal": Decimal,
}
WHOLE_FORMS: list[Callable[[int], Any]] = [np.int64, np.uint8, np.int16]


@pytest.mark.spec("RS-AGR-22", "RS-AGR-50")
@each("form", list(NUMBER_FORMS), fast=2)
def test_parameters_of_power_and_design_are_numbers_of_any_type(form: str) -> None:
    of = NUMBER_FORMS[form]
    assert rs.power(5, of(0.125), of(0.25), of(0.0625)) == rs.power(5, 0.125, 0.25, 0.0625)
    assert rs.queries_needed(of(0.125), of(0.25), of(0.0625), of(0.25)) == rs.queries_needed(
        0.125, 0.25, 0.0625, 0.25
    )
    plain = rs.design([0.125, 0.5], deviation=0.25, alpha=0.0625, beta=0.25, n=[3, 4]).to_dict()
    for n in (np.arange(3, 5), np.array([3, 4], np.uint8), [np.int16(3), 4]):
        found = rs.design(
            [of(0.125), of(0.5)], deviation=of(0.25), alpha=of(0.0625), beta=of(0.25), n=n
        )
        assert json.dumps(found.to_dict()) == json.dumps(plain)
    assert rs.design(of(0.5), deviation=0.25) == rs.design(0.5, deviation=0.25)


@pytest.mark.spec("RS-AGR-22")
def test_numbers_of_queries_are_integers_of_any_type() -> None:
    for of in WHOLE_FORMS:
        assert rs.power(of(5), 0.125, 0.25) == rs.power(5, 0.125, 0.25)
    for n in (5.0, np.float64(5), True, np.True_, "5", None):
        with pytest.raises(rs.InputError, match="n: expected a number of queries"):
            rs.power(n, 0.125, 0.25)  # type: ignore[arg-type]


@pytest.mark.spec("RS-CMP-14", "RS-CMP-23")
@each("form", list(NUMBER_FORMS))
def test_parameters_of_comparisons_are_numbers_of_any_type(form: str) -> None:
    of = NUMBER_FORMS[form]
    qrels = {str(q): {"a": 1, "b": 0} for q in range(4)}
    runs = {
        "A": {str(q): {"a": 1.0, "b": q / 2} for q in range(4)},
        "B": {str(q): {"a": 1.0, "b": 1 + q / 2} for q in range(4)},
    }
    evaluations = {name: rs.evaluate(qrels, run, "nDCG") for name, run in runs.items()}

    def compare(alpha: Any, rope: Any, seed: Any = 5, replicates: Any = 20) -> Any:
        found = rs.compare(
            evaluations,
            tests=["t", "bayes", "randomisation"],
            alpha=alpha,
            rope=rope,
            seed=seed,
            replicates=replicates,
        )
        return json.dumps(found.to_dict())

    plain = compare(0.0625, 0.125)
    assert compare(of(0.0625), of(0.125)) == plain
    assert compare(0.0625, 0.125, np.uint64(5), np.int64(20)) == plain
    for seed, replicates in ((True, 20), (np.True_, 20), (0, True), (0, np.True_)):
        with pytest.raises(rs.InputError, match=r"expected an integer from .*, got .*True"):
            compare(0.05, 0, seed, replicates)


@pytest.mark.spec("RS-AGR-10", "RS-AGR-11", "RS-AGR-14")
def test_agreement_computes_with_the_numbers_of_python() -> None:
    """Integers of numpy would wrap in products, and round in comparisons with doubles."""
    plain = {"A": 1 << 40, "B": 3 << 40, "C": 2 << 40}
    of_numpy = {name: np.int64(x) for name, x in plain.items()}
    as_decimals = {name: Decimal(x) for name, x in plain.items()}
    other = {"A": 1.0, "B": 2.0, "C": 5.0}
    for form in (of_numpy, as_decimals):
        assert compare_orders(form, other, np.float32(0.5)) == compare_orders(plain, other, 0.5)
        assert mean_pad(form) == mean_pad(plain)
        assert rmse(form, other) == rmse(plain, other)
    apart = {"A": np.float64(EXACT), "B": np.int64(EXACT + 1), "C": 0}
    assert compare_orders(apart, {"A": 1, "B": 2, "C": 0}).tau_b == 1.0
    levels = [np.float32(0.5), Decimal("0.25"), None]
    assert discriminative_power(levels, Decimal("0.25")) == discriminative_power(  # type: ignore[arg-type]
        [0.5, 0.25, None], 0.25
    )


@pytest.mark.spec("RS-NUM-2")
def test_readings_of_the_reference_compute_with_integers_of_python() -> None:
    """A product of integers of numpy wraps, and a cache would keep it for the equal integer."""
    for x in (np.int64(1 << 40), np.uint8(200), np.float64(0.1)):
        assert RATIONALS.exact(x) ** 9 == Fraction(x.item()) ** 9  # type: ignore[arg-type]
    1 / CanonicalForms().log(np.int64(3**20), np.int64(7**9))
    for x, base in ((3**20, 3), (7**9, 7)):
        assert type(primitive(Fraction(x))[0]) is int
        assert primitive(Fraction(x))[0] == base


def test_a_decimal_is_its_value_whatever_its_exponent() -> None:
    """0E+9999 is 0; a decimal far beyond the range of doubles is refused, its digits unwritten."""
    labels = [2, 1, 0]
    for zero in ("0", "0E+9999", "-0E+9999", "0E-9999"):
        assert rs.dcg(labels, gain=[Decimal(zero), 1, 3]) == rs.dcg(labels, gain=[0, 1, 3])
    for far in ("1E+999999", "1E-999999", "-1E+999999", "1E+309", "1E-324"):
        with pytest.raises(rs.InputError, match="which is beyond the range of doubles"):
            rs.dcg(labels, gain=[0, 1, Decimal(far)])
    for none in ("NaN", "Infinity", "-Infinity", "sNaN"):
        with pytest.raises(rs.InputError, match="must be a finite number"):
            rs.dcg(labels, gain=[0, 1, Decimal(none)])
