"""What evaluate takes and gives, besides the values (tests/laws, tests/published)."""

from __future__ import annotations

import io
import json
import pickle
import subprocess
import sys
from copy import deepcopy
from decimal import Decimal

import numpy as np
import pytest

import rankspec as rs
from rankspec.compute import backends as engine
from rankspec.errors import InputError
from rankspec.evaluation import outputs
from rankspec.evaluation.conventions import convention
from rankspec.evaluation.evaluate import evaluate
from rankspec.metrics import grammar
from rankspec.reference.ties import RULES

TIES = convention("ties").values

QRELS = {"q2": {"a": 1, "b": 2}, "q1": {"a": 1}}
RUN = {"q1": {"a": 1.0}, "q0": {"z": 1.0}}


@pytest.mark.parametrize(
    "measures",
    [
        ["nDCG@5", "nDCG@10", "AP"],
        ["ndcg_cut.5,10", "map"],
        ("ndcg_cut_5", "nDCG@10", "nDCG@5", "AP", "map"),
        [*grammar.measures("ndcg_cut.5,10"), "AP"],
        iter(["ndcg_cut.5,10", "AP"]),
    ],
)
def test_measures_in_any_spelling_each_once(measures) -> None:
    result = evaluate(QRELS, RUN, measures)
    assert [str(m) for m in result.measures] == ["nDCG@5", "nDCG@10", "AP"]
    assert list(result.mean) == list(result.per_query) == ["nDCG@5", "nDCG@10", "AP"]


def test_one_measure_as_text_or_object() -> None:
    (measure,) = grammar.measures("RR")
    assert evaluate(QRELS, RUN, "RR").mean == evaluate(QRELS, RUN, measure).mean == {"RR": 0.5}


def test_no_measures() -> None:
    with pytest.raises(rs.InputError, match=r"^measures: expected at least one, .*, got none$"):
        evaluate(QRELS, RUN, [])


def test_the_result() -> None:
    result = evaluate(QRELS, RUN, ["AP", "P@2"])
    assert result.queries == ("q2", "q1")
    assert result.missing == ("q2",)
    assert result.per_query == {"AP": {"q2": 0.0, "q1": 1.0}, "P@2": {"q2": 0.0, "q1": 0.5}}
    assert result.mean == {"AP": 0.5, "P@2": 0.25}
    assert result["AP"] == result["map"] == 0.5
    assert result["P@2"] == result["P_2"] == result["P.2"] == 0.25
    with pytest.raises(KeyError, match=r"P@3 was not computed; computed were AP, P@2"):
        result["P@3"]
    with pytest.raises(InputError, match=r'^unknown measure "nothing"'):
        result["nothing"]


def test_the_result_as_a_table_and_as_data() -> None:
    result = evaluate(QRELS, RUN, ["AP", "P@2"], ties="worst")
    assert str(result) == (
        "run      AP     P@2\n"
        "run  0.5000  0.2500\n"
        "\n"
        "2 queries, ties: worst\n"
        "run has no results for 1 of them: they are empty lists\n"
        "run has 1 query without judgments: left out"
    )
    data = json.loads(json.dumps(result.to_dict()))
    assert data["mean"] == result.mean
    assert data["per_query"] == result.per_query
    assert data["missing"] == ["q2"]
    assert data["extra"] == list(result.extra) != []
    assert data["measures"]["AP"] == dict(result.definition("AP"))


@pytest.mark.parametrize("rule", RULES)
def test_the_definition_names_every_convention(rule: str) -> None:
    result = evaluate(QRELS, RUN, ["nDCG(gain='exp2')@10"], ties=rule)
    written = str(result.definition("nDCG(gain='exp2')@10"))
    specs = ["RS-DCG-6", "RS-GAIN-2", "RS-DISC-1", "RS-CONV-2", "RS-CONV-3", "RS-CONV-4"]
    specs += [f"RS-CONV-{n}" for n in range(7, 11)]
    specs += ["RS-NUM-1", "RS-NUM-5", "RS-EXP-3" if rule == "expected" else "RS-TIE-2"]
    for spec in specs:
        assert f"({spec})" in written
    assert f"ties        {rule}: {TIES[rule]}" in written


