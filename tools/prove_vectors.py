"""Prove with Coq that test vectors are correctly rounded: the definitions are those of proofs/.

    python tools/prove_vectors.py             proves every case that can be written in Coq
    python tools/prove_vectors.py dcg-0001    proves these cases
    python tools/prove_vectors.py --write     proves what changed; writes spec/vectors/proved.txt
    python tools/prove_vectors.py --flip      flips the last bit of each double: none may be proved

It exits with 1 where a case is not proved. A case of spec/vectors/*.json becomes a term of
proofs/Vectors.v, a measure with its input, and the bits of the expected double. Coq's kernel checks
"Forall holds cases" by the theorem check_sound and by computing; "holds" says that the double is
the one nearest to the value of the definition (RS-NUM-1). The term is read back from its text, by a
parser that knows nothing of what wrote it, and compared with the case. proved.txt has a digest of
each proved case, by which --write knows what changed. At the end stands which cases are not proved:
of measures that proofs/Vectors.v lacks, or without a translation, and why.

It needs Coq 8.16: apt-get install coq libcoq-interval
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from math import factorial, prod
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HERE / "tools"))

import prove as prover  # noqa: E402

NotProved = prover.NotProved
PROVED = "spec/vectors/proved.txt"
LONGEST = 1000
"""The greatest number of labels, and the greatest cut-off, of a case: Coq counts in unary."""
PART = 180
"""The number of goals in a file."""
TIMEOUT = 1200
INTEGERS = re.compile(r"(PrimInt63|Uint63|Int63|Sint63)\.")
"""The integers of 63 bits, which enclosures are made of; Coq lists them as axioms."""

Term = tuple[Any, ...]


NO_DEFINITION = "no definition"
REFUSED = "refused inputs"


class NotTranslated(Exception):
    """Why a case is not written in Coq."""


@dataclass(frozen=True)
class Goal:
    """A value of a case, as a term of Coq and as what is read back from its text."""

    id: str
    measure: str
    text: str


# ---- from a case to a term -----------------------------------------------------------------
# A term is a tuple: a constructor of Vectors.v and its arguments. Numbers are ("Q", x) and
# ("nat", x), lists of them ("list", kind, numbers).


def exactly(x: Any) -> Fraction:
    """Return a number of a case without a rounding."""
    if isinstance(x, bool) or x is None or x in ("NaN", "Infinity", "-Infinity"):
        raise NotTranslated("no numbers")
    return Fraction(x)


def rationals(numbers: list[Any]) -> Term:
    return ("list", "Q", tuple(exactly(x) for x in numbers))


def whole(numbers: list[Any], kind: str, what: str) -> Term:
    exact = [exactly(x) for x in numbers]
    if any(x.denominator != 1 or not 0 <= x <= 1100 for x in exact):
        raise NotTranslated(what)
    return ("list", kind, tuple(x.numerator for x in exact))


def labels(numbers: list[Any], gain: dict[str, Any]) -> Term:
    """Return labels with their gain."""
    if len(numbers) > LONGEST:
        raise NotTranslated("a long list")
    if gain == {"kind": "linear"}:
        return ("Linear", rationals(numbers))
    if gain == {"kind": "exp2"}:
        return ("Exp2", whole(numbers, "N", "2^r of a fraction or of a large label"))
    if gain.keys() == {"kind", "table"}:
        return ("Table", rationals(gain["table"]), whole(numbers, "nat", "large labels of a table"))
    raise NotTranslated("gain")


WITH_BASE = {
    "log": "Log",
    "jarvelin-2008": "Jarvelin2008",
    "jarvelin-2002": "Jarvelin2002",
    "jiang-2016": "Jiang2016",
}


def discount(choice: dict[str, Any]) -> Term:
    kind, rest = choice["kind"], choice.keys() - {"kind"}
    if kind in WITH_BASE and rest == {"base"}:
        return (WITH_BASE[kind], ("Q", exactly(choice["base"])))
    if kind == "weights" and rest == {"weights"}:
        return ("Weights", rationals(choice["weights"]))
    if kind in ("zipf", "none") and not rest:
        return ("Zipf",) if kind == "zipf" else ("NoDiscount",)
    raise NotTranslated("discount")


def prior(measure: dict[str, Any]) -> Term:
    choice = measure["prior"]
    if choice == {"kind": "discount"}:
        return discount(measure["discount"])
    return ("NoDiscount",) if choice == {"kind": "uniform"} else discount(choice)


def cut_off(k: Any, default: int) -> Term:
    number = default if k is None else int(k)
    if number > LONGEST:
        raise NotTranslated(f"a cut-off above {LONGEST}")
    return ("nat", number)


GAIN_ONE: dict[str, Any] = {"kind": "linear"}
RULES = {"expected": "Expected", "input": "AsInput", "best": "BestFirst", "worst": "WorstFirst"}


def in_order_of_ids(inputs: dict[str, Any]) -> dict[str, Any]:
    """Return an input with ties by ids as one whose ties keep the order of the lists."""
    if not str(inputs.get("ties", "")).startswith("id-"):
        return inputs
    down = inputs["ties"] == "id-descending"
    ids = [x.encode() if isinstance(x, str) else x for x in inputs["ids"]]
    order = sorted(range(len(ids)), key=ids.__getitem__, reverse=down)
    sorted_lists = {name: [inputs[name][i] for i in order] for name in ("labels", "scores")}
    return {**inputs, **sorted_lists, "ties": "input"}


def ranking(case: dict[str, Any], gain: dict[str, Any]) -> Term:
    """Return a list in rank order, or with scores and a rule for ties."""
    inputs = in_order_of_ids(case["input"])
    shown = labels(inputs["labels"], gain)
    if "scores" not in inputs:
        return ("Ranked", shown)
    return ("Scored", (RULES[inputs["ties"]],), rationals(inputs["scores"]), shown)


OF_GAINS = ("CG", "DCG", "nCG", "nDCG", "LDCG", "LNDCG")
IDEALS = {"k": "NDCG", "all": "NDCG_all", "shown": "NDCG_shown"}


def metric(measure: dict[str, Any], inputs: dict[str, Any]) -> Term:  # noqa: PLR0911
    """Return a metric of rankings, with its pool."""
    name, gain = measure["name"], measure.get("gain", GAIN_ONE)
    if name not in OF_GAINS:
        raise NotTranslated(NO_DEFINITION)
    shown = inputs["labels"] if "labels" in inputs else inputs["judged"]
    pool = inputs.get("judged", shown)
    cut = cut_off(measure["k"], max(len(shown), len(pool)))
    keys = measure.keys() - {"name", "k", "gain"}
    if name == "CG" and not keys:
        return ("CG", cut)
    if name == "DCG" and keys == {"discount"}:
        return ("DCG", cut, discount(measure["discount"]))
    if name == "nCG" and not keys:
        return ("NCG", cut, labels(pool, gain))
    if name == "nDCG" and keys == {"discount", "ideal"}:
        weights = discount(measure["discount"])
        if measure["ideal"] == "perfect":
            return ("NDCG_perfect", cut_off(measure["k"], len(shown)), weights)
        return (IDEALS[measure["ideal"]], cut, weights, labels(pool, gain))
    if name == "LDCG" and keys == {"discount", "prior", "Z"}:
        with_z = measure["Z"] == "M" and measure["k"] is not None
        return ("LDCG_Z" if with_z else "LDCG", cut, discount(measure["discount"]), prior(measure))
    if name == "LNDCG" and keys == {"discount", "prior", "ideal"}:
        if measure["ideal"] != "true":
            raise NotTranslated("the ideal eq7")
        return ("LNDCG", cut, discount(measure["discount"]), prior(measure), labels(pool, gain))
    raise NotTranslated(NO_DEFINITION)


BOUNDS = {"U": "Upper", "UL1": "UL1", "UL2": "UL2", "Ratio": "Ratio"}
WITHOUT_BOUNDS = {"variance": "Variance", "z_value": "Z_value"}


def bound(case: dict[str, Any]) -> Term:
    """Return what is made of a metric: a bound, a relation to bounds, its variance or z-value."""
    measure, inputs = case["measure"], case["input"]
    name, inner = measure["name"], measure["of"]
    if way_of(inner, inputs):
        return rated_bound(case)
    gain = inner.get("gain", GAIN_ONE)
    made = metric(inner, inputs)
    shown = inputs.get("judged", inputs.get("labels"))
    pool = labels(shown, gain)
    if name in WITHOUT_BOUNDS:
        check_orders(shown)
        listed_ranking = (ranking(case, gain),) if name == "z_value" else ()
        return (WITHOUT_BOUNDS[name], made, *listed_ranking, pool)
    if measure.get("bounds", "exact") == "exact":
        if name in ("IUB", "RLB", "WLB"):
            return (name, made, pool)
        if name == "MinMax":
            name = {"random": "MinMax", "worst": "MinMax_worst"}[measure["lower"]]
        return (BOUNDS.get(name, name), made, ranking(case, gain), pool)
    if made[0] != "DCG" or measure.get("lower") == "worst" or name not in BY_EQ7:
        raise NotTranslated("bounds of karmaker-2022")
    if name in ("RLB", "IUB"):
        return ({"RLB": "RLB_eq7", "IUB": "IDCG"}[name], *made[1:], pool)
    return (f"{name}_eq7", *made[1:], ranking(case, gain), pool)


BY_EQ7 = ("RLB", "IUB", "UL1", "UL2", "MinMax")
OF_SESSIONS = {"sDCG": "SDCG", "sDCG_q": "SDCG_q", "IsDCG": "IsDCG", "nsDCG": "NsDCG"}


def session(case: dict[str, Any]) -> Term:
    measure, inputs = case["measure"], case["input"]
    gain, queries = measure["gain"], inputs["queries"]
    if measure.get("repeats", "every") != "every":
        raise NotTranslated("gains of documents that come again")
    if measure.get("ideal", "repeated") != "repeated":
        raise NotTranslated(f"the ideal {measure['ideal']}")
    longest = max(map(len, queries), default=0)
    weights = discount(measure["discount"]), discount(measure["query_discount"])
    shown = ("list", "labels", tuple(labels(r, gain) for r in queries))
    name = OF_SESSIONS[measure["name"]]
    if name in ("SDCG", "SDCG_q"):
        return (name, cut_off(measure["k"], longest), *weights, shown)
    if "judged" not in inputs and "documents" in inputs:
        raise NotTranslated("a pool of documents")
    pool = inputs.get("judged", [x for r in queries for x in r])
    cut = cut_off(measure["k"], max(longest, len(pool)))
    padding = cut if measure["padding"] == "X" else cut_off(measure["padding"], 0)
    return (name, cut, padding, *weights, labels(pool, gain), shown)


FEW = 60
"""The greatest number of labels of a rational measure: Coq computes its definition as it stands."""
ORDERS = 720
"""The greatest number of orders that are enumerated for a mean that no theorem has a sum for."""
AP_BY = {"R": "AP_R", "min": "AP_min", "k": "AP_k", "retrieved": "AP_retrieved", "hits": "AP_hits"}


def check_orders(*groups: list[Any]) -> None:
    """Raise NotTranslated for more orders than are enumerated."""
    if prod(factorial(len(group)) for group in groups) > ORDERS:
        raise NotTranslated("more orders than are enumerated")


def binary(made: Callable[..., Term]) -> Callable[..., Term]:
    """Return how a measure of relevant items is written, by how it is of the items."""
    return lambda m, k, pool: ("Binary", made(m, k, pool), ("Q", exactly(m["rel"])))


def ap(measure: dict[str, Any], k: Term, pool: Term) -> Term:
    norm = measure["norm"]
    return (AP_BY[norm], k, *((pool,) if norm in ("R", "min") else ()))


def stops(measure: dict[str, Any]) -> Term:
    if measure["stop"] == "label":
        return ("StopLabel",)
    if measure["stop"] is None:
        return ("Stop", ("nat", int(exactly(measure["max"]))))
    return ("Stops", rationals(measure["stop"]))


OWN = {"text": "linear", "authors-program": "hinges"}
QUARTILES = {
    "linear": "Relevance.linear",
    "hinges": "Relevance.hinges",
    "weibull": "Relevance.weibull",
    "median-unbiased": "Relevance.median_unbiased",
}
VARIANTS = {"text": "By_text", "authors-program": "By_program"}


def exponents(measure: dict[str, Any], pool: Term) -> Term:
    """Return what the exponents x of gains 2^x - 1 are of labels."""
    if "variant" not in measure:
        return ("Itself",)
    if measure["points"] is not None:
        scores, relevances = zip(*measure["points"], strict=True)
        return ("By_points", ("combine", rationals(list(scores)), rationals(list(relevances))))
    variant, quartiles = measure["variant"], measure["quartiles"]
    own = OWN[variant] if quartiles == "own" else quartiles
    return (VARIANTS[variant], (QUARTILES[own],), pool)


def with_phi(name: str, with_pool: bool = False) -> Callable[..., Term]:
    """Return how DCG or nDCG of gains 2^x - 1 is written."""

    def written_phi(measure: dict[str, Any], k: Term, pool: Term) -> Term:
        if measure.get("ideal", "k") != "k":
            raise NotTranslated(f"the ideal {measure['ideal']} of fractions")
        weights = discount(measure["discount"])
        return (name, k, weights, exponents(measure, pool), *((pool,) if with_pool else ()))

    return written_phi


RATED: dict[str, Callable[[dict[str, Any], Term, Term], Term]] = {
    "P": binary(lambda _, k, __: ("Prec", k)),
    "R": binary(lambda _, k, pool: ("Recall", k, pool)),
    "RR": binary(lambda _, k, __: ("RR", k)),
    "SP": binary(lambda _, k, __: ("SP", k)),
    "AP": binary(ap),
    "GAP": lambda m, k, pool: ("GAP", k, rationals(m["q"]), pool),
    "RBP": lambda m, k, _: ("RBP", k, ("Q", exactly(m["p"])), ("Q", exactly(m["rel"]))),
    "ERR": lambda m, k, _: ("ERR", k, stops(m)),
    "nERR": lambda m, k, pool: ("NERR", k, stops(m), pool),
    "DCG_phi": with_phi("DCG_phi"),
    "nDCG_phi": with_phi("NDCG_phi", with_pool=True),
}
"""The measures of labels: a measure, its cut-off and the pool, as a term."""
OF_FRACTIONS: dict[str, Callable[[dict[str, Any], Term, Term], Term]] = {
    "CG": lambda m, k, pool: ("CG_phi", k, exponents(m, pool)),
    "DCG": RATED["DCG_phi"],
    "nDCG": RATED["nDCG_phi"],
}
"""The same of measures with the gain 2^r - 1, where a label r is a fraction."""


def way_of(measure: dict[str, Any], inputs: dict[str, Any]) -> Callable[..., Term] | None:
    """Return how a measure of labels is written, or None where it is one of gains."""
    if measure.get("gain") == {"kind": "exp2"} and measure["name"] in OF_FRACTIONS:
        numbers = [*inputs.get("labels", []), *inputs.get("judged", [])]
        if any(exactly(x).denominator != 1 for x in numbers):
            return OF_FRACTIONS[measure["name"]]
    return RATED.get(measure["name"])


def rated(measure: dict[str, Any], inputs: dict[str, Any]) -> Term:
    """Return a measure of labels."""
    shown = inputs["labels"] if "labels" in inputs else inputs["judged"]
    pool = inputs.get("judged", shown)
    if max(len(shown), len(pool)) > FEW:
        raise NotTranslated("a long list")
    if measure.get("stop", "label") != "label":
        whole([*shown, *pool], "nat", "a fraction as a label of ERR")
    n_is_k = measure["name"] == "P" or measure.get("norm") == "k"
    cut = cut_off(measure["k"], len(shown) if n_is_k else max(len(shown), len(pool)))
    way = way_of(measure, inputs)
    if way is None:
        raise NotTranslated(NO_DEFINITION)
    return way(measure, cut, rationals(pool))


def has_a_sum(measure: dict[str, Any]) -> bool:
    """True if a theorem has the expectation of the measure as a sum."""
    sums = ("P", "R", "SP", "GAP", "DCG_phi", "nDCG_phi", *OF_FRACTIONS)
    return measure["name"] in sums or measure.get("norm") in ("R", "min", "k")


def listing(measure: dict[str, Any], inputs: dict[str, Any]) -> Term:
    """Return a list in rank order, or with scores, of a measure of its labels."""
    inputs = in_order_of_ids(inputs)
    shown = rationals(inputs["labels"])
    if "scores" not in inputs:
        return ("InOrder", shown)
    if inputs["ties"] == "expected" and not has_a_sum(measure):
        scores = Counter(map(exactly, inputs["scores"]))
        check_orders(*([score] * number for score, number in scores.items()))
    return ("ByScores", (RULES[inputs["ties"]],), rationals(inputs["scores"]), shown)


RELATIONS = {
    "U": "ByUpper",
    "UL1": "ByUL1",
    "UL2": "ByUL2",
    "MinMax": "ByMinMax",
    "Ratio": "ByRatio",
}


def rated_bound(case: dict[str, Any]) -> Term:
    """Return what is made of a measure of labels."""
    measure, inputs = case["measure"], case["input"]
    name, inner = measure["name"], measure["of"]
    if measure.get("bounds", "exact") != "exact":
        return paper_bound(case)
    made = rated(inner, inputs)
    shown = inputs.get("judged", inputs.get("labels"))
    if name in WITHOUT_BOUNDS or (name not in ("IUB", "WLB") and not has_a_sum(inner)):
        check_orders(shown)
    pool = rationals(shown)
    if name == "variance" or name in ("IUB", "RLB", "WLB"):
        return (f"Rated_{name}", made, pool)
    if name == "z_value":
        return ("Rated_z_value", made, listing(inner, inputs), pool)
    by = RELATIONS[name] + ("_worst" if measure.get("lower") == "worst" else "")
    return ("Rated_by", (by,), made, listing(inner, inputs), pool)


def paper_bound(case: dict[str, Any]) -> Term:
    """Return a bound of SP or AP by karmaker-2022, or what relates a value to these."""
    measure, inputs = case["measure"], case["input"]
    name, inner = measure["name"], measure["of"]
    shown = inputs.get("judged", inputs.get("labels"))
    if inner["name"] not in ("SP", "AP") or not shown or name == "WLB":
        raise NotTranslated("bounds of karmaker-2022")
    _, made, least = rated(inner, inputs)
    if name in ("IUB", "RLB"):
        pool = () if name == "IUB" else (rationals(shown),)
        return (f"Paper_{name}", made, least, *pool)
    by = RELATIONS[name] + ("_worst" if measure.get("lower") == "worst" else "")
    return ("Paper_by", (by,), made, least, listing(inner, inputs), rationals(shown))


def all_tied(case: dict[str, Any]) -> dict[str, Any]:
    """Return a case of `expected` as one of its metric: all items of the list are tied."""
    measure, inputs = case["measure"], case["input"]
    if measure["name"] != "expected":
        return case
    tied = {**inputs, "scores": [0] * len(inputs["labels"]), "ties": "expected"}
    return {**case, "measure": measure["of"], "input": tied}


def ideal_dcg(case: dict[str, Any]) -> Term:
    measure, pool = case["measure"], case["input"]["judged"]
    cut = cut_off(measure["k"], len(pool))
    return ("IDCG", cut, discount(measure["discount"]), labels(pool, measure["gain"]))


def ideal_ldcg(case: dict[str, Any]) -> Term:
    measure, pool = case["measure"], case["input"]["judged"]
    by_eq7 = "_eq7" if measure["ideal"] == "eq7" else ""
    if by_eq7 and "table" in measure["gain"]:
        raise NotTranslated("the ideal eq7 of a table")
    head = f"ILDCG{by_eq7}" + ("_Z" if measure["Z"] == "M" and measure["k"] is not None else "")
    weights = discount(measure["discount"]), prior(measure)
    return (head, cut_off(measure["k"], len(pool)), *weights, labels(pool, measure["gain"]))


WAYS: dict[str, Callable[[dict[str, Any]], Term]] = {
    "double": lambda case: ("Number", ("Q", exactly(case["input"]["fraction"]))),
    "mean": lambda case: ("Mean", rationals(case["input"]["values"])),
    "IDCG": ideal_dcg,
    "ILDCG": ideal_ldcg,
    **dict.fromkeys(OF_SESSIONS, session),
}
"""How a case of a measure is written that is not one of a ranking."""


def by_eq7(case: dict[str, Any]) -> Term:
    """Return LNDCG with the ideal by the paper's eq. 7."""
    measure, inputs = case["measure"], case["input"]
    if "scores" in inputs or "table" in measure["gain"]:
        raise NotTranslated("the ideal eq7 with ties, or of a table")
    shown, pool = inputs["labels"], inputs.get("judged", inputs["labels"])
    cut = cut_off(measure["k"], max(len(shown), len(pool)))
    weights = discount(measure["discount"]), prior(measure)
    both = labels(shown, measure["gain"]), labels(pool, measure["gain"])
    return ("LNDCG_eq7", cut, *weights, *both)


