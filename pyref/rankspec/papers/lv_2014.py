"""lv-2014: Tables 1, 2 and 3, and claims about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .. import api
from ..analysis.axioms.asked import axioms
from ..analysis.axioms.verdicts import FAILS, HOLDS, Verdict
from ..certify import certified
from ..reference.numerics import nearest_double
from .reproduction import Check, Claim, Figure, Paper, Table

M = 3  # section 5

# Section 5, and Table 1.
LABELS = {"perfect": 2, "good": 1, "bad": 0}
JUDGMENTS = {
    "Jon Favreau (director)": "perfect",
    "Iron Man 3": "good",
    "Jon Favreau (speechwriter)": "bad",
}
POOL = tuple(LABELS[degree] for degree in JUDGMENTS.values())

# Table 3: the labels of each scenario, in rank order, and the figures.
COLUMNS = ("DCG@1", "DCG@2", "DCG@3", "LDCG", "NDCG@1", "NDCG@2", "NDCG@3", "LNDCG")
PLACES = 2
SCENARIOS = {
    1: (2,),
    2: (2, 1),
    3: (2, 0),
    4: (1, 2),
    5: (1, 2, 0),
    6: (1, 0, 2),
    7: (0, 2, 1),
    8: (0, 2),
    9: (0, 1, 2),
    10: (1,),
    11: (1, 0),
    12: (0, 1),
}
PRINTED = {
    1: ("3", "3", "3", "6.40", "1", "0.82", "0.82", "1"),
    2: ("3", "3.63", "3.63", "5.54", "1", "1", "1", "0.87"),
    3: ("3", "3", "3", "4.58", "1", "0.82", "0.82", "0.72"),
    4: ("1", "2.89", "2.89", "4.41", "0.33", "0.79", "0.79", "0.69"),
    5: ("1", "2.89", "2.89", "3.74", "0.33", "0.79", "0.79", "0.59"),
    6: ("1", "1", "2.5", "3.23", "0.33", "0.27", "0.69", "0.51"),
    7: ("0", "1.89", "2.39", "3.09", "0", "0.52", "0.66", "0.48"),
    8: ("0", "1.89", "1.89", "2.88", "0", "0.52", "0.52", "0.45"),
    9: ("0", "0.63", "2.13", "2.76", "0", "0.17", "0.59", "0.43"),
    10: ("1", "1", "1", "2.13", "0.33", "0.27", "0.27", "0.33"),
    11: ("1", "1", "1", "1.52", "0.33", "0.27", "0.27", "0.24"),
    12: ("0", "0.63", "0.63", "0.96", "0", "0.17", "0.17", "0.15"),
}

# spec/errata.md: the scenarios of each column that the definitions do not give.
ERRATA: dict[str, dict[str, tuple[int, ...]]] = {
    "RS-ERR-3": {"NDCG@2": (1, 3, 4, 5, 6, 10, 11), "NDCG@3": (1, 3, 4, 5, 10, 11)},
    "RS-ERR-7": {"LDCG": (1, 2, 3)},
}

# Table 2: the constraints, and the six metrics with the settings of the paper.
CONSTRAINTS = {
    "C1": ("No", "No", "No", "No", "Yes", "Yes"),
    "C2": ("Cond", "Cond", "Cond", "Cond", "Yes", "Yes"),
}
METRICS = {
    "DCG": "DCG(gain='exp2')",
    "NDCG": "nDCG(gain='exp2')",
    "GAP": "GAP",
    "ERR": "ERR",
    "LDCG": "LDCG",
    "LNDCG": "LNDCG",
}
ADJUSTED = ("LDCG", "LNDCG")
WITHOUT_C2 = {
    "DCG": ("gains 0, 0, 1", 1, "DCG(gain='0-0-1')@2"),
    "NDCG": ("gains 0, 0, 1", 1, "nDCG(gain='0-0-1')@2"),
    "GAP": ("thresholds 0, 1", 1, "GAP(q=(0, 1))@2"),
    "ERR": ("stop probabilities 0, 1/2, 1", 2, "ERR(stop=(0, 0.5, 1))@2"),
}
"""Settings in which C2 fails at k = 2, too: in words, a label, and a measure (RS-ERR-51)."""
TABLE_2_ERRATA = {"Cond": "RS-ERR-51", "Yes": "RS-ERR-9"}
LARGEST_LABEL = 20  # to which the constraints are computed


def compute(backend: str) -> tuple[list[Table], list[Claim]]:
    """The tables and claims, by a backend."""
    values = table_3_values(backend)
    claims_of_table_2 = list(constraint_claims(backend))
    tables = [table_1(), table_2(claims_of_table_2), table_3(values)]
    claims = [
        *claims_of_table_2,
        claim_on_the_prior(backend),
        *claims_on_z_and_m(values, backend),
        claim_on_the_ideal(backend),
        *claims_on_cutoffs(values),
        claim_on_length(values),
        claim_on_aggregation(backend),
    ]
    return tables, claims


# Tables 1 and 3


def table_1() -> Table:
    rows = [(item, (degree, LABELS[degree])) for item, degree in JUDGMENTS.items()]
    title = 'Table 1, with the labels of section 5: the judgments of "jon favreau director"'
    return Table(title, "result", ("degree", "label"), tuple(rows))


def table_3_values(backend: str) -> dict[str, list[float]]:
    """The column of each name, by the definitions: a value a scenario."""
    lists = list(SCENARIOS.values())
    pools = [POOL] * len(lists)
    options: dict[str, Any] = {"gain": "exp2", "backend": backend}
    columns: list[Any] = [
        *(api.dcg(lists, k=k, **options) for k in (1, 2, 3)),
        api.ldcg(lists, M=M, **options),
        *(api.ndcg(lists, judged=pools, k=k, **options) for k in (1, 2, 3)),
        api.lndcg(lists, judged=pools, M=M, **options),
    ]
    return {name: column.tolist() for name, column in zip(COLUMNS, columns, strict=True)}


def table_3(values: dict[str, list[float]]) -> Table:
    rows = []
    for at, (scenario, printed) in enumerate(PRINTED.items()):
        figures = tuple(
            Figure(text, values[column][at], PLACES, erratum_of(scenario, column))
            for column, text in zip(COLUMNS, printed, strict=True)
        )
        labels = " ".join(map(str, SCENARIOS[scenario]))
        rows.append((f"{scenario:2}: {labels}", figures))
    title = f"Table 3: twelve scenarios, gain 2^r - 1, discount 1/log2(i + 1), M = {M}"
    return Table(title, " n: labels", COLUMNS, tuple(rows))


def erratum_of(scenario: int, column: str) -> str | None:
    """The erratum that lists a cell of Table 3."""
    listing = (id_ for id_, cells in ERRATA.items() if scenario in cells.get(column, ()))
    return next(listing, None)


# Claims. A double of the API is the nearest to its real number: where one is below another, so are
# the reals. That equal doubles are equal reals is for the spec to prove.


def constraint_claims(backend: str) -> Iterator[Claim]:
    """Table 2, cell by cell. L1 = <a> and L2 = <a, b>; C1 asks for E(L1) > E(L2) where a > b, C2
    for < where a = b > 0."""
    for constraint, row in CONSTRAINTS.items():
        for metric, printed in zip(METRICS, row, strict=True):
            if metric in ADJUSTED:
                checks = adjusted_checks(constraint, metric, backend)
            else:
                checks = (no_c1(metric),) if constraint == "C1" else conditional_c2(metric)
            yield Claim(f"Table 2, {constraint}", f"{metric}: {printed}", checks)


def adjusted_checks(constraint: str, metric: str, backend: str) -> tuple[Check, ...]:
    """That LDCG and LNDCG satisfy a constraint with the paper's settings; and when not."""
    labels = range(LARGEST_LABEL + 1)
    pairs = {
        "C1": [(a, b) for a in labels for b in range(a)],
        "C2": [(a, a) for a in labels if a > 0],
    }
    proofs = {"C1": "RS-LEN-10", "C2": "RS-LEN-11"}
    found = {
        "C1": "<a> is above <a, b> where a > b",
        "C2": "<a> is below <a, a> where a > 0",
    }
    general = f"integer labels to {LARGEST_LABEL}, gain 2^r - 1, M = {M}: {found[constraint]}"
    when = satisfied(f"{metric}@{M}", constraint).when
    holds = satisfies(constraint, metric, pairs[constraint], backend=backend)
    return (
        Check(f"{general}; proven: it holds {when}", holds, True, (proofs[constraint],)),
        counterexample(constraint, metric, backend),
    )


