"""Programs whose definitions are easy to miss, or to mistake for others."""

from __future__ import annotations

import json

import pytest

from rankspec import identify
from rankspec.metrics.catalogue import METRICS
from tests.identify.boxes import of_scores

GRADES = {"integers": True, "negative": False}
BY_NAME = {metric.name: metric for metric in METRICS}


def found_of(box, form=None, **declared):
    return identify(box, form, isolated=False, **declared)


@pytest.mark.spec("RS-IDF-4")
def test_a_report_of_a_measure_with_a_prior():
    box = of_scores(BY_NAME["LNDCG"], "input")
    found = found_of(box, max_length=5, **GRADES)
    assert "LNDCG" in str(found)
    assert json.loads(json.dumps(found.as_dict()))["definition"]["measure"].startswith("LNDCG")
    assert found.vectors