UNTRANSLATED = dict.fromkeys(("query_nDCG", "query_sDCG"), "over the queries of a session")
"""Why a measure is not written that has a definition in proofs/."""


def term(case: dict[str, Any]) -> Term:
    """Return the measure and the input of a case as a term of Vectors.v."""
    measure, inputs = case["measure"], case["input"]
    if "of" in measure:
        return bound(case)
    if way := WAYS.get(measure["name"]):
        return way(case)
    if measure["name"] == "LNDCG" and measure["ideal"] == "eq7":
        return by_eq7(case)
    if "labels" not in inputs:
        raise NotTranslated(UNTRANSLATED.get(measure["name"], NO_DEFINITION))
    if way_of(measure, inputs):
        return ("Rated", rated(measure, inputs), listing(measure, inputs))
    return ("Value", metric(measure, inputs), ranking(case, measure.get("gain", GAIN_ONE)))


def written(node: Any) -> str:
    """Return a term as Coq reads it."""
    if node[0] == "Q":
        return f"({rational(node[1])})%Q"
    if node[0] == "nat":
        return f"{node[1]}%nat"
    if node[0] == "list":
        if node[1] == "labels":
            return "[" + "; ".join(map(written, node[2])) + "]"
        texts = map(rational, node[2]) if node[1] == "Q" else map(str, node[2])
        return "[" + "; ".join(texts) + f"]%{node[1]}"
    return (
        "(" + " ".join([node[0], *map(written, node[1:])]) + ")" if len(node) > 1 else str(node[0])
    )