def satisfied(measure: str, constraint: str) -> Verdict:
    """What is known of a measure and a constraint (RS-AXM-2, RS-AXM-3)."""
    name = constraint.lower()
    (found,) = axioms(measure, labels=(0, 1, 2), only=[name]).metrics
    return found[name]


def no_c1(metric: str) -> Check:
    """That a metric does not satisfy C1 at any cut-off."""
    asked = [METRICS[metric], *(f"{METRICS[metric]}@{k}" for k in (1, 2, 3))]
    verdicts = [satisfied(measure, "C1") for measure in asked]
    fact = f"k = 1, 2, 3 or none: <1> is not above <1, 0>; proven: {verdicts[0].when}"
    return Check(fact, all(x.status == FAILS for x in verdicts), True, (entry_of(verdicts[0]),))


def entry_of(found: Verdict) -> str:
    """The entry of the law that proves it."""
    return found.spec.partition("/")[0]


def conditional_c2(metric: str) -> tuple[Check, ...]:
    """That a metric satisfies C2 where k > 1; and a setting in which that is not enough."""
    at = {k: satisfied(f"{METRICS[metric]}@{k}", "C2") for k in (1, 2, 3)}
    on_k = [at[k].status for k in (1, 2, 3)] == [FAILS, HOLDS, HOLDS]
    words, a, measure = WITHOUT_C2[metric]
    otherwise = satisfied(measure, "C2").status == HOLDS
    return (
        Check(
            f"k = 1: <a> is not below <a, a>; k = 2, 3: it is; proven: it holds {at[2].when}",
            on_k,
            True,
            (entry_of(at[2]),),
        ),
        Check(f"{words}: at k = 2 <{a}> is not below <{a}, {a}>", otherwise, False, ("RS-ERR-51",)),
    )


