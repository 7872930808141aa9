"""Where two functions of libraries differ: files from which assets/libraries.js reads the smallest
input.

``data/libraries-world/`` has the inputs of the small world (inputs.json); a file for each library
with the answers of its functions, and what their definitions predict where they were not asked; and
pairs.json, for the pairs of which no answer in the small world differs: the smallest input of the
wider world for which their definitions predict different answers, or how many were compared.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import libraries

FOLDER = "data/libraries-world/"


def files(tree: Any) -> dict[str, str]:
    """All of them: {path: JSON}."""
    known = [Answered(tree.root, f) for f in libraries.functions(tree.root)]
    world = libraries.modules(tree.root)["world"]
    found: dict[str, Any] = {"inputs": [shown(x) for x in world.world()]}
    for f in known:
        name = f.function.library["library"]
        found.setdefault(name, {})[libraries.anchor(f.function)] = f.as_dict()
    found["pairs"] = dict(undecided(known, world.wider()))
    return {
        f"{FOLDER}{name}.json": json.dumps(x, separators=(",", ":")) for name, x in found.items()
    }


def shown(x: Any) -> list[Any]:
    """An input as a list; the names of its items, by which equal scores may be ordered, last."""
    return [x.labels, x.scores, x.unseen, x.k, *([x.names] if x.tied else [])]


class Answered:
    """A function with its answers in the small world, and its predictions where it has none.

    answers: None where it cannot be asked; predicted: the numbers of those that are predictions
    """

    def __init__(self, root: Any, function: Any) -> None:
        self._modules = libraries.modules(root)
        self.function = function
        self.near = nearness(function.data["held_out"]["precision"])
        self.answers = [rounded(x) for x in function.data["world"]]
        self.predicted: list[int] = []
        self._memory: dict[Any, Any] = {}
        for number, x in enumerate(self._modules["world"].world()):
            if self.answers[number] is None:
                self.answers[number] = self.predict(x)
                if self.answers[number] is not None:
                    self.predicted.append(number)

    @property
    def key(self) -> str:
        """What a pair is named by."""
        return f"{self.function.library['library']}#{libraries.anchor(self.function)}"

    def as_dict(self) -> dict[str, Any]:
        """What is read in the browser."""
        found = {"name": self.function.key, "near": self.near, "answers": self.answers}
        return found | ({"predicted": self.predicted} if self.predicted else {})

    def predict(self, x: Any) -> Any:
        """What the definition says; None where the function cannot be asked, or it is open."""
        if x not in self._memory:
            self._memory[x] = self._predicted(x)
        return self._memory[x]

    def _predicted(self, x: Any) -> Any:
        definition = self.function.definition
        said = self._modules["world"].as_said(x, self.function.domain) if definition else None
        found = definition.predict(said) if said is not None else None
        short = self._modules["answers"].short
        return rounded(short(found)) if hasattr(found, "kind") else None  # else one of several


def undecided(known: list[Answered], wider: list[Any]) -> Iterator[tuple[str, Any]]:
    """Of each pair whose answers in the small world agree, what their definitions say beyond."""
    for f, g in combinations(known, 2):
        near = max(f.near, g.near)
        if not any(map(differ, f.answers, g.answers, [near] * len(f.answers))):
            yield f"{f.key}|{g.key}", beyond(f, g, near, wider)


def beyond(f: Answered, g: Answered, near: float, wider: list[Any]) -> Mapping[str, Any]:
    """The smallest input of the wider world on which two definitions differ, or their number."""
    if f.function.definition is None or g.function.definition is None:
        return {"unknown": 1}
    compared = 0
    for x in wider:
        a, b = f.predict(x), g.predict(x)
        if differ(a, b, near):
            return {"input": shown(x), "predicted": [a, b]}
        compared += a is not None and b is not None
    return {"compared": compared}


def differ(a: Any, b: Any, near: float) -> bool:
    """Whether two answers differ; the page has the same in JavaScript."""
    if a is None or b is None:
        return False
    if isinstance(a, str) or isinstance(b, str):
        return bool(a != b)
    return bool(abs(a - b) > near * max(1, abs(a)))


def rounded(x: Any) -> Any:
    """An answer with as many digits as are shown."""
    return round(x, 6) if isinstance(x, float) else x


def nearness(precision: str) -> float:
    """How far apart answers of that precision may be before they differ."""
    digits = precision.split(" ", maxsplit=1)[0]
    return 2.0 * 10 ** -int(digits) if digits.isdigit() else {"float16": 2e-3}.get(precision, 2e-5)
