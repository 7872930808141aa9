"""The search: which definitions are left after questions that are chosen to divide them.

First whether the answers are a function of the input at all; then the measure, by inputs that every
definition has a value for; then each choice, by inputs that tell its values apart; what may end a
process comes last. Spec: RS-IDF-3.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product

from . import averages, probes
from .asked import Asked, Unexplained
from .choices import BY_NAME
from .computed import Core
from .definition import OPEN, Definition, plain
from .estimates import estimated
from .hypotheses import cores, with_threshold, with_thresholds
from .inputs import Domain, Input
from .outcomes import (
    DEATHS,
    DECIMALS,
    DOUBLE,
    FLOAT16,
    FLOAT32,
    TIMEOUT,
    VALUE,
    Open,
    Outcome,
    Precision,
    agrees,
    precision_of,
    same,
    sort_of,
)
from .thresholds import STAGE as THRESHOLD
from .thresholds import threshold

Patch = Mapping[str, str]

FIRST = 16  # ordinary questions before definitions are looked at
TOPS = (3, 5, 10)
"""The highest labels of ordinary questions: the next where no answer differs from another."""

MOST_A_STAGE = 14
FEWEST_A_STAGE = 3
MOST_UNEXPLAINED = 3
MOST_MEMBERS = 160
CONSIDERED = 40  # questions in a row, when one is chosen


@dataclass(frozen=True)
class Stage:
    """The choices that are found together, and the questions that tell their values.

    last: values that explain nearly everything, tried where no other does
    fits: whether values of the choices are tried together, in a domain
    """

    names: tuple[str, ...]
    questions: Callable[[Domain], list[Input]]
    last: tuple[str, ...] = ()
    fits: Callable[[Domain, Patch], bool] = lambda *_: True


def _labels_read(domain: Domain, patch: Patch) -> bool:
    """Without negative labels, or items without a judgment, there is the default alone.

    Negative labels that are no judgment may leave the list where no other item does.
    """
    negative, unjudged = patch["negative"], patch["unjudged"]
    if not domain.negative and negative != BY_NAME["negative"].default:
        return False
    plain_ = domain.unjudged or negative == "unjudged"
    return plain_ or unjudged == BY_NAME["unjudged"].default


def _divisor_can_be(domain: Domain, patch: Patch) -> bool:
    """Without negative labels no divisor is below 0."""
    return domain.negative or patch["undefined by"] != "not above 0"


def _not_by_score(_: Domain, patch: Patch) -> bool:
    return patch["order"] != "score"


STAGES = (
    Stage(("order",), probes.ranked, fits=_not_by_score),
    Stage(("one item",), probes.one_item),  # before others ask about such lists
    Stage(("beyond",), probes.beyond),
    Stage(("ties",), probes.tied, ("some order", "random")),
    Stage(("scores",), probes.close_scores),
    Stage(("fractions",), probes.fractions),
    Stage(("negative", "unjudged"), probes.unread, fits=_labels_read),
    Stage(("undefined", "undefined by"), probes.nothing, fits=_divisor_can_be),
    Stage(("long ties",), probes.tied_long, ("some order",)),
    Stage(("nothing judged",), probes.nothing_judged),
    Stage(("empty",), probes.empty),
    Stage(("k=0",), probes.without_cutoff),
)
SLIPS = ("cut", "scale", "order")
"""The choices that are looked at only where no definition without them is left."""


@dataclass(frozen=True)
class Branch:
    """A definition that is left, the plainest of those that the stages have not divided.

    open: of each stage the values that its choices can have
    """

    definition: Definition
    open: Mapping[str, Sequence[Patch]] = field(default_factory=dict)

    def members(self, most: int) -> Iterator[Definition]:
        """The definitions that it stands for: each value of a choice alone, then with others."""
        for patches in self.open.values():
            yield from map(self.definition.with_, patches)
        for chosen in islice(product(*self.open.values()), most):
            merged: dict[str, str] = {}
            for patch in chosen:
                merged.update(patch)
            yield self.definition.with_(merged)


@dataclass
class Found:
    """What the search has found.

    branches: what is left, the plainest definition first; none: no definition explains the answers
    members: the class, all definitions that no question has divided, the plainest first
    unexplained: what no definition explains; nearest: definitions and how many answers each gives
    said: the choices that were asked about; not_asked: those that were not, because too many
    questions had no answer in time or ended the process
    repeats: whether the same question has one answer, where no scores are tied
    complete: whether the members are the whole class, and not the first of more
    unsettled: the choices of which every value that is left is refuted by the same answers
    constant: the one answer to all questions, where there is one
    """

    branches: list[Branch] = field(default_factory=list)
    unexplained: list[Unexplained] = field(default_factory=list)
    nearest: list[tuple[Definition, int, int]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    not_asked: list[str] = field(default_factory=list)
    repeats: bool = True
    random_ties: bool = False
    members: list[Definition] = field(default_factory=list)
    complete: bool = True
    constant: Outcome | None = None
    unsettled: list[str] = field(default_factory=list)


def search(asked: Asked, domain: Domain, world: Sequence[Input] | None = None) -> Found:
    """The definitions that explain a black box.

    world: the inputs on which the members of the class are held against each other
    """
    found = Found()
    ordinary = probes.ordinary(domain)
    _determinism(asked, found, ordinary, probes.tied(domain))
    if not found.repeats:
        return found
    raised, found.constant = _answering(asked, domain)
    if found.constant is not None:
        return found
    if raised != domain:
        domain, ordinary = raised, probes.ordinary(raised)
        _determinism(asked, found, ordinary, probes.tied(domain))
        if not found.repeats:
            return found
    _measure(asked, found, domain, ordinary)
    if not found.branches:
        return found
    for stage in STAGES:
        if "fractions" in stage.names:
            _thresholds(asked, found, domain)
        if not asked.tired:
            _settle(asked, found, domain, stage)
        elif any(map(domain.takes, stage.questions(domain))):
            found.not_asked += _said(stage, domain)
    _close(found)
    _refine(asked, found, domain)
    _separate(asked, found, domain, world)
    _verify(asked, found, domain)
    _output(asked, found)
    _over_queries(asked, found, domain)
    keep_those_that_explain(asked, found)
    _against_all(asked, found)
    return found


# ---- whether it is a function ------------------------------------------------------------


def _determinism(
    asked: Asked, found: Found, ordinary: Sequence[Input], tied: Sequence[Input]
) -> None:
    """Ask the same twice, in another order."""
    once = [*ordinary[:6], *tied[:8]]
    answers = {}
    for x in once:
        if not asked.skips(x, "determinism"):
            answers[x] = asked.ask(x, "determinism")
    for x in reversed(answers):
        if answers[x].kind != TIMEOUT and not same([answers[x], asked.again(x), asked.again(x)]):
            asked.varying.append(x)
    found.repeats = not any(x in asked.varying for x in ordinary[:6])
    found.random_ties = found.repeats and bool(asked.varying)


def _answering(asked: Asked, domain: Domain) -> tuple[Domain, Outcome | None]:
    """The domain with labels as high as it takes for two answers; or the one answer to all.

    A program that counts labels from 4 on gives 0 to all lists of lower ones; one that counts what
    has a judgment gives 1 to all that are judged as a whole.
    """
    answers: list[Outcome] = []
    for top in TOPS:
        raised = replace(domain, top=top)
        if top != TOPS[0] and raised.highest <= TOPS[0]:
            break
        kinds = (probes.ordinary, probes.missing, probes.nothing)
        for x in (x for kind in kinds for x in islice(kind(raised), FIRST)):
            if not asked.skips(x, "measure"):
                answers.append(asked.ask(x, "measure"))
            if not answers or answers[-1].kind in DEATHS or not same(answers):
                return raised, None
    for x in islice(probes.unjudged(domain), FIRST):
        if not asked.skips(x, "measure"):
            answers.append(asked.ask(x, "measure"))
        if not answers or answers[-1].kind in DEATHS or not same(answers):
            return domain, None
    return domain, answers[0] if answers and answers[0].kind == VALUE else None


# ---- which measure -----------------------------------------------------------------------


def _measure(asked: Asked, found: Found, domain: Domain, ordinary: Sequence[Input]) -> None:
    """Find the measures that give all answers, by plain readings of the input or by a slip."""
    answers = [
        (x, asked.ask(x, "measure")) for x in ordinary[:FIRST] if not asked.skips(x, "measure")
    ]
    if not any(a.kind == VALUE for _, a in answers):
        found.unexplained += [Unexplained("measure", x, a, "a number") for x, a in answers[:3]]
        return
    candidates = [*cores(), *with_thresholds(range(TOPS[0] + 1, domain.highest + 1))]
    nearly: tuple[list[Definition], list[Unexplained], Precision] = ([], [], DOUBLE)
    for patches, precision, chosen in _attempts(asked, domain, ordinary, candidates):
        asked.precision = precision
        left = _explaining(asked, found, chosen, patches, ordinary)
        failed, found.unexplained = found.unexplained, []
        hits = left
        for x in probes.missing(domain)[:FEWEST_A_STAGE] if left else ():
            if asked.skips(x, "measure"):
                break
            answer = asked.ask(x, "measure")
            if answer.kind == VALUE:  # what is none may be that of a divisor of 0
                left = asked.left(left, x, answer)
        if left and not failed:
            break
        if not nearly[0]:  # what a miss gives may be a choice
            nearly = (hits, failed, precision)
    else:
        left, found.unexplained, asked.precision = nearly if nearly[0] else ([], [], precision)
    if not left:
        _nearest(found, asked, candidates, domain, ordinary)
        return
    found.branches = [Branch(d) for d in left]
    found.said += ["pool", *(n for n in SLIPS if left[0].choices[n] != BY_NAME[n].default)]


def _attempts(
    asked: Asked, domain: Domain, ordinary: Sequence[Input], listed: Sequence[Core]
) -> Iterator[tuple[list[Patch], Precision, Sequence[Core]]]:
    """The readings, the precision and the cores that are tried, one after the other.

    Answers are those of doubles as long as a definition gives them: few values of few digits are
    no evidence that something is rounded. What is listed comes before what is estimated.
    """
    for patches in _readings(domain):
        yield patches, DOUBLE, listed
        coarse = precision_of(asked.known[x] for x in ordinary if x in asked.known)
        if coarse != DOUBLE:
            yield patches, coarse, listed
    asked.precision = coarse
    yield next(_readings(domain)), coarse, estimated(asked, ordinary)


def _explaining(
    asked: Asked,
    found: Found,
    candidates: Sequence[Core],
    patches: Sequence[Patch],
    ordinary: Sequence[Input],
) -> list[Definition]:
    """The definitions that give all answers to ordinary questions."""
    left = [
        plain(core).with_({"undefined": OPEN, **patch})
        for core in candidates
        for patch in patches
        if core.of_pool or patch.get("pool", "judged") == "judged"
    ]
    for x in ordinary:
        answer = asked.known.get(x)
        if answer is not None and answer.kind == VALUE:
            before, left = len(left), asked.left(left, x, answer)
            _note(asked, x, before, len(left))
    values = [x for x in ordinary if x in asked.known and asked.known[x].kind == VALUE]
    left = [d for d in left if _explains_some(asked, d, values)]
    if not left:
        return []
    left.sort(key=lambda d: d.cost)
    return _narrowed(asked, found, left, [x for x in ordinary if x not in asked.known], "measure")


def _explains_some(asked: Asked, d: Definition, values: Sequence[Input]) -> bool:
    """Whether a definition is defined for one of the inputs, or else has all answers as numbers.

    What is undefined for all of them can stand for any answer, and so explains none.
    """
    predicted = [(d.predict(x), asked.known[x]) for x in values]
    return any(not isinstance(p, Open) for p, _ in predicted) or all(
        agrees(p.number, answer, asked.precision) for p, answer in predicted if isinstance(p, Open)
    )


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
        if name != "order" or domain.scored
        for value in list(BY_NAME[name].values)[1:]
        if value != "rank"  # which questions of the stage "order" tell from "file"
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
    ordinary: Sequence[Input],
) -> None:
    """The definitions that give the most of the answers, and what the first does not give."""
    numbers = [(x, asked.known[x]) for x in ordinary if x in asked.known]
    counts = []
    for core, patch in product(candidates, next(_readings(domain))):
        if core.of_pool or patch["pool"] == "judged":
            d = plain(core).with_(patch)
            hits = sum(bool(asked.left([d], x, a)) for x, a in numbers)
            counts.append((hits, d))
    counts.sort(key=lambda pair: (-pair[0], pair[1].cost))
    by_name: dict[str, tuple[Definition, int, int]] = {}
    for hits, d in counts:  # of each measure the reading that gives the most
        by_name.setdefault(d.core.name, (d, hits, len(numbers)))
    found.nearest = list(by_name.values())[:3]
    first = counts[0][1]
    for x, answer in numbers:
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


def _most_telling(
    definitions: Sequence[Definition], questions: Sequence[Input], asked: Asked
) -> tuple[float, int]:
    """The bits of the best question and where it stands; of several rows the first that has one."""
    for start in range(0, len(questions), CONSIDERED):
        row = questions[start : start + CONSIDERED]
        best, at = max((entropy(definitions, x, asked), -a) for a, x in enumerate(row))
        if best > 0:
            return best, start - at
    return 0.0, 0


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
        open_ = [x for x in open_ if not asked.skips(x, stage)]
        if not open_ or asked.tired:
            break
        sample = definitions[:: max(1, len(definitions) // 200)]
        best, at = _most_telling(sample, open_, asked)
        if best == 0 and count >= fewest:
            break
        chosen = open_.pop(at)
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
    questions = _questions(asked, domain, stage)
    if not questions:
        return
    found.said += _said(stage, domain)
    by_score = {"ties", "long ties", "scores"}
    unread = all(b.definition.choices["order"] != "score" for b in found.branches)
    if set(stage.names) & (by_score if unread else {"order"}):
        found.said = [name for name in found.said if name not in stage.names]
        return
    if stage.names == ("ties",) and found.random_ties:
        _put(found, {"ties": "random"})
        return
    before = len(found.unexplained)
    values = _values(stage, domain)
    left = _divided(asked, found, stage.names[0], _tried(asked, found, stage, values), questions)
    numbers = [u for u in found.unexplained[before:] if u.answer.kind == VALUE]
    if numbers and stage.last:  # a rule that gives every number is one
        last = {stage.names[0]: stage.last[0]}
        others = [Branch(b.definition.with_(last), b.open) for b in found.branches]
        for step in asked.steps:
            if step.stage == stage.names[0]:
                others = [b for b in others if asked.left([b.definition], step.input, step.answer)]
        if others:
            del found.unexplained[before:]
            left = others
    if asked.answered(stage.names[0], questions):
        found.branches = left
        _unsettle(found, stage, before)
        if any(b.definition.choices["unjudged"] == "condensed" for b in left):
            found.said += [name for name in stage.names if name not in found.said]
    else:
        found.not_asked += _said(stage, domain)
        found.said = [name for name in found.said if name not in stage.names]


def _questions(asked: Asked, domain: Domain, stage: Stage) -> list[Input]:
    """Those of a stage; of ties, with items without a judgment where only these count."""
    found = [x for x in stage.questions(domain) if domain.takes(x)]
    if stage.names == ("ties",) and _is_of_judgments(asked):
        return probes.tied_unjudged(domain) or found
    return found


def _is_of_judgments(asked: Asked) -> bool:
    """Whether all answers about items that are all judged are one number."""
    found = [a for x, a in asked.known.items() if None not in x.labels and a.kind == VALUE]
    return bool(found) and same(found)


def _unsettle(found: Found, stage: Stage, before: int) -> None:
    """Take the plainest of several values that are all refuted, and say that it is none.

    before: how many answers were unexplained before the stage
    """
    refuted = len(found.unexplained) > before
    if refuted and any(len(b.open.get(stage.names[0], ())) > 1 for b in found.branches):
        found.unsettled += [name for name in stage.names if name in found.said]
        found.branches = [
            Branch(b.definition, {**b.open, stage.names[0]: b.open.get(stage.names[0], ())[:1]})
            for b in found.branches
        ]


def _said(stage: Stage, domain: Domain) -> list[str]:
    """The choices of a stage that inputs of a domain can tell."""
    can = {"negative": domain.negative and not domain.binary, "unjudged": domain.unjudged}
    return [name for name in stage.names if can.get(name, True)]


def _thresholds(asked: Asked, found: Found, domain: Domain) -> None:
    """Add the definitions whose least relevant label lies between two whole numbers."""
    added = []
    known: dict[object, float | None] = {}
    for b in found.branches:
        if b.definition.core.rel not in known:
            known[b.definition.core.rel] = threshold(asked, b.definition, domain)
        rel = known[b.definition.core.rel]
        core = None if rel is None else with_threshold(b.definition.core, rel)
        if core is not None:
            added.append(Branch(Definition(core, b.definition.values), b.open))
    found.branches += added


def _tried(
    asked: Asked, found: Found, stage: Stage, values: Sequence[Patch]
) -> Callable[[Branch], Sequence[Patch]]:
    """The values of a stage's choices that each branch is tried with."""
    agreeing: dict[int, Sequence[Patch]] = {}
    if "undefined" in stage.names:
        agreeing = {id(b): _agreeing(asked, b, values) for b in found.branches}
    if "fractions" in stage.names:
        steps = [(s.input, s.answer) for s in asked.steps if s.stage == THRESHOLD]
        agreeing = {id(b): _giving(asked, b, values, steps) for b in found.branches}
    if not any(agreeing.values()):
        return lambda _: values
    return lambda branch: agreeing[id(branch)]


