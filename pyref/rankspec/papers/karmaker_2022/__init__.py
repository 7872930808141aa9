"""karmaker-2022: what its tables say of one another, and its formulas on small examples.

The paper ranks two data sets by eight trained rankers. Neither those rankings nor the samples of
queries are published, so that the means over queries (Tables 2 to 5 and 12 to 15) are taken as they
are printed; from them follow the columns "All" of Tables 6, 9, 10, 16, 19 and 20. Of the other
figures is said what they can be, no more.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from ...errors import InputError
from ..reproduction import Claim, Paper, Table
from .claims import (
    claim_on_penalties,
    claim_on_query_sets,
    claims_on_counts,
    claims_on_extremes,
    claims_on_formulas,
    claims_on_growth,
    claims_on_orders,
    claims_on_pad,
    claims_on_ranges,
    claims_on_swaps,
)
from .data_tables import of_data
from .joint import (
    claim_on_shares,
    claims_on_consistency,
    claims_on_significance,
    claims_on_walks,
    walks_table,
)
from .printed import STUDIES
from .rankers import chosen
from .tables import (
    conflict_table,
    corrected_table,
    counted_tables,
    growth_table,
    means_table,
    pad_table,
    percentages_table,
    significance_table,
    swap_table,
    tau_table,
    worked_table,
)


def compute(
    backend: str,
    *,
    data: str | os.PathLike[str] | None = None,
    feature: Iterable[int] | None = None,
    predictions: Iterable[str | os.PathLike[str]] | None = None,
    run: Iterable[str | os.PathLike[str]] | None = None,
    train: str | os.PathLike[str] | None = None,
) -> tuple[list[Table], list[Claim]]:
    """The tables and claims, by a backend.

    data: a folder of LETOR files
    feature, predictions, run, train: what ranks their rows (rankers.Chosen); features of the files,
        where nothing is given
    """
    rankers = chosen(feature, predictions, run, train)
    if rankers.any and data is None:
        raise InputError("karmaker-2022: rankers need rows to rank; give data (--data FOLDER)")
    tables: list[Table] = []
    claims: list[Claim] = []
    for study in STUDIES:
        tables += [means_table(study), pad_table(study)]
        if study == "MAP":
            tables.append(corrected_table())
        tables += [tau_table(study), swap_table(study), *counted_tables(study)]
        tables += [walks_table(study), significance_table(study), conflict_table(study)]
    tables += [percentages_table(), growth_table(), worked_table(backend)]
    claims += [
        *claims_on_growth(),
        *claims_on_ranges(),
        *claims_on_orders(),
        *claims_on_pad(),
        *claims_on_counts(),
        *claims_on_swaps(),
        *claims_on_walks(),
        *claims_on_significance(),
        *claims_on_consistency(),
        claim_on_shares(),
        claim_on_query_sets(),
        *claims_on_extremes(backend),
        *claims_on_formulas(backend),
        claim_on_penalties(backend),
    ]
    if data is not None:
        real_tables, real_claims = of_data(data, rankers, backend)
        tables += real_tables
        claims += real_claims
    return tables, claims


PAPER = Paper(
    name="karmaker-2022",
    authors="Karmaker and Feng",
    title="Joint upper & lower bound normalization for IR evaluation",
    year=2022,
    contents="what Tables 2 to 21 say of one another, eqs. 5 to 9 on examples; with --data the "
    "experiment, on LETOR files ranked by features, predictions, runs or learners",
    compute=compute,
    options=("data", "feature", "predictions", "run", "train"),
    errata={
        "RS-ERR-24": "cut off, not rounded",
        "RS-ERR-25": "not by the means that are printed",
        "RS-ERR-26": "by Table 15 with 0.116 for 0.0116",
        "RS-ERR-27": "of no 28 pairs; 0.642 is, with two digits interchanged",
        "RS-ERR-28": "not with the other counts: one of them is wrong",
        "RS-ERR-29": "by the means that are printed 2 pairs, not 3",
        "RS-ERR-43": "one of four figures that cannot all be right",
        "RS-ERR-44": "only of other queries than Tables 16 and 21",
    },
)
