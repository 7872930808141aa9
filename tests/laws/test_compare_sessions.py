"""The law of comparisons of sessions: a session is a unit as a query is."""

from __future__ import annotations

import json

import pytest

import rankspec as rs
from rankspec.analysis.comparison.tests import BY_NAME

from ..api.test_compare import TENTHS, evaluated
from ..api.test_compare_sessions import VALUE, of_sessions


@pytest.mark.spec("RS-SES-31", "RS-SES-31/L1")
def test_a_session_is_a_unit_as_a_query_is() -> None:
    """The same values of queries and of sessions: all tests, corrections, effects, words aside."""
    labels = {name: [int(x > 2) for x in values[:18]] for name, values in TENTHS.items()}
    sessions = of_sessions(labels)
    tens = {name: [10 * x for x in values] for name, values in labels.items()}
    queries = evaluated(tens)  # P@10 is 0 or 1, as the label is
    for correction, tests in (("holm", list(BY_NAME)), ("max-t", ["randomisation"])):
        how = {"tests": tests, "correction": correction, "replicates": 300, "seed": 5}
        a, b = rs.compare(sessions, **how).to_dict(), rs.compare(queries, **how).to_dict()
        (of_a,), (of_b,) = a["measures"], b["measures"]
        assert a["design"] == {"name": "paired", "why": "all systems have the same sessions"}
        assert [x.pop("sessions") for x in of_a["systems"]] == [18] * 3
        assert [x.pop("queries") for x in of_b["systems"]] == [18] * 3
        assert (a["unit"], of_a.pop("sessions")) == ("session", 18)
        assert (b["unit"], of_b.pop("queries")) == ("query", 18)
        assert (of_a.pop("measure"), of_b.pop("measure")) == (VALUE, "P@10")
        assert of_a["systems"] == of_b["systems"]
        assert json.dumps(of_a) == json.dumps(of_b).replace("within queries", "within sessions")
        assert "query" not in json.dumps(a)
        assert "queries" not in json.dumps(a)
