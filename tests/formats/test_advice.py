"""The advice in errors: whoever follows it gets the right value.

Each case writes files, reads what the error says, does it, and compares with a value that the case
states, from the judgments and the order that the files were made of: mostly the reciprocal rank of
one relevant document, so that reading a file otherwise gives another number.
"""

from __future__ import annotations

import ast
import math
import re
import subprocess
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
import pandas as pd
import pytest

import rankspec as rs
from tests.each import each

PACKAGE = Path(rs.__file__).parent
QRELS = "q 0 a 1\n"
RUN = "q Q0 b 1 9 s\nq Q0 a 2 8 s\n"
HALF = 1 / 2
"""The reciprocal rank in RUN."""

UUID_A = UUID(int=10)


class Case(NamedTuple):
    """Files, a call that is refused, what the error advises, and the call that follows it."""

    says: str
    refused: Callable[[Any], Any]
    advised: Callable[[Any], Any]
    value: float
    qrels: str = QRELS
    run: str = RUN


class Files:
    """The files of a case, and the message of the refused call."""

    def __init__(self, folder: Path, case: Case) -> None:
        self.folder, self.message = folder, ""
        self.qrels, self.run = self.file("qrels", case.qrels), self.file("run", case.run)

    def file(self, name: str, content: str) -> str:
        path = self.folder / name
        path.write_text(content)
        return str(path)

    def by_awk(self, path: str, change: Callable[[str], str] = str) -> str:
        """The file that the awk program in the message makes of one."""
        options, program = re.findall(r"awk ((?:-v \S+ )?)'(.*?)'", self.message)[0]
        options = options.replace("TOPIC", "q").split()
        command = ["awk", *options, change(program), path]
        made = subprocess.run(  # noqa: S603 - what the message says
            command, check=True, capture_output=True, text=True
        ).stdout
        return self.file("by_awk", made)

    def best_passages(self) -> str:
        """The run that the awk program in the message makes of the qrels and the run."""
        program = re.findall(r"awk '(.*?)' QRELS RUN", self.message)[0]
        command = ["awk", program, self.qrels, self.run]
        made = subprocess.run(  # noqa: S603 - what the message says
            command, check=True, capture_output=True, text=True
        ).stdout
        return self.file("best_passages", made)

    def cut(self, ids: list[str], known: set[str]) -> list[str]:
        """The ids as the expression in the message makes them; known: judged or relevant."""
        expression = re.findall(r" by (.*), where (?:judged|relevant) holds", self.message)[0]
        names = {"re": re, "judged": known, "relevant": known}
        return [eval(expression, {**names, "x": x}) for x in ids]  # noqa: S307

    def cut_in_table(self, judged: set[str]) -> pd.DataFrame:
        table = pd.read_csv(self.run)
        return table.assign(doc_id=self.cut(list(table["doc_id"]), judged))

    def best_of_dict(self, qrels: Any, run: Any) -> float:
        """The value of the qrels and the run that the message makes of dicts."""
        judged, rows = re.findall(r"with judged = (\{.*?\}), the run (\[.*\]) and", self.message)[0]
        names = {"re": re, "qrels": qrels, "run": run}
        names["judged"] = eval(judged, names)  # noqa: S307
        return rr(qrels, eval(rows, names), duplicates="best")  # noqa: S307


def warned_of(evaluated: Callable[[], Any]) -> None:
    """Evaluate, and raise the warning as an error."""
    with warnings.catch_warnings(action="error"):
        try:
            evaluated()
        except rs.InputWarning as warning:
            raise rs.InputError(str(warning)) from None


def warned(x: Files) -> None:
    warned_of(lambda: both(x))


OF_PASSAGES = {"q": {"a": 1}}, {"q": {"b#0": 10, "a#3": 8, "b#1": 9}}
NUMBERED = {"q": {"d10": 1}}, {"q": {"d9-1": 3.0, "d10-1": 2.0, "d7-1": 1.0}}


def rr(qrels: Any, run: Any, **how: Any) -> float:
    return rs.evaluate(qrels, run, "RR", **how)["RR"]