def _agreeing(asked: Asked, branch: Branch, values: Sequence[Patch]) -> Sequence[Patch]:
    """What is undefined, of which the answers so far are left that were explained without it."""
    known = [(x, a) for x, a in asked.known.items() if asked.left([branch.definition], x, a)]
    return _giving(asked, branch, values, known)


def _giving(
    asked: Asked, branch: Branch, values: Sequence[Patch], known: Sequence[tuple[Input, Outcome]]
) -> list[Patch]:
    """The values of choices that give all these answers."""
    return [
        patch
        for patch in values
        if all(asked.left([branch.definition.with_(patch)], x, a) for x, a in known)
    ]


def _close(found: Found) -> None:
    """Take the default for what is undefined where no question told it."""
    default = {"undefined": BY_NAME["undefined"].default}
    found.branches = [
        Branch(b.definition.with_(default), b.open)
        if b.definition.choices["undefined"] == OPEN
        else b
        for b in found.branches
    ]


def _put(found: Found, patch: Patch) -> None:
    """Give all definitions that are left a value."""
    found.branches = [Branch(b.definition.with_(patch), b.open) for b in found.branches]
    found.members = [d.with_(patch) for d in found.members]


def _divided(
    asked: Asked,
    found: Found,
    stage: str,
    values: Callable[[Branch], Sequence[Patch]],
    questions: Sequence[Input],
    fewest: int = FEWEST_A_STAGE,
) -> list[Branch]:
    """The branches that are left when each was tried with its values of a stage's choices."""
    owners: list[tuple[Definition, int]] = []
    for at, branch in enumerate(found.branches):
        tried = [branch.definition.with_(patch) for patch in values(branch)]
        owners += [(d, at) for d in tried if _fits(d.core, d.choices["ties"])]
    left = _narrowed(asked, found, [d for d, _ in owners], questions, stage, fewest)
    kept = set(map(id, left))
    by_branch: dict[int, list[Definition]] = {}
    for d, at in owners:
        if id(d) in kept:
            by_branch.setdefault(at, []).append(d)
    branches = []
    for at, those in by_branch.items():
        names = values(found.branches[at])[0]
        those.sort(key=lambda d: d.cost)
        open_: list[Patch] = [{n: d.choices[n] for n in names} for d in those]
        branches.append(Branch(those[0], {**found.branches[at].open, stage: open_}))
    return sorted(branches, key=lambda b: b.definition.cost)


