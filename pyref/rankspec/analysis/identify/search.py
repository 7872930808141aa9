"""The search: which definitions are left after questions that are chosen to divide them.

First whether the answers are a function of the input at all; then the measure, by inputs that every
definition has a value for; then each choice, by inputs that tell its values apart; what may end a
process comes last. Spec: RS-IDF-3.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product

from . import probes
from .asked import Asked, Unexplained
from .choices import BY_NAME
from .computed import Core
from .definition import Definition, plain
from .hypotheses import cores
from .inputs import Domain, Input
from .outcomes import DECIMALS, DOUBLE, FLOAT16, FLOAT32, VALUE, precision_of, same, sort_of

Patch = Mapping[str, str]

FIRST = 16  # ordinary questions before definitions are looked at
MOST_A_STAGE = 14
FEWEST_A_STAGE = 3
MOST_UNEXPLAINED = 3
MOST_MEMBERS = 160
CONSIDERED = 40  # questions, when one is chosen


@dataclass(frozen=True)
class Stage:
    """The choices that are found together, and the questions that tell their values.

    last: values that explain nearly everything, tried where no other does
    """

    names: tuple[str, ...]
    questions: Callable[[Domain], list[Input]]
    last: tuple[str, ...] = ()


STAGES = (
    Stage(("beyond",), probes.beyond),
    Stage(("ties",), probes.tied, ("some order", "random")),
    Stage(("scores",), probes.close_scores),
    Stage(("fractions",), probes.fractions),
    Stage(("negative",), probes.negative),
    Stage(("unjudged",), probes.unjudged),
    Stage(("undefined", "undefined by"), probes.nothing),
    Stage(("long ties",), probes.tied_long, ("some order",)),
    Stage(("empty",), probes.empty),
    Stage(("k=0",), probes.without_cutoff),
)
SLIPS = ("cut", "scale")
"""The choices that are looked at only where no definition without them is left."""


@dataclass
class Found:
    """What the search has found.

    definitions: those that are left, the plainest first; none: no definition explains the answers
    alternatives: {name of a core: [values of choices that its definition could have as well]}
    unexplained: what no definition explains; nearest: definitions and how many answers each gives
    said: the choices that were asked about; determined: whether the same question has one answer
    """

    definitions: list[Definition] = field(default_factory=list)
    alternatives: dict[str, list[list[Patch]]] = field(default_factory=dict)
    unexplained: list[Unexplained] = field(default_factory=list)
    nearest: list[tuple[Definition, int, int]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    determined: bool = True
    random_ties: bool = False
    members: list[Definition] = field(default_factory=list)


def search(asked: Asked, domain: Domain, world: Sequence[Input] | None = None) -> Found:
    """The definitions that explain a black box.

    world: the inputs on which the members of the class are held against each other
    """
    found = Found()
    ordinary = probes.ordinary(domain)
    _determinism(asked, found, ordinary, probes.tied(domain))
    if not found.determined:
        return found
    _measure(asked, found, domain, ordinary)
    if not found.definitions:
        return found
    for stage in STAGES:
        if not asked.tired:
            _settle(asked, found, domain, stage)
    found.definitions.sort(key=lambda d: d.cost)
    _separate(asked, found, domain, world)
    _verify(asked, found, domain)
    _output(asked, found)
    return found


# ---- whether it is a function ------------------------------------------------------------


def _determinism(
    asked: Asked, found: Found, ordinary: Sequence[Input], tied: Sequence[Input]
) -> None:
    """Ask the same twice, in another order."""
    once = [*ordinary[:6], *tied[:8]]
    answers = {x: asked.ask(x, "determinism") for x in once}
    for x in reversed(once):
        if not same([answers[x], asked.again(x), asked.again(x)]):
            asked.varying.append(x)
    found.determined = not any(x in asked.varying for x in ordinary[:6])
    found.random_ties = found.determined and bool(asked.varying)


# ---- which measure -----------------------------------------------------------------------


def _measure(asked: Asked, found: Found, domain: Domain, ordinary: Sequence[Input]) -> None:
    answers = [(x, asked.ask(x, "measure")) for x in ordinary[:FIRST]]
    asked.precision = precision_of(a for _, a in answers)
    numbers = [(x, a) for x, a in answers if a.kind == VALUE]
    if not numbers:
        found.unexplained += [Unexplained("measure", x, a, "a number") for x, a in answers[:3]]
        return
    candidates = cores()
    for patches in _readings(domain):
        left = [
            plain(core).with_(patch)
            for core in candidates
            for patch in patches
            if core.of_pool or patch.get("pool", "judged") == "judged"
        ]
        for step, (x, answer) in enumerate(numbers):
            before, left = len(left), asked.left(left, x, answer)
            _note(asked, x, before, len(left))
            if not left:
                break
            if step == 0:
                left.sort(key=lambda d: d.cost)
        if left:
            break
    if not left:
        _nearest(found, asked, candidates, domain, numbers)
        return
    found.definitions = _narrowed(asked, found, left, ordinary[FIRST:], "measure")
    found.said += ["pool", *(n for n in SLIPS if _chosen(found, n) != BY_NAME[n].default)]


def _chosen(found: Found, name: str) -> str:
    return found.definitions[0].choices[name]


def _readings(domain: Domain) -> Iterator[list[Patch]]:
    """The values of choices that matter to ordinary inputs: plain ones first, then slips."""
    pools = ["judged", "first k"] + ["retrieved"] * domain.pool
    cuts = ["k", "n"] if domain.pool and domain.cutoff == "optional" else ["k"]
    plainly: list[Patch] = [{"pool": p, "beyond": c} for p in pools for c in cuts]
    yield plainly
    yield [
        {**patch, name: value}
        for patch in plainly
        for name in SLIPS
        for value in list(BY_NAME[name].values)[1:]
    ]


def _note(asked: Asked, x: Input, before: int, after: int) -> None:
    step = next((s for s in asked.steps if s.input == x), None)
    if step is not None:
        step.before, step.after = max(step.before, before), after


def _nearest(
    found: Found,
    asked: Asked,
    candidates: Sequence[Core],
    domain: Domain,
    numbers: Sequence[tuple[Input, object]],
) -> None:
    """The definitions that give the most of the answers, and what the first does not give."""
    counts = []
    for core, patch in product(candidates, next(_readings(domain))):
        if core.of_pool or patch["pool"] == "judged":
            d = plain(core).with_(patch)
            hits = sum(bool(asked.left([d], x, a)) for x, a in numbers)  # type: ignore[arg-type]
            counts.append((hits, d))
    counts.sort(key=lambda pair: (-pair[0], pair[1].cost))
    found.nearest = [(d, hits, len(numbers)) for hits, d in counts[:3]]
    first = counts[0][1]
    for x, _ in numbers:
        answer = asked.known[x]
        if not asked.left([first], x, answer):
            found.unexplained.append(Unexplained("measure", x, answer, str(first.predict(x))))
            if len(found.unexplained) == MOST_UNEXPLAINED:
                break


# ---- questions that divide ---------------------------------------------------------------


def entropy(definitions: Sequence[Definition], x: Input, asked: Asked) -> float:
    """How many bits the answer to a question tells, all definitions being as probable."""
    sorts = Counter(sort_of(d.predict(x), asked.precision) for d in definitions)
    n = len(definitions)
    return sum(c / n * math.log2(n / c) for c in sorts.values())


def _narrowed(
    asked: Asked,
    found: Found,
    definitions: list[Definition],
    questions: Sequence[Input],
    stage: str,
    fewest: int = FEWEST_A_STAGE,
) -> list[Definition]:
    """The definitions that are left when no question divides them any more."""
    open_ = list(questions)
    unexplained: list[Unexplained] = []
    for count in range(MOST_A_STAGE):
        if not open_ or asked.tired:
            break
        sample = definitions[:: max(1, len(definitions) // 200)]
        best, x = max(
            ((entropy(sample, x, asked), -a) for a, x in enumerate(open_[:CONSIDERED])),
            default=(0.0, 0),
        )
        if best == 0 and count >= fewest:
            break
        chosen = open_.pop(-x)
        answer = asked.ask(chosen, stage)
        left = asked.left(definitions, chosen, answer)
        _note(asked, chosen, len(definitions), len(left))
        if left:
            definitions = left
            continue
        predicted = str(definitions[0].predict(chosen))
        unexplained.append(Unexplained(stage, chosen, answer, predicted))
        if len(unexplained) == MOST_UNEXPLAINED:
            break
    found.unexplained += unexplained
    return definitions


# ---- the choices -------------------------------------------------------------------------


def _settle(asked: Asked, found: Found, domain: Domain, stage: Stage) -> None:
    """Find the values of a stage's choices."""
    questions = [x for x in stage.questions(domain) if domain.takes(x)]
    if not questions:
        return
    found.said += stage.names
    if stage.names == ("ties",) and found.random_ties:
        found.definitions = [d.with_({"ties": "random"}) for d in found.definitions]
        return
    first = _values(stage, domain, last=False)
    before = len(found.unexplained)
    definitions = _tried(asked, found, stage, first, questions)
    if len(found.unexplained) > before and stage.last:
        others = [d.with_({stage.names[0]: stage.last[0]}) for d in found.definitions]
        for step in asked.steps:
            if step.stage == stage.names[0]:
                others = asked.left(others, step.input, step.answer)
        if others:
            del found.unexplained[before:]
            definitions = others
    _keep(found, definitions, stage)


