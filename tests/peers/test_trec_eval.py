"""The profile trec_eval-10 against that program, which no package index has.

RANKSPEC_TREC_EVAL names it, after `make` in a copy of https://github.com/usnistgov/trec_eval.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rankspec.cli.main import main
from rankspec.errors import InputError
from rankspec.evaluation.evaluate import evaluate
from rankspec.metrics import grammar

from .worlds import SEEDS, Table, world

PROGRAM = os.environ.get("RANKSPEC_TREC_EVAL", "")
pytestmark = pytest.mark.skipif(
    not PROGRAM, reason="RANKSPEC_TREC_EVAL does not name the program trec_eval 10"
)

NAMES = ["ndcg", "ndcg_cut.1,3,10,100", "map", "map_cut.2,5", "P.1,5,20", "recall.1,5,50"]
NAMES += ["recip_rank", "dcg", "ideal_dcg", "gm_map", "infAP"]
NAMES += ["iprec_at_recall.0,.1,.2,.3,.4,.5,.6,.7,.8,.9,1", "11pt_avg"]
NAMES += ["Rprec_mult.0.2,0.4,0.6,0.8,1.0,1.2,1.4,1.6,1.8,2.0"]
SETS = ["num_ret", "num_rel", "num_rel_ret", "set_P", "set_recall", "set_F", "set_map", "num_q"]
SETS += ["utility", "yaap"]
SETS += ["set_relative_P", "relative_P.1,5,20", "num_nonrel_judged_ret", "unj.5,10,20", "gm_bpref"]
OURS = {"dcg": "DCG", "ideal_dcg": "IDCG"}
GAINS = "ndcg.1=2,2=5.5,4=9"

Values = dict[tuple[str, str], float]
"""{(measure, query): value}, "all" for the mean"""

PRINTED = 0.5e-4 + 1e-9  # its 4 decimals, and its additions of doubles


def of_trec_eval(folder: Path, qrels: Table, run: Table, names: list[str], *more: str) -> Values:
    """The values, as they are printed: to 4 decimals."""
    lines = {"qrels": "{} 0 {} {}\n", "run": "{} Q0 {} 1 {!r} tag\n"}
    for (name, line), table in zip(lines.items(), (qrels, run), strict=True):
        rows = (line.format(q, d, x) for q, ds in table.items() for d, x in ds.items())
        (folder / name).write_bytes("".join(rows).encode())
    options = [option for name in names for option in ("-m", name)]
    command = [PROGRAM, "-q", *more, *options, str(folder / "qrels"), str(folder / "run")]
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    rows = (line.split() for line in done.stdout.splitlines())
    return {(name, query): float(value) for name, query, value in rows}


def by_profile(qrels: Table, run: Table, names: list[str], **options: Any) -> Values:
    """The same by the profile, under the program's names."""
    all_values = {}
    for name in names:
        for measure in grammar.measures(OURS.get(name, name)):
            theirs = name if name in OURS else measure.trec_name
            found = evaluate(qrels, run, measure, profile="trec_eval-10", **options)
            (values,), (mean,) = found.per_query.values(), found.mean.values()
            if measure.metric.average.linear:  # of a geometric mean it prints no query
                all_values |= {(theirs, query): x for query, x in values.items()}
            all_values[theirs, "all"] = mean
    return all_values


def differences(ours: Values, theirs: Values) -> list[str]:
    """What only one of both has, and each value that printing does not explain."""
    found = [f"{key}: one only" for key in ours.keys() ^ theirs.keys()]
    return found + [
        f"{key}: {ours[key]!r}, and theirs {theirs[key]!r}"
        for key in ours.keys() & theirs.keys()
        if abs(ours[key] - theirs[key]) > PRINTED
    ]


OPTIONS = {
    "-c": {"queries": "qrels"},
    "-J": {"unjudged": "condensed", "negative": "unjudged"},
    "-c -J": {"queries": "qrels", "unjudged": "condensed", "negative": "unjudged"},
    "-c -M 1": {"queries": "qrels", "depth": 1},
}
SMALL: tuple[Table, Table] = (
    {"a": {"x": 1, "y": 1}, "b": {"x": 1, "z": 0, "w": 2}, "c": {"x": 1}},
    {"a": {"x": 2.0, "u": 1.0}, "b": {"u": 1.0}},
)
"""A query of which no judged document is retrieved, and one that the run misses."""
WEIGHTED = ["utility.2,-1,-0.5,0", "utility.2,-1,0,0"]