def table_2(claims: Sequence[Claim]) -> Table:
    """The words of the page, each with the erratum that says what is left out."""
    cells: dict[str, list[str]] = {constraint: [] for constraint in CONSTRAINTS}
    for claim in claims:
        printed = claim.claim.rpartition(" ")[2]
        erratum = TABLE_2_ERRATA.get(printed, "")
        differs = any(check.unexpected for check in claim.checks)
        mark = "!" if differs else f"({_number(erratum)})" if erratum else "="
        cells[claim.where.rpartition(" ")[2]].append(f"{printed} {mark}")
    rows = tuple((constraint, tuple(row)) for constraint, row in cells.items())
    errata = tuple(reversed(TABLE_2_ERRATA.values()))
    marks = ", ".join(f"({_number(erratum)})" for erratum in errata)
    title = (
        f"Table 2: which metric satisfies which constraint. = as printed; {marks}: with a "
        f"condition that {', '.join(errata)} states; !: not so. The claims below say why"
    )
    return Table(title, "constraint", tuple(METRICS), rows)


def _number(erratum: str) -> str:
    return erratum.rpartition("-")[2]


def claim_on_the_prior(backend: str) -> Claim:
    """That the prior is no loss of generality."""

    def both(prior: Any, shown: int = M) -> tuple[bool, bool]:
        values: Any = api.ldcg([[2], [2, 1], [2, 2]], M=shown, prior=prior, backend=backend)
        one, two, same = values
        return bool(one > two), bool(one < same)

    return Claim(
        "Section 4.2, eq. 3",
        "the prior is taken without loss of generality",
        (
            Check("prior 1/i: LDCG satisfies C1 and C2, too", all(both("zipf")), True),
            Check(
                'prior "uniform": C2 fails for the label 2',
                both("uniform")[1],
                False,
                ("RS-ERR-50",),
            ),
            Check(
                "prior 1, 1/4: C1 fails for the labels 2 and 1",
                both([1, 0.25], 2)[0],
                False,
                ("RS-ERR-50",),
            ),
        ),
    )