def rational(x: Fraction) -> str:
    return str(x.numerator) if x.denominator == 1 else f"{x.numerator} # {x.denominator}"


# ---- and back from its text ----------------------------------------------------------------

TOKEN = re.compile(r"\s*(-?\d+|[A-Za-z_][\w.]*|%[A-Za-z]+|[()\[\];#])")


def parsed(text: str) -> Any:
    """Return the tree of a term: lists, texts and numbers, with no regard to scopes."""
    tokens, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise NotProved(f"no token at {text[at : at + 20]!r}")
        at = match.end()
        if not match[1].startswith("%"):
            tokens.append(match[1])
    tree, rest = _parsed(tokens)
    if rest:
        raise NotProved(f"more than a term: {text}")
    return tree


def _parsed(tokens: list[str]) -> tuple[Any, list[str]]:
    head, rest = tokens[0], tokens[1:]
    if head in ("(", "["):
        end, items = {"(": ")", "[": "]"}[head], []
        parts: list[list[Any]] = [[]]
        while rest[0] != end:
            if rest[0] == ";":
                parts, rest = [*parts, []], rest[1:]
                continue
            item, rest = _parsed(rest)
            parts[-1].append(item)
        items = [part[0] if len(part) == 1 else part for part in parts if part]
        return (items if head == "[" else items[0]), rest[1:]
    value: Any = Fraction(head) if re.fullmatch(r"-?\d+", head) else head
    if rest[:1] == ["#"]:
        return value / Fraction(rest[1]), rest[2:]
    return value, rest