def test_a_metric_without_a_pool_says_nothing_of_it() -> None:
    result = evaluate(QRELS, RUN, ["P@2", "AP"])
    assert "pool" not in result.definition("P@2")
    assert "pool" in result.definition("AP")


def test_all_measures_are_one_call_on_one_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    values = engine.values
    monkeypatch.setattr(engine, "values", lambda *given: calls.append(given) or values(*given))
    evaluate(QRELS, RUN, ["nDCG@5", "AP", "P@2"], queries="both")
    ((measures, batch, backend),) = calls
    assert [str(m) for m in measures] == ["nDCG@5", "AP", "P@2"]
    assert backend == "auto"
    assert batch.labels.tolist() == [1]
    assert batch.pool.tolist() == [1]


@pytest.mark.spec("RS-CONV-1")
@pytest.mark.parametrize("label", [255, 256, 2**63 - 1, 0.5, 2.0**70])
def test_labels_of_every_size_reach_the_measure(label: float) -> None:
    qrels = {"q": {"a": label, "b": 1}}
    for backend in ("c", "reference"):
        assert evaluate(qrels, {"q": {"a": 1}}, "CG@1", backend=backend)["CG@1"] == float(label)


@pytest.mark.spec("RS-CONV-1")
def test_labels_that_no_array_holds_exactly() -> None:
    with pytest.raises(InputError, match="the label 9007199254740993 is not a double"):
        evaluate({"q": {"a": 2**53 + 1, "b": 0.5}}, {"q": {"a": 1}}, "CG@1")
    assert evaluate({"q": {"a": 2**53, "b": 0.5}}, {"q": {"a": 1}}, "CG@1")["CG@1"] == 2.0**53


def test_a_label_without_a_gain_is_named() -> None:
    qrels = {"q": {"a": 1, "b": 3}, "r": {"c": 4}}
    with pytest.raises(InputError) as error:
        evaluate(qrels, {}, ["AP", "nDCG(gain='0-1-10-100')@5"])
    assert str(error.value) == (
        'measure "nDCG(gain=\'0-1-10-100\')@5": label 4 of document "c" for query "r": '
        "the gain table has the labels 0 to 3"
    )
    # A negative label counts as 0, which every gain takes.
    assert evaluate({"q": {"a": -4}}, {"q": {"a": 1}}, "CG(gain='0-1')").mean == {
        "CG(gain='0-1')": 0
    }