def lists(ranked: Any, relevant: Any, measure: str = "RR", **how: Any) -> float:
    return next(iter(rs.evaluate_lists(ranked, relevant, measure, **how).mean.values()))


def session_gain(shown: list[Any], relevant: str) -> float:
    """sDCG of a session of one query: 1 if the relevant document is the first."""
    return rs.evaluate_sessions({"s": {relevant: 1}}, {"s": [shown]}, "sDCG@3")["sDCG@3"]


def both(x: Files) -> float:
    return rr(x.qrels, x.run)


def qrels_by_awk(x: Files) -> float:
    return rr(x.by_awk(x.qrels), x.run)


def run_by_awk(x: Files) -> float:
    return rr(x.qrels, x.by_awk(x.run))


RATINGS = "u\t50\t5\t881250949\nu\t5\t3\t881250950\nu\t7\t5\t881250951\n"
OF_RATINGS = "u Q0 5 1 9 s\nu Q0 50 2 8 s\nu Q0 7 3 7 s\n"
NDCG_OF_RATINGS = (3 + 5 / math.log2(3) + 5 / 2) / (5 + 5 / math.log2(3) + 3 / 2)
SUBTOPICS = "q 1 a 1\nq 2 a 0\nq 2 b 1\n"
LETOR = "1 qid:q 1:2 2:9\n0 qid:q 1:3 2:1\n"
SESSIONS = "session\tquery\trank\tdocument\ns\t1\t1\tb\ns\t1\t2\ta\n"
PADDED = pd.DataFrame(
    {"query_id": ["q"] * 4, "doc_id": [3, 5, -1, -1], "score": [0.9, 0.8, 0.0, 0.0]}
)
WITH_SCORES = pd.DataFrame({"query_id": ["q", "q"], "doc_id": ["b", "a"], "score": [9.0, 8.0]})