# These tables are written apart from those above: a slip in one of two is seen.
KINDS = {
    "Log": "log",
    "Jarvelin2008": "jarvelin-2008",
    "Jarvelin2002": "jarvelin-2002",
    "Jiang2016": "jiang-2016",
}
TIES = {"Expected": "expected", "AsInput": "input", "BestFirst": "best", "WorstFirst": "worst"}
SESSIONS = {"SDCG": "sDCG", "SDCG_q": "sDCG_q", "IsDCG": "IsDCG", "NsDCG": "nsDCG"}


def discount_back(tree: Any) -> dict[str, Any]:
    if isinstance(tree, str):
        return {"kind": {"Zipf": "zipf", "NoDiscount": "none"}[tree]}
    if tree[0] == "Weights":
        return {"kind": "weights", "weights": tree[1]}
    return {"kind": KINDS[tree[0]], "base": tree[1]}


def labels_back(tree: Any) -> tuple[dict[str, Any], list[Any]]:
    if tree[0] == "Table":
        return {"kind": "table", "table": tree[1]}, tree[2]
    return {"kind": {"Linear": "linear", "Exp2": "exp2"}[tree[0]]}, tree[1]


def metric_back(tree: Any) -> dict[str, Any]:
    """Return the parameters of a metric, and its pool, as the JSON has them."""
    head, k, *rest = tree
    facts: dict[str, Any] = {"k": k}
    if head in ("CG", "NCG"):
        facts["name"] = {"CG": "CG", "NCG": "nCG"}[head]
    else:
        facts["discount"] = discount_back(rest.pop(0))
        if head.startswith("NDCG"):
            facts |= {"name": "nDCG", "ideal": head[5:] or "k"}
        elif head == "DCG":
            facts["name"] = "DCG"
        else:
            facts |= {"name": head.removesuffix("_Z"), "prior": discount_back(rest.pop(0))}
            facts |= (
                {"Z": "M" if head.endswith("_Z") else "none"}
                if head != "LNDCG"
                else {"ideal": "true"}
            )
    if rest:
        facts["gain"], facts["judged"] = labels_back(rest[0])
    return facts