@pytest.mark.spec("RS-NUM-5")
def test_a_value_beyond_the_doubles_has_no_mean() -> None:
    qrels = {"q": {"a": 1}, "r": dict.fromkeys("abcde", 1023)}
    run = {"q": {"a": 1}, "r": dict.fromkeys("abcde", 1)}
    with pytest.raises(InputError, match='the value of query "r" exceeds the range of doubles'):
        evaluate(qrels, run, "DCG(gain='exp2')")
    assert evaluate(qrels, run, "nDCG(gain='exp2')").mean == {"nDCG(gain='exp2')": 1.0}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ties": "random"}, 'ties: unknown rule "random"; expected one of "id-descending", '),
        ({"backend": "gpu"}, 'unknown backend "gpu"; there are "auto", "c" and "reference"'),
    ],
)
def test_unknown_options(options: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        evaluate(QRELS, RUN, "AP", **options)


def test_ids_with_tabs_keep_the_lines_whole() -> None:
    result = evaluate({"a\tb\n": {"d": 1}}, {}, "RR")
    assert outputs.tsv({"x\ty": result}, per_query=True) == (
        "run\tquery\tRR\nx y\ta b \t0.0\nx y\tall\t0.0\n"
    )
    assert outputs.trec({"x": result}, per_query=True) == (
        "recip_rank            \ta b \t0.0000\nrecip_rank            \tall\t0.0000\n"
    )


def test_the_function_is_not_hidden_by_a_module_of_its_name() -> None:
    """Importing a submodule sets an attribute of the package: none may have a function's name."""
    program = (
        "import rankspec.cli.main, rankspec.evaluation.render, rankspec.formats.frames\n"
        "rankspec.cli.main.main(['measures'])\n"
        "import rankspec as rs; assert rs.evaluate({'q': {'a': 1}}, {}, 'AP')['AP'] == 0"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)  # noqa: S603


def test_a_measure_is_found_by_the_name_that_asked_for_it() -> None:
    """The profile says what the name leaves open; the full name is found too."""
    result = evaluate(QRELS, RUN, "nDCG@10", profile="gdeval")
    assert result["nDCG@10"] == result["nDCG(gain='exp2')@10"] == 1.0
    assert "exp2" in result.definition("nDCG@10")["gain"]


@pytest.mark.parametrize("backend", ["c", "reference"])
def test_a_divisor_is_0_where_it_is_and_not_where_its_double_is(backend: str) -> None:
    qrels, run = {"q": {"a": 5e-324}}, {"q": {"a": 1.0}}
    chosen = {"undefined": "omit", "backend": backend}

    def values(measure: str, **more: object) -> list[dict[str, float]]:
        return list(evaluate(qrels, run, measure, **chosen, **more).per_query.values())

    assert values("nDCG", discount=[0.25]) == [{"q": 1.0}]
    assert values("nDCG", discount=[0]) == [{}]
    assert values("AP", rel=5e-324) == [{"q": 1.0}]
    assert values("AP") == [{}]


@pytest.mark.spec("RS-CONV-1", "RS-CONV-6")
def test_booleans_and_decimals_of_any_library() -> None:
    qrels = {"q": {"a": np.True_, "b": Decimal(2), "c": Decimal("0.5"), "d": True}}
    run = {"q": {"a": Decimal("0.1"), "b": Decimal("0.10"), "c": 1, "d": np.False_}}
    result = evaluate(qrels, run, "nDCG", ties="input")
    assert result["nDCG"] == rs.ndcg([0.5, 1, 2, 1])
    assert evaluate(qrels, run, "nDCG", ties="input", backend="reference") == result


@pytest.mark.spec("RS-TIE-2", "RS-CONV-19")
def test_ids_are_ordered_by_their_bytes_everywhere() -> None:
    """The byte ff comes before what is above it as a character, as it does in a file."""
    ids = ["\udcff", "\ufffd", "\U0001f600"]
    for relevant in ids:
        labels = [int(x == relevant) for x in ids]
        run = {"q": dict.fromkeys(ids, 1.0)}
        expected = evaluate({"q": dict(zip(ids, labels, strict=True))}, run, "RR")["RR"]
        assert rs.rr(labels, scores=[1, 1, 1], ids=ids) == expected
    assert rs.rr([1, 0, 0], scores=[1, 1, 1], ids=ids) == 1.0


@pytest.mark.spec("RS-CONV-16", "RS-CONV-19")
def test_a_tie_of_some_lines_of_a_query_is_none_of_the_list() -> None:
    """The highest score comes after the lines of another query."""
    run = b"q Q0 a 1 1 t\nq Q0 b 2 1 t\np Q0 a 1 1 t\nq Q0 c 3 9 t\n"
    options = {"ties": "expected", "depth": 1}
    for backend in ("c", "reference"):
        result = evaluate({"q": {"c": 1}}, io.BytesIO(run), "RR", backend=backend, **options)
        assert result["RR"] == 1.0
        with pytest.raises(InputError, match="are tied"):
            evaluate({"q": {"c": 1}}, io.BytesIO(run[:-14]), "RR", backend=backend, **options)


@pytest.mark.parametrize("huge", ["1e999999999", "-1e400", "1e-999999999"])
def test_decimals_beyond_the_range_are_refused_at_once(huge: str) -> None:
    with pytest.raises(InputError, match="beyond the range of doubles"):
        evaluate({"q": {"a": 1}}, {"q": {"a": Decimal(huge)}}, "RR")


@pytest.mark.spec("RS-CONV-34")
def test_any_spelling_finds_what_a_result_holds() -> None:
    """Keys, order, equality and JSON are those of a plain dict all the same."""
    qrels, run = {"q": {"a": 1}, "p": {"b": 1}}, {"q": {"a": 1.0}}
    names = ("nDCG@20", "NDCG@20", "ndcg_cut.20", "nDCG(gain='exp2')@20", "ndcg_burges@20")
    plain = {"nDCG(gain='exp2')@20": 1.0, "ERR": 0.0625}
    of_runs = evaluate(qrels, run, ["nDCG@20", "ERR"], profile="gdeval")
    letor = rs.evaluate_letor(
        io.BytesIO(b"1 qid:q 1:3\n"), ["nDCG@20", "ERR"], feature=1, gain="exp2"
    )
    copies = pickle.loads(pickle.dumps(of_runs)), deepcopy(of_runs)  # noqa: S301
    for result in (of_runs, letor, *copies):
        for name in (*names, result.measures[0]):
            assert result[name] == result.mean[name] == result.mean.get(name) == 1.0, name
            assert result.per_query[name] == result.per_query.get(name) == {"q": 1.0}, name
            assert name in result.mean, name
            assert name in result.per_query, name
            assert result.definition(name)["k"] == "20 (RS-CONV-2)", name
        for name in ("nDCG@5", "no measure", "", 5, None):
            assert name not in result.mean
            assert result.per_query.get(name, "none") == "none"
            with pytest.raises(KeyError):
                result.per_query[name]
        assert result.mean == plain
        assert list(result.per_query) == list(plain)
        assert json.dumps(result.mean) == json.dumps(plain)
        assert repr(result.mean) == repr(plain)
        assert {type(result.to_dict()[x]) for x in ("mean", "per_query")} == {dict}


@pytest.mark.spec("RS-CONV-34")
def test_any_spelling_finds_what_a_result_of_sessions_holds() -> None:
    """What the name does not say is what the evaluation was told."""
    measures = ["nsDCG@10", "sDCG@10"]
    result = rs.evaluate_sessions({"s": {"a": 2}}, {"s": [["a"]]}, measures, gain="exp2")
    copied = pickle.loads(pickle.dumps(result))  # noqa: S301
    for again in (result, copied):
        for name in ("nsDCG@10", "nsdcg@10", "nsDCG(gain='exp2')@10"):
            assert again[name] == again.mean[name] == again.per_session[name]["s"] == 1.0, name
        assert list(again.mean) == ["nsDCG(gain='exp2')@10", "sDCG(gain='exp2')@10"]
        assert again == result
        assert "SDCG@10" not in again.mean  # scaled DCG
        assert again.mean["sDCG@10"] == 3.0


@pytest.mark.parametrize("backend", ["c", "reference"])
@pytest.mark.spec("RS-CONV-11")
def test_errors_of_values_name_the_query(backend, tmp_path):
    judged = {f"d{i}": i % 5 for i in range(15)}  # three times five labels: 168168000 orders
    qrels, run = {"q1": {"d0": 1}, "q2": judged}, {"q1": {"d0": 1}, "q2": dict.fromkeys(judged, 1)}
    own = {"measures": ["nDCG", "BPM"], "ties": "expected", "backend": backend}
    words = '^ties: query "q2": BPM has no closed form .* 168168000 orders'
    with pytest.raises(InputError, match=words):
        evaluate(qrels, run, **own)
    (tmp_path / "qrels").write_text(
        "".join(f"{q} 0 {d} {x}\n" for q, labels in qrels.items() for d, x in labels.items())
    )
    (tmp_path / "run").write_text(
        "".join(f"{q} Q0 {d} 1 {s} x\n" for q, of in run.items() for d, s in of.items())
    )
    with pytest.raises(InputError, match=words):
        evaluate(tmp_path / "qrels", tmp_path / "run", **own)


@pytest.mark.parametrize("backend", ["c", "reference"])
@pytest.mark.spec("RS-PREC-60", "RS-CONV-16")
def test_lists_are_not_cut_where_their_ends_matter(backend):
    qrels = b"q 0 a 1\nq 0 b 1\n"

    def refused(run: bytes, measures: list[str], **given: object) -> InputError:
        with pytest.raises(InputError) as error:
            evaluate(io.BytesIO(qrels), io.BytesIO(run), measures, backend=backend, **given)
        assert type(error.value) is InputError
        return error.value

    run = b"q Q0 d 1 1 t\nq Q0 a 2 2 t\n"
    assert ' query "q": 2 is too small: ' in str(refused(run, ["Utility(documents=2)@1"]))
    tied = run.replace(b"2 2 t", b"2 1 t")
    assert "rank 1 and the next" in str(refused(tied, ["P"], ties="expected", depth=1))
