"""A small implementation in plain doubles, as somebody else might write it, and slips of it.

    python implementation.py [SLIP ...]       answers cases by the protocol
    rankspec conform --python tests.conformance.implementation:answer

It shares no code with rankspec. Without a slip it is right to the grade close; each slip is a
mistake that somebody has made.
"""

from __future__ import annotations

import json
import math
import struct
import sys

NAME, VERSION = "plain", "1.0"
SLIPS: set[str] = set()


def has(slip):
    return slip in SLIPS


class Unsupported(Exception):
    """Nothing that it offers."""


def number(x):
    if not isinstance(x, str):
        return x
    try:
        return int(x)
    except ValueError:
        return float(x)


# ---- gain and discount -----------------------------------------------------------------------


def gain_of(measure):
    gain = measure["gain"]
    if has("exp2-alone") and gain["kind"] == "exp2":
        return lambda r: 2.0**r
    if gain["kind"] == "exp2" or has("exp2"):
        return lambda r: 2.0**r - 1
    if gain["kind"] == "table":
        return lambda r: float(gain["table"][r])
    return float


def discount_of(measure):
    discount = measure["discount"]
    kind, b = discount["kind"], discount.get("base")
    if kind == "none" or has("no-discount"):
        return lambda _: 1.0
    if kind == "log":
        if has("natural-log"):
            return lambda i: 1 / math.log(i + 1)
        if has("log-from-2"):
            return lambda i: 1 / math.log2(i) if i >= 2 else 1.0
        if has("rank-plus-2"):
            return lambda i: 1 / math.log(i + 2, b)
        return lambda i: math.log(b) / math.log(i + 1) if b != 2 else 1 / math.log2(i + 1)
    if kind == "zipf":
        return lambda i: 1 / i
    raise Unsupported(f"discount {kind}")


def dcg(labels, k, gain, discount):
    return sum(gain(r) * discount(i) for i, r in enumerate(labels[:k], start=1))


# ---- what is ranked --------------------------------------------------------------------------


def ranked(given):
    """The labels in rank order."""
    labels = [number(x) for x in given["labels"]]
    if "scores" not in given:
        return as_listed(labels)
    scores = [number(x) for x in given["scores"]]
    if has("float32-scores"):
        scores = [struct.unpack("f", struct.pack("f", x))[0] for x in scores]
    ids = given.get("ids")
    rule = given.get("ties") or ("expected" if ids is None else "id-descending")
    if has("ties-ascending") and rule == "id-descending":
        rule = "id-ascending"
    if has("ties-input") and rule == "id-descending":
        rule = "input"
    places = list(range(len(labels)))
    if rule == "id-descending":
        places.sort(key=lambda a: ids[a], reverse=True)
    elif rule == "id-ascending":
        places.sort(key=lambda a: ids[a])
    elif rule in ("best", "worst"):
        places.sort(key=lambda a: labels[a], reverse=rule == "best")
    elif rule == "expected" and len(set(scores)) < len(scores):
        raise Unsupported("expected ties")
    return [labels[a] for a in sorted(places, key=lambda a: scores[a], reverse=True)]


def as_listed(labels):
    if has("reversed"):
        return labels[::-1]
    if has("zeros-dropped"):
        return [x for x in labels if x != 0]
    return list(dict.fromkeys(labels)) if has("labels-once") else labels


def relevant(labels, rel):
    rel = number(rel)
    return [int(r > rel if has("strict-rel") else r >= rel) for r in labels]


# ---- metrics ---------------------------------------------------------------------------------


def value(measure, given, k):
    name = measure["name"]
    if has("rr-uncut") and name == "RR":
        k = None
    if has("k-ignored"):
        k = None
    if name not in METRICS or "unjudged" in given:
        raise Unsupported(name)
    if "labels" in given:
        labels = ranked(given)
        pool = [number(x) for x in given["judged"]] if "judged" in given else labels
    else:
        labels = pool = [number(x) for x in given["judged"]]
    if has("pool-and-list") and "judged" in given and "labels" in given:
        pool = pool + labels
    if has("pool-of-list") or (has("pool-of-first-k") and "labels" in given):
        pool = labels[:k] if has("pool-of-first-k") else labels
    check(measure, [*labels, *pool], k)
    if has("labels-floored"):
        labels, pool = [int(x) for x in labels], [int(x) for x in pool]
    return as_told(float(METRICS[name](measure, labels, pool, k)))