def _values(stage: Stage, domain: Domain, last: bool) -> list[Patch]:
    """What the choices of a stage can be."""
    known = [
        [x for x in BY_NAME[name].values if last or x not in stage.last] for name in stage.names
    ]
    if stage.names == ("ties",) and not domain.named:
        known = [[x for x in known[0] if not x.startswith("id-")]]
    return [dict(zip(stage.names, values, strict=True)) for values in product(*known)]


def _tried(
    asked: Asked, found: Found, stage: Stage, patches: Sequence[Patch], questions: Sequence[Input]
) -> list[Definition]:
    definitions = [
        d.with_(patch)
        for d in found.definitions
        for patch in patches
        if _fits(d.core, patch.get("ties", d.choices["ties"]))
    ]
    return _narrowed(asked, found, definitions, questions, stage.names[0])


def _fits(core: Core, ties: str) -> bool:
    return ties == core.ties if core.ties else ties != "threshold"


def _keep(found: Found, definitions: Iterable[Definition], stage: Stage) -> None:
    """Of each core the plainest definition that is left; the others are alternatives."""
    by_core: dict[tuple[object, ...], list[Definition]] = {}
    for d in definitions:
        rest = tuple(x for n, x in d.choices.items() if n not in stage.names)
        by_core.setdefault((id(d.core), rest), []).append(d)
    found.definitions = []
    for those in by_core.values():
        those.sort(key=lambda d: d.cost)
        found.definitions.append(those[0])
        others: list[Patch] = [{n: d.choices[n] for n in stage.names} for d in those]
        found.alternatives.setdefault(those[0].core.name, []).append(others)