def counterexample(constraint: str, metric: str, backend: str) -> Check:
    """Where a constraint fails, with other gains or another prior."""
    if constraint == "C1":
        holds = satisfies(constraint, metric, [(3, 2)], gain="linear", backend=backend)
        fact = 'gain r: <3> is not above <3, 2>, so not "unconditionally"'
        return Check(fact, holds, False, ("RS-ERR-9",))
    holds = satisfies(constraint, metric, [(1, 1)], prior="uniform", backend=backend)
    fact = 'prior "uniform": <1> is not below <1, 1>, as section 4.2 says'
    return Check(fact, holds, False, ("RS-LEN-11",))


def satisfies(
    constraint: str, metric: str, pairs: Sequence[tuple[int, int]], **parameters: Any
) -> bool:
    """Whether a metric satisfies a constraint for all these labels (a, b)."""
    pools = [[a, a, b] for a, b in pairs]

    def E(lists: list[list[int]]) -> Any:
        if metric == "LNDCG":
            return api.lndcg(lists, judged=pools, M=M, **parameters)
        return api.ldcg(lists, M=M, **parameters)

    one, two = E([[a] for a, _ in pairs]), E([[a, b] for a, b in pairs])
    return all(one > two if constraint == "C1" else one < two)


def prefers(values: dict[str, list[float]], columns: Sequence[str], a: int, b: int) -> bool:
    """Whether scenario a of Table 3 has more than scenario b, in all of these columns."""
    return all(values[column][a - 1] > values[column][b - 1] for column in columns)


def claims_on_cutoffs(values: dict[str, list[float]]) -> Iterator[Claim]:
    """Where the cut-off decides which list is better."""
    at = {k: (f"DCG@{k}", f"NDCG@{k}") for k in (1, 2, 3)}
    yield Claim(
        "Section 1",
        "DCG and NDCG at 1 prefer the second list of figure 3, at 2 the first",
        (
            Check(
                "Table 3: scenario 11 is above 8 at 1, and 8 above 11 at 2",
                prefers(values, at[1], 11, 8) and prefers(values, at[2], 8, 11),
                True,
            ),
        ),
    )
    yield Claim(
        "Section 5",
        "DCG and NDCG at 2 prefer scenario 7 to 6, at 3 scenario 6 to 7",
        (
            Check(
                "Table 3: scenario 7 is above 6 at 2, and 6 above 7 at 3",
                prefers(values, at[2], 7, 6) and prefers(values, at[3], 6, 7),
                True,
            ),
        ),
    )


def claim_on_length(values: dict[str, list[float]]) -> Claim:
    """That bad results at the end lower LDCG and LNDCG, and not DCG and NDCG."""
    adjusted = ("LDCG", "LNDCG")
    others = [column for column in COLUMNS if column not in adjusted]
    return Claim(
        "Section 5",
        "LDCG and LNDCG prefer scenario 1 to 2 and 4 to 5; DCG and NDCG have 4 equal to 5",
        (
            Check(
                "Table 3: 1 is above 2, and 4 above 5, by both; 4 is equal to 5 by the others",
                prefers(values, adjusted, 1, 2)
                and prefers(values, adjusted, 4, 5)
                and all(values[column][3] == values[column][4] for column in others),
                True,
            ),
        ),
    )