def ranking_back(tree: Any) -> dict[str, Any]:
    gain, shown = labels_back(tree[-1])
    facts: dict[str, Any] = {"gain": gain, "labels": shown}
    if tree[0] == "Scored":
        facts |= {
            "ties": TIES[tree[1]],
            "scores": tree[2],
        }
    return facts


def rated_back(tree: Any) -> dict[str, Any]:
    """Return what a term of a measure with rational values says."""
    head, *rest = tree
    if head == "Binary":
        (name, k, *pool), least = rest
        by = {"Prec": "P", "Recall": "R"}.get(name, name.split("_")[0])
        norm = {"norm": name[3:]} if name.startswith("AP_") else {}
        return {"name": by, "k": k, "rel": least, **norm, **({"judged": pool[0]} if pool else {})}
    if head == "GAP":
        return {"name": "GAP", "k": rest[0], "q": rest[1], "judged": rest[2]}
    if head == "RBP":
        return {"name": "RBP", "k": rest[0], "p": rest[1], "rel": rest[2]}
    if head.endswith("_phi"):
        return phi_back(head, rest)
    pool = {"judged": rest[2]} if head == "NERR" else {}
    return {
        "name": {"ERR": "ERR", "NERR": "nERR"}[head],
        "k": rest[0],
        **stops_back(rest[1]),
        **pool,
    }


VARIANTS_BACK = {"By_text": "text", "By_program": "authors-program"}


def phi_back(head: str, rest: list[Any]) -> dict[str, Any]:
    k, *weights, tree = rest[:-1] if head == "NDCG_phi" else rest
    told = {"k": k, "judged": rest[-1]} if head == "NDCG_phi" else {"k": k}
    told |= {"discount": discount_back(weights[0])} if weights else {}
    name = {"NDCG_phi": "nDCG", "DCG_phi": "DCG", "CG_phi": "CG"}[head]
    if tree == "Itself":
        return {"name": name, "gain": {"kind": "exp2"}, **told}
    told["name"] = f"{name}_phi"
    if tree[0] == "By_points":
        _, scores, relevances = tree[1]
        return told | {"points": [list(point) for point in zip(scores, relevances, strict=True)]}
    quartiles = tree[1].removeprefix("Relevance.").replace("_", "-")
    by = {"variant": VARIANTS_BACK[tree[0]], "quartiles": quartiles, "points": None}
    return together(told, by, {"judged": tree[2]})


def stops_back(tree: Any) -> dict[str, Any]:
    if tree == "StopLabel":
        return {"stop": "label"}
    return {"stop": None, "max": tree[1]} if tree[0] == "Stop" else {"stop": tree[1]}


def listing_back(tree: Any) -> dict[str, Any]:
    if tree[0] == "InOrder":
        return {"labels": tree[1]}
    return {"ties": TIES[tree[1]], "scores": tree[2], "labels": tree[3]}


RELATED = {"ByUpper": "U", "ByUL1": "UL1", "ByUL2": "UL2", "ByMinMax": "MinMax", "ByRatio": "Ratio"}


def rated_facts(head: str, rest: list[Any]) -> dict[str, Any]:
    """Return what a term says of a measure with rational values and of what is made of it."""
    if head == "Rated":
        return together(rated_back(rest[0]), listing_back(rest[1]))
    told: dict[str, Any] = {"judged": rest.pop(), "bounds": "exact"}
    if head == "Rated_by":
        by = rest.pop(0)
        told["lower"] = "worst" if by.endswith("_worst") else "random"
        told["bound"] = RELATED[by.removesuffix("_worst")]
    else:
        told["bound"] = head.removeprefix("Rated_")
    shown = listing_back(rest[1]) if len(rest) == 2 else {}
    return together(rated_back(rest[0]), told, shown)


def together(*told: dict[str, Any]) -> dict[str, Any]:
    """Return what parts of a term say; where they say different things of a name, both."""
    facts: dict[str, Any] = {}
    for part in told:
        for name, value in part.items():
            facts[name] = value if facts.get(name, value) == value else (facts[name], value)
    return facts