@pytest.mark.spec("RS-CONV-18", "RS-CONV-9", "RS-CONV-13")
@pytest.mark.parametrize("options", OPTIONS)
def test_with_options_it_is_the_same_mean_or_refused(options: str, tmp_path: Path) -> None:
    qrels, run = SMALL
    if "-c" not in options:
        qrels = {query: qrels[query] for query in run}
    refused = set()
    for name in [*NAMES, *SETS, *WEIGHTED]:
        try:
            ours = by_profile(qrels, run, [name], **OPTIONS[options])
        except InputError:
            refused.add(name.partition(".")[0])
            continue
        theirs = of_trec_eval(tmp_path, qrels, run, [name], *options.split())
        means = [sorted(x for (_, q), x in y.items() if q == "all") for y in (ours, theirs)]
        assert len(means[0]) == len(means[1])
        assert all(abs(x - y) <= PRINTED for x, y in zip(*means, strict=True)), name
    nan, weighted = {"iprec_at_recall", "11pt_avg"}, {"utility"}
    below_0 = {"num_nonrel_judged_ret", "unj", "gm_bpref"} if "-J" not in options else set()
    assert refused - below_0 == (nan if "-J" in options else set()) | (
        weighted if "-c" in options else set()
    )


RBP = {"rbp": "rbp", "rbp_resid": "rbp_resid", "rbp.p=0.8": "GRBP(p=0.8, max_rel='pool')"}
RBP["rbp_resid.p=0.5"] = "GRBP_residual(p=0.5, tail='unjudged')"


@pytest.mark.spec("RS-CONV-18", "RS-USR-1", "RS-USR-2", "RS-USR-3")
@pytest.mark.parametrize("seed", SEEDS)
def test_graded_rbp_and_its_residual_are_trec_eval_10(seed: int, tmp_path: Path) -> None:
    qrels, run = world(seed, missing=False)
    for theirs, ours in RBP.items():
        negative = {"negative": "unjudged"} if "resid" in theirs else {}
        found = evaluate(qrels, run, ours, profile="trec_eval-10", **negative)
        (values,), (mean,) = found.per_query.values(), found.mean.values()
        name = theirs.replace(".p", "_p")
        own = {(name, q): x for q, x in values.items()} | {(name, "all"): mean}
        assert differences(own, of_trec_eval(tmp_path, qrels, run, [theirs])) == [], theirs


@pytest.mark.spec("RS-CONV-18", "RS-CONV-9", "RS-CONV-12")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_profile_is_trec_eval_10(seed: int, tmp_path: Path) -> None:
    qrels, run = world(seed, missing=False)
    ours = by_profile(qrels, run, NAMES)
    assert differences(ours, of_trec_eval(tmp_path, qrels, run, NAMES)) == []
    qrels, run = world(seed)
    ours = by_profile(qrels, run, NAMES, queries="qrels")
    assert differences(ours, of_trec_eval(tmp_path, qrels, run, NAMES, "-c")) == []


@pytest.mark.spec("RS-CONV-18", "RS-GAIN-3")
@pytest.mark.parametrize("seed", range(5))
def test_gains_that_differ_by_1_or_more(seed: int, tmp_path: Path) -> None:
    qrels, run = world(seed, missing=False)
    theirs = of_trec_eval(tmp_path, qrels, run, [GAINS])
    (name,) = {name for name, _ in theirs}
    found = evaluate(qrels, run, "nDCG(gain=[0,2,5.5,5.5,9])", profile="trec_eval-10")
    (values,), (mean,) = found.per_query.values(), found.mean.values()
    ours = {(name, query): x for query, x in {**values, "all": mean}.items()}
    assert differences(ours, theirs) == []


@pytest.mark.parametrize(
    "option",
    [
        {"ties": "id-ascending"},
        {"scores": "float32"},
        {"unjudged": "condensed"},
        {"undefined": "omit"},
        {"pool": "retrieved"},
        {"gain": "exp2"},
        {"rel": 2},
    ],
    ids=str,
)
def test_control_another_convention_is_seen(option: dict[str, Any], tmp_path: Path) -> None:
    names = {"ndcg": "nDCG", "recip_rank": "RR"}
    for w in (world(seed, missing=False) for seed in range(10)):
        found = evaluate(*w, [*names.values()], profile="trec_eval-10", **option).per_query
        ours = {
            (name, query): x
            for name, values in zip(names, found.values(), strict=True)
            for query, x in values.items()
        }
        theirs = of_trec_eval(tmp_path, *w, [*names])
        if differences(ours, {key: x for key, x in theirs.items() if key[1] != "all"}):
            return
    pytest.fail("no world shows it")