CASES = {
    "ratings": Case(
        "user item rating timestamp; awk '",
        lambda x: rs.evaluate(x.qrels, x.run, "nDCG"),
        lambda x: rs.evaluate(x.by_awk(x.qrels), x.run, "nDCG")["nDCG"],
        NDCG_OF_RATINGS,
        RATINGS,
        OF_RATINGS,
    ),
    "ratings with a header": Case(
        "user item rating timestamp; awk 'NR>1 ",
        lambda x: rs.evaluate(x.qrels, x.run, "nDCG", duplicates="first"),
        lambda x: rs.evaluate(x.by_awk(x.qrels), x.run, "nDCG")["nDCG"],
        NDCG_OF_RATINGS,
        "user_id:token\titem_id:token\trating:float\ttimestamp:float\n" + RATINGS,
        OF_RATINGS,
    ),
    "ratings as qrels with subtopics": Case(
        "user item rating timestamp; awk '",
        lambda x: rs.evaluate_diversity(x.qrels, x.run, "StRecall@1"),
        lambda x: rs.evaluate(x.by_awk(x.qrels), x.run, "nDCG")["nDCG"],
        NDCG_OF_RATINGS,
        RATINGS,
        OF_RATINGS,
    ),
    "judgments of subtopics": Case(
        "rankspec diversity eval and rs.evaluate_diversity() read these",
        both,
        lambda x: rs.evaluate_diversity(x.qrels, x.run, "StRecall@1")["StRecall@1"],
        HALF,  # b, of one of two subtopics
        SUBTOPICS,
    ),
    "judgments without subtopics": Case(
        "rankspec eval and rs.evaluate() read these",
        lambda x: rs.evaluate_diversity(x.qrels, x.run, "StRecall@1"),
        both,
        HALF,
    ),
    "a judgment list": Case(
        "with the document in the comment; awk",
        both,
        qrels_by_awk,
        HALF,
        "# grade\tqueryid\tdocid\ttitle\n1\tqid:q #\ta\tA #1 hit\n0\tqid:q #b\tB\n",
    ),
    "a blank in an id of a run": Case(
        'an id may not hold a blank, as that of document "a 1" would',
        both,
        lambda x: rr(
            x.file("q.json", '{"q": {"a 1": 1}}'),
            x.file("r.json", '{"q": {"a 1": 8.0, "b": 0.5, "c": 9}}'),
        ),
        HALF,
        run="q Q0 a 1 2 8.0 s\nq Q0 b 3 0.5 s\nq Q0 c 1 9 s\n",
    ),
    "a blank in an id of qrels": Case(
        'an id may not hold a blank, as that of document "a 1" would',
        both,
        lambda x: rr(x.file("q.json", '{"q": {"a 1": 1}}'), {"q": {"b": 2.0, "a 1": 1.0}}),
        HALF,
        qrels="q 0 a 1 1\n",
    ),
    "a text behind the tag": Case(
        'lines="tail" (--lines tail)',
        both,
        lambda x: rr(x.qrels, x.run, lines="tail"),
        HALF,
        run="q Q0 b 1 9 my run\nq Q0 a 2 8 my run 2\n",
    ),
    "comments": Case(
        'lines="comments" (--lines comments)',
        both,
        lambda x: rr(x.qrels, x.run, lines="comments"),
        HALF,
        run="# of today\n" + RUN,
    ),
    "a run without scores": Case(
        'order="rank" (--order rank) or order="file" reads a run without scores',
        both,
        lambda x: {rr(x.qrels, x.run, order=order) for order in ("rank", "file")}.pop(),
        HALF,
        run="q Q0 b 1 - s\nq Q0 a 2 - s\n",
    ),
    "a row of LETOR": Case(
        "rankspec eval --letor FILE and rs.evaluate_letor()",
        both,
        lambda x: rs.evaluate_letor(x.qrels, feature=1, measures="RR")["RR"],
        HALF,
        qrels=LETOR,
    ),
    "sessions": Case(
        "rankspec session eval and rs.evaluate_sessions()",
        lambda x: rr(x.qrels, x.run, order="score"),
        lambda x: rs.evaluate_sessions(
            {"s": {"a": 1}}, x.run, "sDCG(discount='zipf')"
        ).mean.popitem()[1],
        HALF,
        run=SESSIONS,
    ),
    "one run in the place of several": Case(
        "for one run use rs.evaluate()",
        lambda x: rs.evaluate_runs(x.qrels, x.run, "RR"),
        both,
        HALF,
    ),
    "the queries of one run in the place of several runs": Case(
        "For one run, {query: {document: score}}, use rs.evaluate()",
        lambda x: rs.evaluate_runs(x.qrels, {"q": {"b": 9.0, "a": 8.0}}, "RR"),
        lambda x: rr(x.qrels, {"q": {"b": 9.0, "a": 8.0}}),
        HALF,
    ),
    "CSV without a header": Case(
        "rankspec reads it if the first line names the columns, query_id,doc_id,score",
        both,
        lambda x: rr(x.qrels, x.file("named", "query_id,doc_id,score\n" + Path(x.run).read_text())),
        HALF,
        run="q,b,9\nq,a,8\n",
    ),
    "JSON of scores in a list": Case(
        "rankspec reads it as {query: {document: number}} or as a list of objects",
        both,
        lambda x: rr(x.qrels, x.file("x", '{"q": {"b": 9, "a": 8}}')),
        HALF,
        run='[["q", "b", 9],\n["q", "a", 8]]\n',
    ),
    "lists of ids in JSON": Case(
        "rs.evaluate_lists() takes {query: list of ids}",
        both,
        lambda _: lists({"q": ["b", "a"]}, {"q": ["a"]}),
        HALF,
        run='{"q": ["b", "a"]}\n',
    ),
    "nested lists of hits": Case(
        "expected {query: {document: score}}, or one row per query and document",
        both,
        lambda x: rr(
            x.qrels,
            x.file(
                "rows.jsonl",
                '{"query_id": "q", "doc_id": "b", "score": 9}\n'
                '{"query_id": "q", "doc_id": "a", "score": 8}\n',
            ),
        ),
        HALF,
        run='{"query_id": "q", "results": [{"id": "b", "s": 9}, {"id": "a", "s": 8}]}\n',
    ),
    "the header of BEIR": Case(
        "this is the header of BEIR's qrels; awk",
        both,
        qrels_by_awk,
        HALF,
        qrels="query-id corpus-id score\nq a 1\n",
    ),
    "three columns of qrels": Case(
        "these could be BEIR's qrels: query, document, label; awk",
        both,
        qrels_by_awk,
        HALF,
        qrels="q a 1\n",
    ),
    "two columns of NTCIR": Case(
        "NTCIR's .rel of one topic: document, label; awk",
        both,
        qrels_by_awk,
        HALF,
        qrels="a L1\nb L0\n",
    ),
    "labels of NTCIR": Case(
        'write the number of "L1"',
        both,
        lambda x: rr(x.file("numbers", "q 0 a 1\n"), x.run),
        HALF,
        qrels="q 0 a L1\n",
    ),
    "ranks in the third column, by awk": Case(
        "these could be a run of MS MARCO: query, document, rank; awk",
        both,
        run_by_awk,
        HALF,
        run="q a 2\nq b 1\n",
    ),
    "ranks in the third column, by the format": Case(
        "run_format (--run-format): msmarco",
        both,
        lambda x: rr(x.qrels, x.run, run_format="msmarco"),
        HALF,
        run="q a 2\nq b 1\n",
    ),
    "scores in the third column, by awk": Case(
        "if the third column is a score, write $3 for -$3",
        both,
        lambda x: rr(x.qrels, x.by_awk(x.run, lambda program: program.replace("-$3", "$3"))),
        HALF,
        run="q a 2\nq b 3\n",
    ),
    "scores in the third column, by the format": Case(
        "or triples for scores",
        both,
        lambda x: rr(x.qrels, x.run, run_format="triples"),
        HALF,
        run="q a 2\nq b 3\n",
    ),
    "scores asked for as ranks": Case(
        'if the third column is a score, give run_format="triples" (--run-format triples)',
        lambda x: rr(x.qrels, x.run, run_format="msmarco"),
        lambda x: rr(x.qrels, x.run, run_format="triples"),
        HALF,
        run="q a 2\nq b 3\n",
    ),
    "scores that begin as ranks": Case(
        'if the third column is a score, give run_format="triples" (--run-format triples)',
        both,
        lambda x: rr(x.qrels, x.run, run_format="triples"),
        HALF,
        run="q\tb\t1\nq\ta\t0.9\n",
    ),
    "padding in sessions": Case(
        'leave it out. If it is an id, give it as the string "-1"',
        lambda _: session_gain(["a", -1], "a"),
        lambda _: session_gain(["a"], "a") * session_gain(["a", "-1", "b"], "a"),
        1.0,
    ),
    "the id -1 in sessions": Case(
        'leave it out. If it is an id, give it as the string "-1"',
        lambda _: session_gain([-1], "-1"),
        lambda _: session_gain(["-1"], "-1"),
        1.0,
    ),
    "padding in rows": Case(
        "fill up their lists with -1: leave out the rows with this id",
        lambda _: rs.evaluate({"q": {"3": 1}}, PADDED, "SetP"),
        lambda _: rs.evaluate({"q": {"3": 1}}, PADDED[PADDED["doc_id"] != -1], "SetP")["SetP"],
        HALF,
    ),
    "columns of other names": Case(
        'Say which they are: columns={"query": NAME, "document": NAME, "score": NAME}',
        lambda x: rr(x.qrels, x.run, run_format="csv"),
        lambda x: rr(
            {"q": {"a": 1}},
            x.run,
            columns={"query": "who", "document": "which", "score": "how"},
        ),
        HALF,
        run="who,which,how\nq,b,9\nq,a,8\n",
    ),
    "ranks in a table": Case(
        'order="rank" orders the run by rank, the lowest first',
        both,
        lambda x: rr(x.qrels, x.run, order="rank"),
        HALF,
        run="query_id,doc_id,rank\nq,b,1\nq,a,2\n",
    ),
    "the numbers of a run are called labels": Case(
        'columns={"score": "label"}',
        both,
        lambda x: rr(x.qrels, x.run, columns={"run": {"score": "label"}}),
        HALF,
        run="query_id,doc_id,label\nq,b,9\nq,a,8\n",
    ),
    "the order of a frame": Case(
        'order="file" keeps the given order',
        lambda x: rr(x.qrels, {"q": {"b": 1.0, "a": 2.0}}, order="rank"),
        lambda x: rr(x.qrels, {"q": {"b": 1.0, "a": 2.0}}, order="file"),
        HALF,
    ),
    "a document twice in a run": Case(
        'duplicates="first", "last" or "best" (--duplicates)',
        both,
        lambda x: rr(x.qrels, x.run, duplicates="best"),
        HALF,  # b with 9 is above a with 8, though it has 7, too
        run="q Q0 b 1 7 s\nq Q0 a 2 8 s\nq Q0 b 3 9 s\n",
    ),
    "a document twice in a list": Case(
        'duplicates="first" or "last" says which is kept',
        lambda _: lists(["b", "b", "a"], ["a"]),
        lambda _: lists(["b", "b", "a"], ["a"], duplicates="first"),
        HALF,
    ),
    "padding of FAISS": Case(
        "padding=-1 leaves it out",
        lambda _: lists(np.array([[0, -1, -1], [3, 1, 7]]), [{0}, {3}], "SetP"),
        lambda _: lists(np.array([[0, -1, -1], [3, 1, 7]]), [{0}, {3}], "SetP", padding=-1),
        2 / 3,
    ),
    "padding of lists by user": Case(
        "padding=-1 leaves it out",
        lambda _: rs.evaluate_runs({"u": [0]}, {"x": {"u": [0, -1]}}, "SetP"),
        lambda _: rs.evaluate_runs({"u": [0]}, {"x": {"u": [0, -1]}}, "SetP", padding=-1)["x"][
            "SetP"
        ],
        1.0,
    ),
    "the id -1": Case(
        'If it is an id, give it as the string "-1"',
        lambda _: lists([5, -1], [-1]),
        lambda _: lists(["5", "-1"], ["-1"]),
        HALF,
    ),
    "passages": Case(
        "QRELS - --duplicates best takes the best passage",
        warned,
        lambda x: rr(x.qrels, x.best_passages(), duplicates="best"),
        HALF,  # b, not judged, has one rank by its two passages
        run="q Q0 b#0 1 10 s\nq Q0 a#3_7 2 8 s\nq Q0 b#1 3 9 s\n",
    ),
    "passages beside judged documents whose ids look like theirs": Case(
        "QRELS - --duplicates best takes the best passage",
        warned,
        lambda x: rs.evaluate(x.qrels, x.best_passages(), "nDCG", duplicates="best")["nDCG"],
        1.0,
        "q 0 GX000-00-1 1\nq 0 GX000-00-2 1\n",
        "q Q0 GX000-00-1-3 1 .9 s\nq Q0 GX000-00-2 2 .8 s\n",
    ),
    "passages beside unjudged documents whose ids look like theirs": Case(
        "QRELS - --duplicates best takes the best passage",
        warned,
        lambda x: rr(x.qrels, x.best_passages(), duplicates="best"),
        1 / 3,
        "q 0 GX000-00-1 1\n",
        "q Q0 GX000-00-8 1 3 s\nq Q0 GX000-00-9 2 2 s\nq Q0 GX000-00-1-3 3 1 s\n",
    ),
    "passages with subtopics": Case(
        "| rankspec diversity eval QRELS - --duplicates best takes",
        lambda x: rs.evaluate_diversity(x.qrels, x.run, "StRecall@1"),
        lambda x: rs.evaluate_diversity(
            x.qrels, x.best_passages(), "StRecall@1", duplicates="best"
        )["StRecall@1"],
        HALF,
        SUBTOPICS,
        "q Q0 b#0 1 9 s\nq Q0 a#0 2 8 s\n",
    ),
    "passages in a table": Case(
        "replace each x in the run's column of documents by ",
        warned,
        lambda x: rr(x.qrels, x.cut_in_table(judged={"a"}), duplicates="best"),
        HALF,
        run="query_id,doc_id,score\nq,b#0,10\nq,a#3_7,8\nq,b#1,9\n",
    ),
    "passages by number in a table": Case(
        "replace each x in the run's column of documents by ",
        both,
        lambda x: rr(x.qrels, x.cut_in_table(judged={"a"}), duplicates="best"),
        HALF,  # b-2 stays, which may be a document
        run="query_id,doc_id,score\nq,b-2,10\nq,a-1,8\nq,a-2,9\n",
    ),
    "passages in dicts": Case(
        "for q, own in run.items() for x, score in own.items()]",
        lambda _: warned_of(lambda: rr(*OF_PASSAGES)),
        lambda x: x.best_of_dict(*OF_PASSAGES),
        HALF,
    ),
    "passages by number in dicts": Case(
        "for q, own in run.items() for x, score in own.items()]",
        lambda _: warned_of(lambda: rr(*NUMBERED)),
        lambda x: x.best_of_dict(*NUMBERED),
        HALF,
    ),
    "passages with another separator": Case(
        "QRELS - --duplicates best takes the best passage",
        both,
        lambda x: rr(x.qrels, x.best_passages(), duplicates="best"),
        HALF,
        run="q Q0 b_chunk_0 1 10 s\nq Q0 a_chunk_12 2 8 s\nq Q0 a_chunk_1 3 9 s\n",
    ),
    "passages with a slash": Case(
        "QRELS - --duplicates best takes the best passage",
        both,
        lambda x: rr(x.qrels, x.best_passages(), duplicates="best"),
        HALF,
        "q 0 http://x.org/a 1\n",
        "q Q0 http://x.org/b 1 10 s\nq Q0 http://x.org/a/2 2 8 s\nq Q0 http://x.org/a/3 3 9 s\n",
    ),
    "passages in lists": Case(
        'where relevant holds the relevant ids, and give duplicates="first"',
        lambda _: lists({"q": ["b#0", "a#0", "a#1"], "p": ["c#1"]}, {"q": ["a"], "p": ["c"]}),
        lambda x: lists([x.cut(["b#0", "b#1", "a#0"], {"a"})], [["a"]], duplicates="first"),
        HALF,
    ),
    "a list of passages": Case(
        'where relevant holds the relevant ids, and give duplicates="first"',
        lambda _: warned_of(lambda: lists(["11.2", "10.1", "10.2"], {"10"})),
        lambda x: lists(x.cut(["11.2", "10.1", "10.2"], {"10"}), {"10"}, duplicates="first"),
        HALF,
    ),
    "documents with scores in a list": Case(
        "for documents with scores, rs.evaluate() takes {query: {document: score}}",
        lambda _: lists([("b", 9.5), ("a", 8.5)], ["a"]),
        lambda _: rr({"q": {"a": 1}}, {"q": {"b": 9.5, "a": 8.5}}),
        HALF,
    ),
    "documents with scores in a dict": Case(
        "Where documents have scores, rs.evaluate() takes {query: {document: score}}",
        lambda _: lists({"q": {"b": 9.5, "a": 8.5}}, {"q": ["a"]}),
        lambda _: rr({"q": {"a": 1}}, {"q": {"b": 9.5, "a": 8.5}}),
        HALF,
    ),
    "lists of ids as a run": Case(
        "use rs.evaluate_lists()",
        lambda _: rr({"q": {"a": 1}}, {"q": ["b", "a"]}),
        lambda _: lists({"q": ["b", "a"]}, {"q": ["a"]}),
        HALF,
    ),
    "several runs": Case(
        "use rs.evaluate_runs()",
        lambda _: rr({"q": {"a": 1}}, {"x": {"q": {"b": 9.0, "a": 8.0}}}),
        lambda _: rs.evaluate_runs({"q": {"a": 1}}, {"x": {"q": {"b": 9.0, "a": 8.0}}}, "RR")["x"][
            "RR"
        ],
        HALF,
    ),
    "several runs of lists": Case(
        "rs.evaluate_runs(relevant, {name: {user: list of ids}}, measures)",
        lambda _: lists({"x": {"q": ["b", "a"]}}, {"q": ["a"]}),
        lambda _: rs.evaluate_runs({"q": ["a"]}, {"x": {"q": ["b", "a"]}}, "RR")["x"]["RR"],
        HALF,
    ),
    "relevant ids first": Case(
        "are the two swapped? rs.evaluate_lists(ranked, relevant, measures)",
        lambda _: lists([{"a"}], [["b", "a"]]),
        lambda _: lists([["b", "a"]], [{"a"}]),
        HALF,
    ),
    "a frame of lists": Case(
        "rs.evaluate() takes frames with columns for users, items and scores",
        lambda _: lists(pd.DataFrame([["b", "a"]]), [["a"]]),
        lambda _: rr({"q": {"a": 1}}, WITH_SCORES),
        HALF,
    ),
    "lists by position": Case(
        "dict(enumerate(lists))",
        lambda _: rs.evaluate_runs([["a"]], {"x": [["b", "a"]]}, "RR"),
        lambda _: rs.evaluate_runs(
            dict(enumerate([["a"]])), {"x": dict(enumerate([["b", "a"]]))}, "RR"
        )["x"]["RR"],
        HALF,
    ),
    "ids that are bytes": Case(
        "decode() makes a text of it",
        lambda _: lists(["b", b"a"], ["a"]),
        lambda _: lists(["b", b"a".decode()], ["a"]),
        HALF,
    ),
    "ids that are floats": Case(
        "convert it with int()",
        lambda _: lists([5.0, 7.0], [7]),
        lambda _: lists([int(5.0), int(7.0)], [7]),
        HALF,
    ),
    "ids that are arrays": Case(
        "convert it with item()",
        lambda _: rr({"q": {"7": 1}}, [("q", np.array(5), 2.0), ("q", np.array(7), 1.0)]),
        lambda _: rr(
            {"q": {"7": 1}}, [("q", np.array(x).item(), y) for x, y in ((5, 2.0), (7, 1.0))]
        ),
        HALF,
    ),
}

