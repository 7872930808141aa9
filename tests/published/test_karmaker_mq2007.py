"""What MAP@k of the queries of MQ2007 can be at most, if AP@k is SP@k / k (RS-ERR-31)."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from rankspec.papers.karmaker_2022 import printed as paper
from tests.papers import errata


@pytest.mark.spec("RS-ERR-31")
def test_the_bounds_of_the_erratum(data: Callable[[str], Path]) -> None:
    relevant: Counter[str] = Counter()
    for part in ("A1", "A2"):
        with gzip.open(data("letor_mq2007_agg") / f"{part}.txt.gz", "rt", encoding="ascii") as rows:
            for row in rows:
                label, query, *_ = row.split()
                relevant[query] += label != "0"
    assert len(relevant) == 678
    assert errata.rounded(Fraction(relevant.total(), len(relevant))) == "10.58"
    at_most = [
        sum((Fraction(min(k, n), k) for n in relevant.values()), Fraction(0)) / len(relevant)
        for k in paper.CUTOFFS
    ]
    ((_, *printed),) = errata.table("RS-ERR-31")
    assert [errata.rounded(x, 4) for x in at_most] == printed
    assert all(Fraction(row[4]) > at_most[4] for row in paper.PRINTED["MAP", "MQ2007"].values())