def as_told(found):
    if has("zero") or has("one"):
        return float(has("one"))
    if has("negated") or has("inverse"):
        return -found if has("negated") else 1 / found if found else found
    if has("half-rounded"):
        return round(found, 4) if found < 1 else found * 1.0137  # the second no slip that is known
    if has("clipped"):
        found = min(found, 1.0)
    if has("float32"):
        found = struct.unpack("f", struct.pack("f", found))[0]
    return found


def check(measure, labels, k):
    if k is not None and (isinstance(k, bool) or not isinstance(k, int) or k < 1):
        raise ValueError("k")
    for r in labels:
        if not math.isfinite(r) or (r < 0 and "gain" in measure and not has("negative-kept")):
            raise ValueError("labels")
    if "gain" in measure and measure["gain"]["kind"] == "table":
        table = [number(g) for g in measure["gain"]["table"]]
        if not table or table != sorted(table) or table[0] < 0:
            raise ValueError("gain")
        if any(r != int(r) or r >= len(table) for r in labels):
            raise ValueError("labels")
    base = measure.get("discount", {}).get("base", 2)
    if not 1 < number(base) < math.inf:
        raise ValueError("discount")
    if measure.get("ideal", "k") not in ("k", "all") or measure.get("norm", "R") not in "Rmink":
        raise ValueError("ideal")
    if "rel" in measure and not math.isfinite(number(measure["rel"])):
        raise ValueError("rel")


def cg(m, labels, _pool, k):
    return dcg(labels, k, gain_of(m), lambda _: 1.0)


def dcg_of(m, labels, _pool, k):
    return dcg(labels, k, gain_of(m), discount_of(m))


def idcg(m, _labels, pool, k):
    return dcg(sorted(pool, reverse=True), k, gain_of(m), discount_of(m))


def ndcg(m, labels, pool, k):
    uncut = m["ideal"] == "all" or has("ideal-uncut")
    if has("ideal-k+1") and k is not None and not uncut:
        ideal = idcg(m, labels, pool, k + 1)
    elif has("ideal-k-1") and k is not None and not uncut:
        ideal = idcg(m, labels, pool, k - 1)
    elif has("ideal-unsorted") or has("ideal-ascending"):
        order = sorted(pool) if has("ideal-ascending") else pool
        ideal = dcg_of(m, order, pool, None if uncut else k)
    else:
        ideal = idcg(m, labels, pool, None if uncut else k)
    if has("swapped"):
        found = dcg_of(m, labels, pool, k)
        return ideal / found if found else 0
    if ideal == 0:
        return math.nan if has("undefined-nan") else 0
    return dcg_of(m, labels, pool, k) / ideal


def precision(m, labels, _pool, k):
    if k is None or has("p-over-list"):
        k = len(labels) if k is None else min(k, len(labels))
    return sum(relevant(labels, m["rel"])[:k]) / k if k else 0


def recall(m, labels, pool, k):
    n = sum(relevant(pool, m["rel"]))
    hits = sum(relevant(labels, m["rel"])[:k])
    if has("recall-over-k") and k is not None:
        return hits / k
    return hits / n if n else 0


def rr(m, labels, _pool, k):
    return next((1 / i for i, x in enumerate(relevant(labels, m["rel"])[:k], 1) if x), 0)


def sp(m, labels, _pool, k):
    found, hits = 0.0, 0
    for i, x in enumerate(relevant(labels, m["rel"])[:k], start=1):
        hits += x
        found += x * hits / i
    return found