def _refine(asked: Asked, found: Found, domain: Domain) -> None:
    """Divide what each stage left open by questions of all kinds, one stage after the other.

    Ties first: the other questions have some.
    """
    stages = dict.fromkeys(name for b in found.branches for name in b.open)
    for stage in sorted(stages, key=lambda name: name != "ties"):
        if asked.tired or all(len(b.open.get(stage, ())) <= 1 for b in found.branches):
            continue
        general = probes.tied_anyhow if stage == "ties" else _mixed
        before = len(found.unexplained)
        left = _divided(asked, found, stage, _opened(stage), general(domain), fewest=0)
        if len(found.unexplained) == before:
            found.branches = left
        del found.unexplained[before:]


def _opened(stage: str) -> Callable[[Branch], Sequence[Patch]]:
    return lambda branch: branch.open[stage]


def _mixed(domain: Domain) -> list[Input]:
    return probes.mixed(domain, 30, 20)


def _values(stage: Stage, domain: Domain) -> list[Patch]:
    """What the choices of a stage can be; what explains nearly everything comes later."""
    known = [[x for x in BY_NAME[name].values if x not in stage.last] for name in stage.names]
    if stage.names == ("ties",) and not domain.named:
        known = [[x for x in known[0] if not x.startswith("id-")]]
    found = [dict(zip(stage.names, values, strict=True)) for values in product(*known)]
    return [patch for patch in found if stage.fits(domain, patch)]


