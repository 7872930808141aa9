"""rankspec diversity eval."""

from __future__ import annotations

import json

import pytest

import rankspec as rs
from rankspec.cli.main import main

from ..each import each

QRELS = "1 1 a 1\n1 1 b 1\n1 2 c 1\n2 1 a 0\n2 2 b 1\n"
RUN = "1 Q0 a 1 3 x\n1 Q0 b 2 2 x\n1 Q0 c 3 1 x\n2 Q0 b 2 9 x\n2 Q0 a 1 1 x\n"


@pytest.fixture
def files(tmp_path):
    paths = {"qrels": QRELS, "run": RUN, "probabilities": "1 1 0.75 inf\n1 2 0.25\n2 1 1\n2 2 1\n"}
    for name, text in paths.items():
        (tmp_path / name).write_text(text)
    return {name: str(tmp_path / name) for name in paths}


@pytest.mark.spec("RS-DIV-19")
def test_a_table(files, capsys):
    assert main(["diversity", "eval", files["qrels"], files["run"]]) == 0
    out = capsys.readouterr().out
    assert out.split()[:5] == ["run", "alpha_nDCG@10", "ERR_IA@10", "NRBP", "StRecall@10"]
    found = rs.evaluate_diversity(files["qrels"], files["run"], "alpha_nDCG@10")
    assert f"{found['alpha_nDCG@10']:.4f}" in out


@pytest.mark.spec("RS-DIV-19")
def test_queries_measures_and_probabilities(files, capsys):
    words = ["-m", "D#-nDCG@2,I-rec@1", "--format", "json", "-q", "--order", "rank"]
    beside = ["--probabilities", files["probabilities"], "--gain", "exp2"]
    assert main(["diversity", "eval", files["qrels"], files["run"], *words, *beside]) == 0
    found = json.loads(capsys.readouterr().out)
    expected = rs.evaluate_diversity(
        files["qrels"],
        files["run"],
        ["Dsharp_nDCG@2", "StRecall@1"],
        order="rank",
        gain="exp2",
        probabilities=files["probabilities"],
    )
    assert found["runs"][0]["per_query"] == expected.per_query
    assert found["probabilities"] == files["probabilities"]
    assert found["conventions"]["order"] == "rank"


@pytest.mark.spec("RS-DIV-19")
def test_the_formats_agree(files, capsys):
    values = []
    for name in ("tsv", "trec"):
        words = ["-m", "strec@1", "--format", name]
        assert main(["diversity", "eval", files["qrels"], files["run"], *words]) == 0
        values.append(float(capsys.readouterr().out.split()[-1]))
    assert values == [0.75, 0.75]


@pytest.mark.spec("RS-DIV-19")
@each(
    "words, said",
    [
        (["-m", "nDCG@10"], "it takes one label per item"),
        (["--ties", "best"], 'ties: queries with subtopics do not support "best"'),
        (["--probabilities", "nowhere"], "nowhere"),
        (["--alpha", "1"], "--alpha"),
    ],
)
def test_what_is_refused(words, said, files, capsys):
    assert main(["diversity", "eval", files["qrels"], files["run"], *words]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.spec("RS-DIV-19")
def test_eval_and_certify_say_where_these_are_taken(files, capsys):
    assert main(["eval", files["qrels"], files["run"], "-m", "alpha_nDCG@10"]) == 2
    assert "rankspec diversity eval" in capsys.readouterr().err
    assert main(["certify", "-m", "alpha_nDCG@10", "--labels", "1,0"]) == 2
    assert "rs.certify.alpha_ndcg" in capsys.readouterr().err