NOT_FOLLOWED = {
    "(--ampersands) reads it as one": "tests/formats/test_session_files.py follows it",
    "pages (--pages) says what it is": "tests/formats/test_session_files.py follows it",
    'pages="joined" expects the next rank': "what the rule that was given expects",
    "The qrels come first": "says which argument is which; tests of RS-CONV-28 swap them",
    "give it: group (--group)": "tests/formats/test_letor.py gives it",
    "--columns": "as columns=; tests/cli/test_bad_input.py has the option",
}
"""Advice without a value of its own, and what tests it."""

ADVICE = re.compile(
    r"--[a-z]{3,}|\b[a-z_]+=\"[a-z0-9-]+\"|padding=|awk |rs\.evaluate\w*\(|convert it|decode\(\)"
)


@each("case", CASES.values(), ids=CASES, fast=20)
def test_whoever_follows_it_gets_the_right_value(case: Case, tmp_path: Path) -> None:
    files = Files(tmp_path, case)
    with pytest.raises(rs.InputError) as error:
        case.refused(files)
    files.message = str(error.value)
    assert case.says in files.message
    assert case.advised(files) == case.value


def literals(path: Path) -> list[str]:
    """The texts of a module but for its docstrings; {} stands for what is put into one."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    within = {x for node in nodes if isinstance(node, ast.JoinedStr) for x in node.values}
    within |= {node.value for node in nodes if isinstance(node, ast.Expr)}
    found = []
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            parts = (x.value if isinstance(x, ast.Constant) else "{}" for x in node.values)
            found.append("".join(map(str, parts)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in within:
            found.append(node.value)
    return found


def test_all_advice_of_the_readers_is_followed() -> None:
    """Advice of what reads input, and of its doors, is in the table, or there is a reason."""
    modules = [*(PACKAGE / "formats").glob("*.py"), PACKAGE / "evaluation" / "runs.py"]
    modules.append(PACKAGE / "evaluation" / "plausibility.py")
    texts = [text for path in modules for text in literals(path) if ADVICE.search(text)]
    assert len(texts) > 20
    said = [case.says for case in CASES.values()] + list(NOT_FOLLOWED)
    words = [re.escape(x).replace(r"\{\}", ".*") for x in texts]
    missing = [
        text
        for text, pattern in zip(texts, words, strict=True)
        if not any(says in text or re.search(pattern, says) for says in said)
    ]
    assert not missing
