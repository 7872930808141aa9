"""jarvelin-2008: the vectors of the appendix, Table 2, and the claims about sessions.

The paper prints Table 2 of its experiment, and draws the rest: figures 1 to 4. What Table 2 says by
itself is computed from it; the claims are looked at in small sessions.
"""

from __future__ import annotations

from ..reproduction import Claim, Paper, Table
from .claims import (
    claim_on_earlier_queries,
    claim_on_early_ranks,
    claim_on_eq_2,
    claim_on_gains_held,
    claim_on_many_scenarios,
    claim_on_more_queries,
    claim_on_normalised_queries,
    claim_on_one_query,
    claim_on_one_scenario,
    claim_on_patience,
    claim_on_smoothness,
    claim_on_stopping,
    claim_on_symbols,
    claim_on_the_domain,
    claim_on_the_example,
    claim_on_the_range,
    claim_on_the_text,
)
from .printed import ERRATUM, TABLE_2
from .tables import (
    of_ideal_queries,
    table_2,
    table_of_discounts,
    table_of_ideal_queries,
    table_of_sums,
    table_of_the_appendix,
)


def compute(backend: str) -> tuple[list[Table], list[Claim]]:
    """The tables and claims, by a backend."""
    ideal = {system: of_ideal_queries(system, backend) for system in TABLE_2}
    tables = [
        table_of_the_appendix(backend),
        table_2(),
        table_of_sums(),
        table_of_discounts(backend),
        table_of_ideal_queries(ideal),
    ]
    claims = [
        claim_on_eq_2(backend),
        claim_on_the_example(backend),
        claim_on_early_ranks(backend),
        claim_on_the_domain(backend),
        claim_on_patience(backend),
        claim_on_symbols(backend),
        claim_on_one_query(backend),
        claim_on_earlier_queries(backend),
        claim_on_smoothness(backend),
        claim_on_normalised_queries(backend),
        claim_on_more_queries(ideal, backend),
        claim_on_gains_held(ideal, backend),
        claim_on_one_scenario(backend),
        claim_on_stopping(backend),
        claim_on_the_range(backend),
        claim_on_many_scenarios(backend),
        claim_on_the_text(),
    ]
    return tables, claims


PAPER = Paper(
    name="jarvelin-2008",
    authors="Järvelin, Price, Delcambre and Lykke Nielsen",
    title="Discounted cumulated gain based evaluation of multiple-query IR sessions",
    year=2008,
    contents="the vectors of the appendix, Table 2 and what follows from it; claims of sections 2 "
    "to 4 and of the appendix",
    compute=compute,
    errata={ERRATUM: "not by the definition; two increments are wrong"},
)