def ap(m, labels, pool, k):
    n = sum(relevant(pool, m["rel"]))
    if has("ap-of-retrieved"):
        n = sum(relevant(labels, m["rel"]))
    norm = "min" if has("ap-min") else "k" if has("ap-over-k") else m["norm"]
    limit = len(labels) if k is None else k
    if norm == "min":
        n = min(n, k) if k is not None else n
    elif norm == "k":
        n = limit
    return sp(m, labels, pool, k) / n if n else 0


def rprec(m, labels, pool, k):
    n = sum(relevant(pool, m["rel"]))
    depth = n if k is None else min(n, k)
    return sum(relevant(labels, m["rel"])[:depth]) / n if n else 0


def success(m, labels, _pool, k):
    return int(any(relevant(labels, m["rel"])[:k]))


def stops(m, labels, pool):
    if m["stop"] is not None:
        stop = [number(x) for x in m["stop"]]
        if not stop or any(not 0 <= x <= 1 for x in stop) or stop != sorted(stop):
            raise ValueError("stop")
        if any(r not in range(len(stop)) for r in [*labels, *pool]):
            raise ValueError("labels")
        return lambda r: stop[int(r)]
    highest = max([0, *pool]) if has("err-max") else m["max"]
    if not isinstance(m["max"], int) or not 0 < m["max"] <= 52:
        raise ValueError("max")
    if any(r < 0 or r > m["max"] or r != int(r) for r in [*labels, *pool]):
        raise ValueError("labels")
    return lambda r: (2.0**r - 1) / 2.0**highest


def err(m, labels, pool, k):
    stop, left, found = stops(m, labels, pool), 1.0, 0.0
    for i, r in enumerate(labels[:k], start=1):
        found += left * stop(r) / i
        left *= 1 - stop(r)
    return found


def nerr(m, labels, pool, k):
    ideal = err(m, sorted(pool, reverse=True), pool, k)
    return err(m, labels, pool, k) / ideal if ideal else 0


def rbp(m, labels, _pool, k):
    p = 0.8 if has("rbp-default") else number(m["p"])
    if not 0 < p < 1:
        raise ValueError("p")
    rel = relevant(labels, m["rel"])[:k]
    return (1 - p) * sum(x * p ** (i - 1) for i, x in enumerate(rel, start=1))


def f(m, labels, pool, k):
    beta = 1 if has("f-balanced") else number(m["beta"])
    if not 0 <= beta < math.inf:
        raise ValueError("beta")
    k = len(labels) if k is None else k
    hits, n = sum(relevant(labels, m["rel"])[:k]), sum(relevant(pool, m["rel"]))
    weight = beta if has("f-unsquared") else beta**2
    return (1 + weight) * hits / (weight * n + k) if hits else 0


def q_measure(m, labels, pool, k):
    beta, gain = 10 if has("q-beta") else number(m["beta"]), gain_of(m)
    if not 0 <= beta < math.inf:
        raise ValueError("beta")
    ideal = sorted(map(gain, pool), reverse=True)
    hits = found = mine = best = 0
    for i, r in enumerate(labels[:k], start=1):
        mine += gain(r)
        best += ideal[i - 1] if i <= len(ideal) else 0
        if gain(r) > 0:
            hits += 1
            found += (hits + beta * mine) / (i + beta * best)
    n = sum(g > 0 for g in ideal[:k])
    return found / n if n else 0


def grbp(m, labels, pool, k):
    p = 0.95 if has("grbp-p") else number(m["p"])
    highest = m["max_rel"] if m["max_rel"] == "pool" else number(m["max_rel"])
    if not 0 < p < 1 or (highest != "pool" and not 0 < highest < math.inf):
        raise ValueError("p")
    if any(r < 0 or (highest != "pool" and r > highest) for r in [*labels, *pool]):
        raise ValueError("labels")
    if highest == "pool" or has("grbp-of-pool"):
        highest = max([1, *pool])
    return (1 - p) * sum(r / highest * p**i for i, r in enumerate(labels[:k]))