def session_back(head: str, *rest: Any) -> dict[str, Any]:
    *choices, queries = rest
    facts: dict[str, Any] = {"name": SESSIONS[head], "k": choices.pop(0), "repeats": "every"}
    if head in ("IsDCG", "NsDCG"):
        facts |= {"padding": choices.pop(0), "ideal": "repeated"}
        gain, facts["judged"] = labels_back(choices.pop())
        facts = together(facts, {"gain": gain})
    facts |= {"discount": discount_back(choices[0]), "query_discount": discount_back(choices[1])}
    facts["queries"] = [labels_back(r)[1] for r in queries]
    return together(facts, *({"gain": labels_back(r)[0]} for r in queries))


def ideal_back(head: str, k: Any, weights: Any, *rest: Any) -> dict[str, Any]:
    gain, pool = labels_back(rest[-1])
    facts = {"k": k, "discount": discount_back(weights), "gain": gain, "judged": pool}
    if head == "IDCG":
        return facts | {"name": "IDCG"}
    facts |= {"ideal": "eq7" if "_eq7" in head else "true", "prior": discount_back(rest[0])}
    if head == "LNDCG_eq7":
        of_list, shown = labels_back(rest[1])
        return together(facts, {"name": "LNDCG", "labels": shown, "gain": of_list})
    return facts | {"name": "ILDCG", "Z": "M" if head.endswith("_Z") else "none"}


NAMES = {"Upper": "U", "Variance": "variance", "Z_value": "z_value"}


def bound_back(head: str, *rest: Any) -> dict[str, Any]:
    gain, pool = labels_back(rest[-1])
    facts: dict[str, Any] = {"gain": gain, "judged": pool}
    facts["bound"] = NAMES.get(head, head.partition("_")[0])
    facts["bounds"] = "karmaker-2022" if head.endswith("_eq7") else "exact"
    facts["lower"] = "worst" if head.endswith("_worst") else "random"
    if head.endswith("_eq7"):
        facts |= {"name": "DCG", "k": rest[0], "discount": discount_back(rest[1])}
        return together(facts, ranking_back(rest[2]) if len(rest) == 4 else {})
    shown = ranking_back(rest[1]) if len(rest) == 3 else {}
    return together(facts, metric_back(rest[0]), shown)


def paper_back(head: str, *rest: Any) -> dict[str, Any]:
    """Return what a term says of bounds of SP or AP by karmaker-2022."""
    parts = list(rest)
    facts: dict[str, Any] = {"bounds": "karmaker-2022", "bound": head.removeprefix("Paper_")}
    if head == "Paper_by":
        by = parts.pop(0)
        facts["lower"] = "worst" if by.endswith("_worst") else "random"
        facts["bound"] = RELATED[by.removesuffix("_worst")]
    facts = together(facts, rated_back(["Binary", *parts[:2]]))
    if head == "Paper_by":
        facts = together(facts, listing_back(parts[2]))
    return facts if head == "Paper_IUB" else together(facts, {"judged": parts[-1]})


BACK: dict[str, Callable[..., dict[str, Any]]] = {
    "Number": lambda _, q: {"name": "double", "fraction": q},
    "Mean": lambda _, numbers: {"name": "mean", "values": numbers},
    "Value": lambda _, made, shown: together(metric_back(made), ranking_back(shown)),
    **dict.fromkeys(("IDCG", "ILDCG", "ILDCG_Z"), ideal_back),
    **dict.fromkeys(("ILDCG_eq7", "ILDCG_eq7_Z", "LNDCG_eq7"), ideal_back),
    **dict.fromkeys(SESSIONS, session_back),
    **dict.fromkeys(("Paper_IUB", "Paper_RLB", "Paper_by"), paper_back),
}
"""How a term is read back, by its constructor, where it is not one of labels or a bound."""


def facts_back(tree: Any) -> dict[str, Any]:
    """Return what a term says, by the names of the JSON: measure and input in one dict."""
    head, *rest = tree
    if head.split("_")[0] == "Rated":
        return rated_facts(head, rest)
    back = BACK.get(head) or bound_back
    return back(head, *rest)


def exact(x: Any) -> Any:
    """Return a part of a case with its numbers as fractions."""
    if isinstance(x, dict):
        return {name: exact(part) for name, part in x.items()}
    if isinstance(x, list):
        return [exact(part) for part in x]
    if isinstance(x, str) and not re.fullmatch(r"-?\d+(/\d+)?", x):
        return x
    return x if x is None else Fraction(x)


def by_input(inputs: dict[str, Any]) -> dict[str, Any]:
    """Return an input with its ties by ids as the order of its lists."""
    if inputs.get("ties") not in ("id-ascending", "id-descending"):
        return inputs
    forth = 1 if inputs["ties"] == "id-ascending" else -1
    rows = list(zip(inputs["ids"], inputs["scores"], inputs["labels"], strict=True))[::forth]
    rows.sort(key=lambda row: row[0].encode() if isinstance(row[0], str) else row[0])
    _, scores, shown = map(list, zip(*rows[::forth], strict=True))
    return {**inputs, "scores": scores, "labels": shown, "ties": "input"}


def check_back(case: dict[str, Any], text: str) -> None:
    """Raise NotProved where the text of the term does not say what the case says."""
    facts = facts_back(parsed(text))
    measure, inputs = case["measure"], case["input"]
    told = exact({**measure.get("of", measure), **by_input(inputs)})
    bound_of = exact(measure) if "of" in measure else {}
    for name in ("bounds", "lower"):
        if name in bound_of:
            told[name] = bound_of[name]
    if bound_of:
        told["bound"] = bound_of["name"]
        if facts["name"] == "IDCG":  # IUB of DCG by karmaker-2022 is written so
            facts |= {"bound": "IUB", "name": "DCG", "bounds": "karmaker-2022"}
    wrong = [name for name in told if not agrees(name, facts.get(name, MISSING), told, case)]
    if extra := [name for name in facts if name not in told and name not in IMPLIED]:
        wrong += extra
    if facts.get("judged", MISSING) is not MISSING and "judged" not in told:
        shown = told.get("labels") or [x for r in told.get("queries", []) for x in r]
        wrong += ["judged"] if sorted(facts["judged"]) != sorted(shown) else []
    if wrong:
        raise NotProved(f"{case['id']} is read back as another in: {', '.join(wrong)}\n{text}")


