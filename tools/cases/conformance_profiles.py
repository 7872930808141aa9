"""The profiles of conformance: which cases an implementation of some kind should all meet.

A case is of a profile by a rule over its measure and what it requires. The small profiles have
required cases alone, none with a word that the profile does not list, and none of which double
precision cannot promise anything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .requirements import WITH_BASE

ALL = "all"
LISTS = {"labels:integer", "labels:graded", "judged", "k", "k:none"}
"""Whole labels in rank order, with a pool or without, cut or not."""

NDCG = {"gain:linear", "gain:exp2", "discount:log", "ideal:k"}
OF_TREC_EVAL_9 = {f"convention:{x}" for x in ("scores=float32", "queries=both", "lines=tail")}
OF_TREC_EVAL_10 = {f"convention:{x}" for x in ("queries=complete", "lines=comments")}
OF_TREC_EVAL_10 |= {"scores:double"}
RUNS = {"file:qrels", "file:run", *OF_TREC_EVAL_9, *OF_TREC_EVAL_10}
"""Whole evaluations, with what trec_eval 9 and 10 differ in."""

REFUSED_BY_TREC_EVAL = {"blank-lines", "byte-order-mark"}
"""Flags of cases whose files trec_eval does not read."""

OF_SESSIONS = {
    *("session", "documents", "ids:string", "repeats:every", "repeats:first"),
    *("padding:X", "ideal:repeated", "base", "k:list", "gain:linear", "gain:exp2"),
    *(f"{of}:{kind}" for of in ("discount", "query_discount") for kind in WITH_BASE),
}


@dataclass(frozen=True)
class Profile:
    """Which required cases are of it: by the measure, and by words that a case may require.

    holds: what else must be so of the case
    """

    measures: frozenset[str]
    words: frozenset[str]
    holds: Callable[[dict[str, Any]], bool] = lambda _: True


def _profile(measures: str, words: set[str], **rest: Any) -> Profile:
    return Profile(frozenset(measures.split()), frozenset(words), **rest)


def _binary(case: dict[str, Any]) -> bool:
    return "labels:graded" not in case["requires"]


def _of_trec_eval(case: dict[str, Any]) -> bool:
    """A list, or a whole evaluation by conventions that trec_eval 9 or 10 has, with options."""
    queries = case.get("conventions", {}).get("queries", "both")
    by_profile = case.get("profile") in (None, "trec_eval-9", "trec_eval-10")
    is_read = not REFUSED_BY_TREC_EVAL & set(case["flags"])
    return by_profile and is_read and queries in ("qrels", "both", "complete")


SMALL: dict[str, Profile] = {
    "ndcg-core": _profile("CG DCG IDCG nDCG", LISTS | NDCG),
    "trec": _profile(
        "P R RR AP Rprec Success Bpref DCG nDCG",
        LISTS
        | {"gain:linear", "discount:log", "ideal:k", "norm:R", "rel", "unjudged"}
        | {"scores", "ids:string", "ties:id-descending"}
        | RUNS,
        holds=_of_trec_eval,
    ),
    "ltr": _profile(
        "DCG IDCG nDCG ERR",
        LISTS | {"gain:exp2", "discount:log", "ideal:k", "scores", "scores:double", "ties:input"},
    ),
    "recsys": _profile(
        "P R RR AP Success DCG nDCG", LISTS | NDCG | {"norm:R", "norm:min"}, holds=_binary
    ),
    "session": _profile(
        "sDCG IsDCG nsDCG sDCG_q sDCG_vector IsDCG_vector nsDCG_vector", LISTS | OF_SESSIONS
    ),
}
NAMES = (*SMALL, ALL)


def profiles(case: dict[str, Any], *, required: bool) -> list[str]:
    """The profiles of a case that is written, with what it requires and its max_ulp."""
    found = [name for name, profile in SMALL.items() if required and _is_of(case, profile)]
    return [*found, ALL]


def _is_of(case: dict[str, Any], profile: Profile) -> bool:
    return (
        case["measure"]["name"] in profile.measures
        and set(case["requires"]) <= profile.words
        and case["max_ulp"] is not None
        and profile.holds(case)
    )