def _fits(core: Core, ties: str) -> bool:
    return ties == core.ties if core.ties else ties != "threshold"


# ---- the class ---------------------------------------------------------------------------


def members(found: Found, most: int = MOST_MEMBERS) -> list[Definition]:
    """The definitions that no question has divided: each branch with all that it leaves open."""
    share = max(4, most // max(1, len(found.branches)))
    counts = [math.prod(map(len, branch.open.values())) for branch in found.branches]
    found.complete = sum(counts) <= most and all(count <= share for count in counts)
    left: dict[tuple[object, ...], Definition] = {}
    for branch in found.branches:
        for d in branch.members(share):
            left.setdefault((id(d.core), d.values), d)
    return sorted(left.values(), key=lambda d: d.cost)[:most]


def _separate(asked: Asked, found: Found, domain: Domain, world: Sequence[Input] | None) -> None:
    """Ask whatever divides the members of the class still."""
    left = members(found)
    questions = list(probes.mixed(domain, 60, 20)) if world is None else list(world)
    for x in questions:
        if len(left) == 1:
            break
        if asked.skips(x, "separation"):
            continue
        if len({sort_of(d.predict(x), asked.precision) for d in left}) > 1:
            kept = asked.left(left, x, asked.ask(x, "separation"))
            _note(asked, x, len(left), len(kept))
            left = kept or left
    found.members = left


def _verify(asked: Asked, found: Found, domain: Domain) -> None:
    """Hold the definition against inputs of all kinds."""
    first = found.members[0]
    wrong = []
    for x in probes.mixed(domain, 40, 21):
        if asked.tired:
            return
        if asked.skips(x, "verification"):
            continue
        answer = asked.ask(x, "verification")
        if not asked.left([first], x, answer):
            wrong.append(Unexplained("verification", x, answer, str(first.predict(x))))
    others = [u for u in wrong if not _is_tied(u.input, u.answer)]
    if len(others) < len(wrong):  # a rule that a few short lists seemed to follow is none
        patch = {"ties": "some order", "long ties": "same"}
        loose = first.with_(patch)
        if all(asked.left([loose], x, a) for x, a in asked.known.items() if _is_tied(x, a)):
            wrong = others
            _put(found, patch)
    found.unexplained += wrong


def keep_those_that_explain(asked: Asked, found: Found) -> None:
    """Leave the class those that give all answers that the reported definition gives.

    The values of choices were divided one choice after the other; here each combination is held
    against every answer.
    """
    first, *others = found.members
    for x, answer in asked.known.items():
        if others and asked.left([first], x, answer):
            others = asked.left(others, x, answer)
    found.members = [first, *others]


def _against_all(asked: Asked, found: Found) -> None:
    """List the answers to all questions that the definition does not give, and no others.

    What a stage could not explain may follow from a choice that a later one found.
    """
    first = found.members[0]
    found.unexplained = [u for u in found.unexplained if not asked.left([first], u.input, u.answer)]
    said = {u.input for u in found.unexplained}
    for step in asked.steps:
        if step.input not in said and not asked.left([first], step.input, step.answer):
            predicted = str(first.predict(step.input))
            found.unexplained.append(Unexplained(step.stage, step.input, step.answer, predicted))


def _is_tied(x: Input, answer: Outcome) -> bool:
    """Whether a question is about ties, and has a number for an answer."""
    return x.tied and answer.kind == VALUE


def _over_queries(asked: Asked, found: Found, domain: Domain) -> None:
    """Find how several queries are averaged, where they can be asked together."""
    if not domain.several:
        return
    if asked.tired:
        found.not_asked.append("average")
        return
    _put(found, {"average": averages.average(asked, found.members[0], domain)})
    found.said.append("average")


def _output(asked: Asked, found: Found) -> None:
    """The precision that all answers have and not all predictions: the coarsest such."""
    first = found.members[0]
    pairs = []
    for x, answer in asked.known.items():
        predicted = first.predict(x)
        if answer.kind == VALUE and getattr(predicted, "kind", "") == VALUE:
            pairs.append((answer.value, predicted.value))  # type: ignore[union-attr]
    for known in (*DECIMALS, FLOAT16, FLOAT32):
        rounded = all(known.rounded(a) == a for a, _ in pairs)
        if rounded and not all(DOUBLE.near(known.rounded(p), p) for _, p in pairs):
            _put(found, {"output": known.name})
            break
    found.said.append("output")