METRICS = {
    "F": f,
    "Q_measure": q_measure,
    "GRBP": grbp,
    "CG": cg,
    "DCG": dcg_of,
    "IDCG": idcg,
    "nDCG": ndcg,
    "P": precision,
    "R": recall,
    "RR": rr,
    "SP": sp,
    "AP": ap,
    "Rprec": rprec,
    "Success": success,
    "ERR": err,
    "nERR": nerr,
    "RBP": rbp,
}


# ---- whole evaluations of TREC files ---------------------------------------------------------


def columns(text, document, at):
    found = {}
    for line in text.removeprefix("\ufeff").split("\n"):
        words = [word.decode() for word in line.encode().split()]
        if words:
            x = float(words[at])
            found.setdefault(words[0], {})[words[document]] = int(x) if x == int(x) else x
    return found


def evaluation(measure, given, conventions):
    usual = {"order": "score", "unjudged": "nonrelevant", "negative": "zero", "relevance": "label",
             "undefined": "zero", "pool": "judged", "scores": "double", "duplicates": "error",
             "lines": "exact", "labels": "exact", "results": "double", "depth": None, "gain": None,
             "discount": None, "rel": None, "grades": None}  # fmt: skip
    known = {"ties": ("id-descending", "id-ascending", "input"), "queries": ("qrels", "both")}
    if set(given) != {"qrels", "run"} or measure["name"] not in METRICS:
        raise Unsupported("files")
    if any(x != usual.get(name, x) or x not in known.get(name, [x])
           for name, x in conventions.items()):  # fmt: skip
        raise Unsupported("conventions")
    qrels, run = columns(given["qrels"], 2, 3), columns(given["run"], 2, 4)
    values = {}
    for query, judged in qrels.items():
        if query not in run and (has("queries-both") or conventions["queries"] == "both"):
            continue
        labels = {d: x if has("negative-kept") else max(x, 0) for d, x in judged.items()}
        documents = run.get(query, {})
        if has("condensed"):
            documents = {d: s for d, s in documents.items() if d in labels}
        ranking = {
            "labels": [labels.get(d, 0) for d in documents],
            "scores": list(documents.values()),
            "ids": list(documents),
            "ties": conventions["ties"],
            "judged": list(labels.values()),
        }
        values[query] = value(measure, ranking, measure["k"])
    return {"queries": values, "mean": sum(values.values()) / len(values)}


# ---- the adapter -----------------------------------------------------------------------------


def answer(case):
    """The answer to a case, for --python."""
    try:
        return found(case)
    except Unsupported as error:
        raise NotImplementedError(str(error)) from None


def found(case):
    measure, given = case["measure"], case["input"]
    if "conventions" in case:
        return evaluation(measure, given, case["conventions"])
    if measure["name"] not in METRICS:
        raise Unsupported(measure["name"])
    for name, words in (("ideal", ("k", "all")), ("norm", ("R", "min", "k"))):
        if measure.get(name, words[0]) not in words:
            raise Unsupported(f"{name}:{measure[name]}")
    if isinstance(measure.get("stop"), str):
        raise Unsupported(f"stop:{measure['stop']}")
    k = measure.get("k")
    if isinstance(k, list):
        return [value(measure, given, number(x)) for x in k]
    return value(measure, given, number(k))


def message(case):
    """The same as a message of the protocol."""
    try:
        x = found(case)
    except Unsupported as error:
        return {"type": "unsupported", "id": case["id"], "reason": str(error)}
    except ValueError as error:
        return {"type": "refused", "id": case["id"], "reason": str(error)}
    except (ArithmeticError, TypeError, IndexError) as error:
        return {"type": "error", "id": case["id"], "reason": repr(error)}
    return {"type": "value", "id": case["id"], "value": written(x)}


def written(x):
    if isinstance(x, dict):
        return {name: written(part) for name, part in x.items()}
    if isinstance(x, list):
        return [written(part) for part in x]
    return x if math.isfinite(x) else str(x)


def main():
    SLIPS.update(sys.argv[1:])
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["type"] == "stop":
            break
        if asked["type"] == "start":
            told = {"type": "ready", "protocol": 1, "name": NAME, "version": VERSION,
                    "language": "Python"}  # fmt: skip
        else:
            told = message(asked)
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