MISSING = object()
IMPLIED = {"judged", "bounds", "lower", "bound", "gain", "repeats"}
"""Parts of a term that a case may leave out, or says by another name."""


def agrees(  # noqa: C901, PLR0911, PLR0912 - one name after the other
    name: str, back: Any, told: dict[str, Any], case: dict[str, Any]
) -> bool:
    """True if a term says of a name what the case does."""
    value = told[name]
    if name == "k" and value is None:
        shown = told.get("labels", told.get("judged", []))
        if told.get("ideal") == "perfect" or told["name"] == "P" or told.get("norm") == "k":
            return bool(back == len(shown))
        lengths = [len(shown), len(told.get("judged", [])), *map(len, told.get("queries", []))]
        if "queries" in told and "judged" not in told and told["name"] not in ("sDCG", "sDCG_q"):
            lengths.append(sum(map(len, told["queries"])))
        return bool(back == max(lengths))
    if name == "padding" and value == "X":
        return bool(back == facts_back(parsed(written(term(case))))["k"])
    if name == "prior":
        same = {"discount": told["discount"], "uniform": {"kind": "none"}}
        return bool(back == same.get(value["kind"], value))
    if name == "Z":
        return bool(back == (value if told["k"] is not None else "none"))
    if name in ("ids", "documents"):
        return True  # ties by ids are in the order, and no repetition of a document gains less
    if name == "gain" and back is MISSING:
        return "queries" in told and not told["queries"]
    if name == "judged" and back is MISSING:
        if told.get("ideal") == "perfect" or told.get("norm") in ("k", "retrieved", "hits"):
            return True
        return bool(told["name"] in ("CG", "DCG", "LDCG", "P", "RR", "SP", "RBP", "ERR", "DCG_phi"))
    if name in ("variant", "quartiles") and told.get("points") is not None:
        return back is MISSING  # they say how points are found
    if name == "quartiles" and value == "own":
        return bool(back == ("linear" if told["variant"] == "text" else "hinges"))
    if name == "ideal" and back is MISSING:
        return bool(value == "k" and told.get("gain") == {"kind": "exp2"})
    if name == "max" and back is MISSING:
        return bool(told["stop"] is not None)
    if name in ("labels", "judged") and back is not MISSING:
        return bool(list(back) == value)
    return bool(back == value)


# ---- the cases -----------------------------------------------------------------------------


def cases(root: Path) -> Iterator[dict[str, Any]]:
    for path in sorted((root / "spec/vectors").glob("*.json")):
        content = json.loads(path.read_text("utf-8"))
        if "chapter" in content:
            for group in (*content["required"], *content["optional"]):
                yield from group["cases"]


def name_of(case: dict[str, Any]) -> str:
    measure = case["measure"]
    return (
        f"{measure['name']}({measure['of']['name']})" if "of" in measure else str(measure["name"])
    )


def bits_of(expected: Any, flip: bool) -> int:
    if not isinstance(expected, dict) or "bits" not in expected:
        raise NotTranslated("many values, or those of a run")
    return int(expected["bits"], 16) ^ flip


def goals_of(case: dict[str, Any], flip: bool = False) -> list[Goal]:
    """Return the goals of a case: one, or one for each cut-off. Raises NotTranslated."""
    expected = case["expected"]
    if isinstance(expected, dict) and "error" in expected:
        raise NotTranslated(REFUSED)
    case = all_tied(case)
    inner = case["measure"].get("of", case["measure"])
    if isinstance(inner.get("k"), list) and "of" not in case["measure"]:
        parts = [
            {**case, "measure": {**inner, "k": k}, "expected": value}
            for k, value in zip(inner["k"], expected, strict=True)
        ]
        return [goal for part in parts for goal in goals_of(part, flip)]
    bits = bits_of(expected, flip)
    text = written(term(case))
    check_back(case, text)
    return [Goal(case["id"], name_of(case), f"({text}, 0x{bits:016x}%Z)")]


Reasons = Counter[tuple[str, str]]
"""How many cases have no goal, by the reason and the measure."""


def translate(
    root: Path = HERE, ids: list[str] | None = None, flip: bool = False
) -> tuple[list[Goal], Reasons]:
    """Return the goals of all cases, and why the others have none, counted."""
    goals: list[Goal] = []
    reasons: Reasons = Counter()
    for case in cases(root):
        if not ids or case["id"] in ids:
            try:
                goals += goals_of(case, flip)
            except NotTranslated as reason:
                reasons[str(reason), name_of(case)] += 1
    return goals, reasons


def without_a_proof(reasons: Reasons) -> Iterator[str]:
    """Return lines that say which cases are not proved, and why."""
    kinds: dict[str, Counter[str]] = {}
    for (reason, measure), number in reasons.items():
        kinds.setdefault(reason, Counter())[measure] += number
    refused_inputs = kinds.pop(REFUSED, Counter())
    heads = {NO_DEFINITION: "of measures that proofs/Vectors.v lacks"}
    for reason, measures in sorted(kinds.items(), key=lambda kind: -kind[1].total()):
        head = heads.get(reason, f"without a translation: {reason}")
        listed_measures = ", ".join(f"{name} {number}" for name, number in sorted(measures.items()))
        yield f"{measures.total():5} {head}: {listed_measures}"
    yield f"{refused_inputs.total():5} have no value: the input is refused"


# ---- what is proved, and what changed ------------------------------------------------------


def by_case(goals: list[Goal]) -> dict[str, list[Goal]]:
    """Return the goals of each case, by its id."""
    cases_of: dict[str, list[Goal]] = {}
    for goal in goals:
        cases_of.setdefault(goal.id, []).append(goal)
    return cases_of


def digest(goals: list[Goal]) -> str:
    """Return what changes with the goals of a case."""
    return sha256("\n".join(goal.text for goal in goals).encode()).hexdigest()[:12]


def changed(goals: list[Goal], root: Path = HERE) -> list[Goal]:
    """Return the goals of the cases that proved.txt does not list as they are."""
    lines = set((root / PROVED).read_text("utf-8").splitlines())
    return [
        goal
        for id_, some in by_case(goals).items()
        if f"{id_} {digest(some)}" not in lines
        for goal in some
    ]