# ---- the class ---------------------------------------------------------------------------


def members(found: Found, most: int = MOST_MEMBERS) -> list[Definition]:
    """The definitions that no question has divided: each core with all values of its choices."""
    left: dict[tuple[object, ...], Definition] = {}
    share = max(4, most // max(1, len(found.definitions)))
    for d in found.definitions:
        for patches in islice(product(*found.alternatives.get(d.core.name, [])), share):
            merged: dict[str, str] = {}
            for patch in patches:
                merged.update(patch)
            member = d.with_(merged)
            left.setdefault((id(member.core), member.values), member)
    return sorted(left.values(), key=lambda d: d.cost)[:most]


def _separate(asked: Asked, found: Found, domain: Domain, world: Sequence[Input] | None) -> None:
    """Ask whatever divides the members of the class still."""
    left = members(found)
    questions = list(probes.mixed(domain, 60, 20)) if world is None else list(world)
    for x in questions:
        if len(left) == 1:
            break
        if len({sort_of(d.predict(x), asked.precision) for d in left}) > 1:
            kept = asked.left(left, x, asked.ask(x, "separation"))
            _note(asked, x, len(left), len(kept))
            left = kept or left
    found.members = left
    names = {id(d.core) for d in left}
    found.definitions = [d for d in found.definitions if id(d.core) in names]
    if (
        left[0].values != found.definitions[0].values
        or left[0].core is not found.definitions[0].core
    ):
        found.definitions = [left[0], *(d for d in found.definitions if d.core is not left[0].core)]


def _verify(asked: Asked, found: Found, domain: Domain) -> None:
    """Hold the definition against inputs of all kinds."""
    first = found.definitions[0]
    for x in probes.mixed(domain, 40, 21):
        if asked.tired:
            return
        answer = asked.ask(x, "verification")
        if not asked.left([first], x, answer):
            found.unexplained.append(Unexplained("verification", x, answer, str(first.predict(x))))


def _output(asked: Asked, found: Found) -> None:
    """The precision that all answers have and not all predictions: the coarsest such."""
    first = found.definitions[0]
    pairs = []
    for x, answer in asked.known.items():
        predicted = first.predict(x)
        if answer.kind == VALUE and getattr(predicted, "kind", "") == VALUE:
            pairs.append((answer.value, predicted.value))  # type: ignore[union-attr]
    for known in (*DECIMALS, FLOAT16, FLOAT32):
        rounded = all(known.rounded(a) == a for a, _ in pairs)
        if rounded and not all(DOUBLE.near(known.rounded(p), p) for _, p in pairs):
            patch = {"output": known.name}
            found.definitions = [d.with_(patch) for d in found.definitions]
            found.members = [d.with_(patch) for d in found.members]
            break
    found.said.append("output")