@pytest.mark.spec("RS-CONV-18")
def test_what_the_profile_refuses_is_another_number_there(tmp_path: Path) -> None:
    qrels = {"1": {"a": 2, "b": 1, "c": 0, "d": -1}}
    run = {"1": {"x": 6.0, "a": 5.0, "b": 4.0, "c": 3.0, "d": 2.0}}
    for theirs, ours in (
        ("rbp.p=0.5", "RBP(p=0.5)"),
        ("rbp_resid.p=0.5", "RBP_residual(p=0.5)"),
        ("ndcg.0=1,1=2,2=3", "nDCG(gain=[1,2,3])"),
        ("ndcg.1=0.5,2=1", "nDCG(gain=[0,0.5,1])"),
    ):
        (value,) = {*of_trec_eval(tmp_path, qrels, run, [theirs]).values()}
        (own,) = evaluate(qrels, run, ours).mean.values()
        assert abs(value - own) > 1e-3, ours
        with pytest.raises(InputError, match="cannot do as its program does"):
            evaluate(qrels, run, ours, profile="trec_eval-10")


@pytest.mark.spec("RS-CONV-18")
def test_the_residual_is_0_where_all_is_judged_and_of_an_empty_list(tmp_path: Path) -> None:
    qrels, run = {"1": {"a": 1}, "2": {"a": 1}}, {"1": {"a": 1.0}}
    found = of_trec_eval(tmp_path, qrels, run, ["rbp_resid"], "-c")
    assert {*found.values()} == {0.0}
    (ours,) = evaluate(qrels, run, "RBP_residual(p=0.9)").per_query.values()
    assert ours == {"1": 0.9, "2": 1.0}


@pytest.mark.spec("RS-CONF-8", "RS-CONF-4")
def test_it_conforms_as_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    """By the command of spec/conformance.md; and it does not by trec_eval 9's conventions."""
    page = Path(__file__).resolve().parents[2] / "spec/conformance.md"
    lines = page.read_text("utf-8").splitlines()
    (line,) = (x for x in lines if x.startswith("rankspec conform") and "./trec_eval -q -c" in x)
    words = shlex.split(line.replace("./trec_eval", shlex.quote(PROGRAM)))[1:]
    assert main([*words, "--format", "json", "--no-progress"]) == 0
    counts = json.loads(capsys.readouterr().out)["counts"]
    assert counts["pass"] > 150
    assert counts["cases"] == counts["pass"] + counts["unsupported"]
    words[words.index("convention:scores=float32")] = "scores:double"
    assert main([*words, "--format", "json", "--no-progress"]) == 1
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert ["scores=double"] in [x["slips"] for x in findings]


@pytest.mark.spec("RS-CONV-18", "RS-CONV-1")
def test_fractions_of_labels_are_cut_off_there(tmp_path: Path) -> None:
    qrels, run = {"1": {"a": 0.5, "b": 1.5}}, {"1": {"a": 2.0, "b": 1.0}}
    found = of_trec_eval(tmp_path, qrels, run, ["ndcg"])
    cut = of_trec_eval(tmp_path, {"1": {"a": 0, "b": 1}}, run, ["ndcg"])
    assert found == cut
    with pytest.raises(InputError, match="trec_eval cuts the fraction off"):
        evaluate(qrels, run, "nDCG", profile="trec_eval-10")


@pytest.mark.spec("RS-CONV-53", "RS-PREC-16", "RS-PREC-21", "RS-PREC-23", "RS-PREC-25")
@pytest.mark.parametrize("seed", SEEDS)
def test_counts_and_measures_of_a_set(seed: int, tmp_path: Path) -> None:
    """It prints no NumQ of a query; and none that the run misses, with a list of one document."""
    qrels, run = world(seed, missing=False)
    ours = by_profile(qrels, run, SETS, negative="unjudged")
    ours = {key: x for key, x in ours.items() if key[0] != "num_q" or key[1] == "all"}
    assert differences(ours, of_trec_eval(tmp_path, qrels, run, SETS)) == []
    qrels, run = world(seed)
    means = by_profile(qrels, run, SETS, negative="unjudged", queries="qrels")
    theirs = of_trec_eval(tmp_path, qrels, run, SETS, "-c")
    assert (
        differences(
            {key: x for key, x in means.items() if key[1] == "all"},
            {key: x for key, x in theirs.items() if key[1] == "all"},
        )
        == []
    )