ONE_OF = 24
LONG = 1500
"""The characters of a goal that takes Coq long: its numbers have hundreds of digits."""


def share(goals: list[Goal]) -> list[Goal]:
    """Return the goals that the gate proves: the shortest of each measure, and some 1 of 24.

    Which these are say the digests, so that a case that changes is drawn anew. None is long.
    """
    shortest: dict[str, Goal] = {}
    for goal in sorted(goals, key=lambda goal: (len(goal.text), goal.id)):
        shortest.setdefault(goal.measure, goal)
    cases_drawn = (some for some in by_case(goals).values() if int(digest(some), 16) % ONE_OF == 0)
    drawn = [goal for some in cases_drawn for goal in some if len(goal.text) < LONG]
    return list(dict.fromkeys([*shortest.values(), *drawn]))


# ---- Coq -----------------------------------------------------------------------------------

HEAD = """\
From Coq Require Import List ZArith QArith.
From Rankspec Require Import Vectors.
Import ListNotations.
"""


def coqc(name: str, text: str, folder: Path) -> str:
    """Write a file of goals and compile it; return what Coq prints."""
    return prover.coqc_text(f"{name}.v", text, folder, "-w", "-all", timeout=TIMEOUT)


@contextmanager
def compiled(root: Path) -> Iterator[Path]:
    """A temporary folder in which proofs/ is compiled."""
    with tempfile.TemporaryDirectory() as temporary:
        prover.compile_all(root / "proofs", Path(temporary))
        yield Path(temporary)


def definition(goals: list[Goal]) -> str:
    """Return the beginning of a file of Coq, with the goals as cases."""
    listed_goals = ";\n  ".join(goal.text for goal in goals)
    return f"{HEAD}Definition cases : list (measure * Z) :=\n  [{listed_goals}].\n"


def refused(goals: list[Goal], folder: Path, name: str) -> list[Goal]:
    """Return the goals that the checker does not accept; of the others the kernel has a theorem."""
    source = f"{definition(goals)}Eval vm_compute in check cases.\n"
    answers = re.findall(r"\b(true|false)\b", coqc(f"{name}_checked", source, folder))
    if len(answers) != len(goals):
        raise NotProved(f"{len(answers)} answers to {len(goals)} goals")
    return [goal for goal, answer in zip(goals, answers, strict=True) if answer == "false"]


def theorem(goals: list[Goal], folder: Path, name: str) -> None:
    """Have Coq's kernel check the theorem about these goals. Raises NotProved."""
    lines = [
        "Theorem proved : Forall holds cases.",
        "Proof. apply check_sound; vm_cast_no_check (eq_refl true). Qed.",
        "Print Assumptions proved.",
    ]
    check_assumed(name, coqc(name, "\n".join([definition(goals), *lines, ""]), folder))


def check_assumed(name: str, printed: str) -> None:
    """Raise NotProved where an answer of "Print Assumptions" lists another axiom than those of
    the real numbers and of the integers of 63 bits."""
    assumed = prover.axioms(printed) - prover.ALLOWED
    if unknown := sorted(x for x in assumed if not INTEGERS.match(x)):
        raise NotProved(f"{name} assumes {', '.join(unknown)}")


def parts(goals: list[Goal]) -> Iterator[list[Goal]]:
    for first in range(0, len(goals), PART):
        yield goals[first : first + PART]


def prove(goals: list[Goal], root: Path = HERE) -> None:
    """Prove all goals. Raises NotProved, with the ids of those that are not."""
    with compiled(root) as folder:
        failed: list[Goal] = []
        for number, part in enumerate(parts(goals)):
            try:
                theorem(part, folder, f"Part{number}")
            except NotProved as error:
                some = refused(part, folder, f"Part{number}")
                if not some:
                    raise error from None
                failed += some
        if failed:
            ids = ", ".join(f"{goal.id} ({goal.measure})" for goal in failed)
            raise NotProved(f"not proved: {ids}")


def accepted(goals: list[Goal], root: Path = HERE) -> list[Goal]:
    """Return the goals that the checker accepts."""
    with compiled(root) as folder:
        failed = [
            goal
            for number, part in enumerate(parts(goals))
            for goal in refused(part, folder, f"Part{number}")
        ]
    return [goal for goal in goals if goal not in failed]


ABOUT = "# The cases that Coq proves, and a digest of each: python tools/prove_vectors.py --write"


def listed(goals: list[Goal]) -> str:
    """Return the text of proved.txt."""
    lines = (f"{id_} {digest(some)}" for id_, some in sorted(by_case(goals).items()))
    return "".join(f"{line}\n" for line in (ABOUT, *lines))


def main() -> int:
    parser = argparse.ArgumentParser(description="Prove test vectors with Coq.")
    parser.add_argument("ids", nargs="*", help="only these cases")
    parser.add_argument("--flip", action="store_true", help="flip the last bit of each double")
    parser.add_argument(
        "--write", action="store_true", help=f"prove what changed, and write {PROVED}"
    )
    parser.add_argument("--list", action="store_true", help="only say what is translated")
    arguments = parser.parse_args()
    goals, reasons = translate(ids=arguments.ids, flip=arguments.flip)
    measures = Counter(name for _, name in sorted({(goal.id, goal.measure) for goal in goals}))
    for name, count in sorted(measures.items()):
        print(f"{count:5} {name}")
    print("not proved:", *without_a_proof(reasons), sep="\n")
    if arguments.list:
        return 0
    everything = goals
    if arguments.write:
        goals = changed(goals)

    def proved() -> str:
        if not arguments.flip:
            prove(goals)
            if arguments.write:
                (HERE / PROVED).write_text(listed(everything), "utf-8")
            return f"{len(goals)} goals of {len(by_case(goals))} cases, all proved"
        if wrong := accepted(goals):
            ids = ", ".join(goal.id for goal in wrong)
            raise NotProved(f"proved with another last bit: {ids}")
        return f"{len(goals)} goals with another last bit, none proved"

    status = prover.status_of(proved)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{used.ru_utime + used.ru_stime:.0f} s of processor time")
    return status


if __name__ == "__main__":
    sys.exit(main())