def claims_on_z_and_m(values: dict[str, list[float]], backend: str) -> Iterator[Claim]:
    """What section 4.2 says of Z(M, rel) and M, and footnote 2 again."""
    lists = list(SCENARIOS.values())
    uncut: Any = api.lndcg(lists, judged=[POOL] * len(lists), backend=backend)
    yield Claim(
        "Section 4.2",
        "Z(M, rel) can be eliminated from LNDCG",
        tuple(
            Check(
                f"the twelve scenarios: LNDCG is LDCG / ILDCG, both {how}",
                [quotient(labels, Z) for labels in lists] == values["LNDCG"],
                True,
                ("RS-LEN-9",),
            )
            for how, Z in ((f"with Z({M}, 1)", "M"), ("without Z", "none"))
        ),
    )
    cut = [api.lndcg([1], judged=[1, 1], M=m, backend=backend) for m in (1, 2)]
    yield Claim(
        "Section 4.2, footnote 2",
        "LDCG and LNDCG do not require a cut-off: no value for M is to be chosen",
        (
            Check(
                f"Table 3: LNDCG is the same without M as with M = {M}",
                list(uncut) == values["LNDCG"],
                True,
            ),
            Check(
                f"list 1, judged 1 and 1: LNDCG is {cut[0]:.4f} with M = 1, and {cut[1]:.4f} with "
                "M = 2",
                cut[0] == cut[1],
                False,
                ("RS-ERR-10",),
            ),
        ),
    )


def quotient(labels: Sequence[int], Z: str) -> float | None:
    """The double nearest to LDCG / ILDCG with the factor Z or without, if the bounds tell it."""
    ldcg = certified("ldcg", labels, k=M, Z=Z)
    ildcg = certified("ildcg", POOL, k=M, Z=Z)
    lower, upper = ldcg.lower / ildcg.upper, ldcg.upper / ildcg.lower
    return nearest_double(lower) if nearest_double(lower) == nearest_double(upper) else None


def claim_on_the_ideal(backend: str) -> Claim:
    """That ILDCG is what eq. 7 gives, at the edge where it no longer is."""

    def agree(pool: Sequence[int]) -> bool:
        true, eq7 = (
            api.ildcg(pool, M=len(pool), ideal=ideal, backend=backend) for ideal in ("true", "eq7")
        )
        return bool(true == eq7)

    return Claim(
        "Section 4.2",
        "with integer labels and 25 results at most, eq. 7 is the maximum of LDCG",
        (
            Check("the judgments of Table 1: it is", agree(POOL), True, ("RS-LEN-8",)),
            Check("judged one 2 and 23 times 1: it is", agree([2] + [1] * 23), True, ("RS-LEN-8",)),
            Check(
                "judged one 2 and 24 times 1: the maximum is another",
                agree([2] + [1] * 24),
                False,
                ("RS-ERR-8",),
            ),
        ),
    )


def claim_on_aggregation(backend: str) -> Claim:
    """That LDCG takes several cut-offs into account; it takes one, the length of the list."""
    early, late = [1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 2]  # 1/log2(2) = 3/log2(8)
    dcg: Any = api.dcg([early, late], k=range(1, 7), gain="exp2", backend=backend)
    ldcg: Any = api.ldcg([early, late], backend=backend)
    return Claim(
        "Section 5",
        "LDCG can be regarded as an aggregation of DCG@k for different k",
        (
            Check(
                "lists 1 0 0 0 0 0 0 and 0 0 0 0 0 0 2: LDCG is the same, though DCG@1 to DCG@6 "
                "differ",
                bool(all(dcg[0] > dcg[1]) and ldcg[0] > ldcg[1]),
                False,
                ("RS-ERR-12",),
            ),
        ),
    )


PAPER = Paper(
    name="lv-2014",
    authors="Lv, Fuxman and Chandra",
    title="Evaluation of IR applications with constrained real estate",
    year=2014,
    contents="Tables 1 to 3; claims of sections 1, 4.2 and 5",
    compute=compute,
    errata={
        "RS-ERR-3": "cut off, not rounded",
        "RS-ERR-7": "computed from rounded numbers",
    },
)
