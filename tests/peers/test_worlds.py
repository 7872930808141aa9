"""The random worlds hold what the programs differ in, so that an agreement means something."""

from __future__ import annotations

from collections import Counter
from ctypes import c_float

from .worlds import SEEDS, World, world


def _happens(made: World) -> Counter[str]:
    seen: Counter[str] = Counter()
    for query, scored in made.run.items():
        judged = made.qrels.get(query, {})
        doubles = set(scored.values())
        floats = {c_float(score).value for score in doubles}
        seen["not in the qrels"] += not judged
        seen["tied"] += len(doubles) < len(scored)
        seen["tied as floats only"] += len(floats) < len(doubles)
        seen["unjudged"] += not scored.keys() <= judged.keys()
        seen["relevant, not retrieved"] += any(x > 0 for d, x in judged.items() if d not in scored)
        seen["negative, retrieved"] += any(judged.get(d, 0) < 0 for d in scored)
        seen["one document"] += len(scored) == 1
    for query, judged in made.qrels.items():
        seen["not in the run"] += query not in made.run
        seen["nothing relevant"] += max(judged.values()) == 0
        seen["the highest label"] += 4 in judged.values()
    return seen


def test_everything_happens_often() -> None:
    seen = sum((_happens(world(seed)) for seed in SEEDS), Counter())
    assert min(seen.values()) >= 10, seen
    assert len(seen) == 10
