"""Whole evaluations: TREC files, LETOR files and sessions, their conventions, profiles, means.

A case has the texts of the files, a measure by its name, and what is given beside these: a profile,
conventions. tools/evaluations.py makes JSON of it, with every convention, and the values.
"""

# fmt: off
from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from . import Group, Relation

FILES = ("qrels", "run", "letor", "predictions", "group", "sessions", "current", "topics")


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What goes in, and why; as a Case of the other chapters.

    measure: as it is asked for, "nDCG@10"
    files: the texts, by the name of the parameter: qrels and run; letor and predictions, or the
        number of a feature; sessions and qrels; and what there may be beside them
    conventions: those that are given; grades as pairs of labels
    error: what is refused: a file with a line, "run:3", a convention, or the measure
    """

    number: int
    why: str
    measure: str
    files: dict[str, Any]
    conventions: dict[str, Any] = field(default_factory=dict)
    profile: str | None = None
    flags: tuple[str, ...] = ()
    spec: tuple[str, ...] = ()
    laws: tuple[Relation, ...] = ()
    error: str | None = None

    @property
    def texts(self) -> list[str]:
        return [x for x in self.files.values() if isinstance(x, str)]

    def with_files(self, files: dict[str, Any]) -> Evaluation:
        return replace(self, files=files)


def case(
    number: int, why: str, measure: str, *, flags: str = "", spec: str = "", laws: str = "",
    error: str | None = None, profile: str | None = None, **given: Any,
) -> Evaluation:
    """A case; given are the files and the conventions.

    laws: "RS-CONV-9/L1 = evaluation-0002": the values, in their order, and the mean are that one's
    """
    files = {name: given.pop(name) for name in (*FILES, "feature") if name in given}
    related = tuple(Relation(*words.split()) for words in laws.split(";") if words.strip())
    return Evaluation(number, why, measure, files, given, profile, tuple(flags.split()),
                      tuple(spec.split()), related, error)


def group(about: str, *cases: Evaluation) -> Group:
    return Group(about, cases)  # type: ignore[arg-type]


def qrels(text: str) -> str:
    """TREC qrels of "q: a=1 b=0; p: c=2"."""
    return "".join(f"{q} 0 {d} {x}\n" for q, d, x, _ in _rows(text))


def run(text: str) -> str:
    """A TREC run of "q: a=2.5 b=1.5"; the ranks are those of the text."""
    return "".join(f"{q} Q0 {d} {i} {x} t\n" for q, d, x, i in _rows(text))


def _rows(text: str) -> list[tuple[str, str, str, int]]:
    rows = []
    for part in text.split(";"):
        query, _, rest = part.partition(":")
        for i, pair in enumerate(rest.split(), start=1):
            document, x = pair.split("=")
            rows.append((query.strip(), document, x, i))
    return rows


TIED = {"qrels": qrels("q: a=0 b=3 c=1 d=2"), "run": run("q: c=1.5 a=1.5 d=1.5 b=1.5")}
BESIDE = {"qrels": qrels("q: c=1"),
          "run": "q Q0 a 3 1.0 t\nq Q0 b 2 3.0 t\nq Q0 c 1 2.0 t\n"}
RULES = ("id-descending", "id-ascending", "input", "best", "worst", "expected")
NEAR = {"qrels": qrels("q: b=1"), "run": run("q: a=100000001.5 b=100000001.0")}
SAMPLED = {"qrels": qrels("q: a=-1 b=1 c=-2 d=0 e=1 z=-1; p: x=-1 y=2"),
           "run": run("q: a=9 b=8 u=7 c=6 d=5 e=4; p: x=2 y=1")}
OPEN = {"qrels": qrels("q: b=1 c=0 d=1 e=0 f=0"),
        "run": run("q: u=9 b=8 c=7 d=6 e=5 f=4 v=3")}
ZERO = {"qrels": qrels("q: a=1; p: a=0; o: a=2 b=1"),
        "run": run("q: b=2 a=1; p: a=1; o: b=2 a=1")}
ALIKE = {"qrels": qrels("q: a=1 b=0 c=0; p: a=1 b=1; o: a=0"),
         "run": run("q: b=3 a=2; p: a=1; o: a=1")}
SOME = {"qrels": qrels("q: a=1; p: b=1; o: c=1"),
        "run": run("o: x=3 y=2 c=1; q: x=2 a=1; n: a=1")}
DEEP = {"qrels": qrels("q: b=1 c=1 d=1"), "run": run("q: a=4 b=3 c=2 e=1")}
THREE = {"qrels": qrels("q: a=2 b=1; p: a=1 c=3; o: b=1 d=2 e=1"),
         "run": run("q: b=3.5 a=2.5 c=1; p: a=2 b=1.5 c=1; o: e=4 a=3 b=2")}


DAYS = {"qrels": qrels("q: a=100 b=20 c=90 d=15 e=10"),
        "run": run("q: a=5 b=4 c=3 d=2 e=1")}
PEERS = {"qrels": qrels("q: a=1 b=3; p: a=0; n: a=1; o: d=1 b=2"),
         "run": "q Q0 a 1 100000001.5 my tag\nq Q0 b 2 100000001 t\nq Q0 c 3 1 t\n"
         + run("p: a=2 b=1; o: b=1 d=0.5 x=0.25; x: a=1")}
PEERS_5 = run("q: a=100000001.5 b=100000001 c=1; p: a=2; o: b=1 d=0.5; x: a=1")


ROWS = "2 qid:7 1:0.5 2:3 # a\n0 qid:7 1:0.5\n1 qid:7 1:0.25 2:1\n0 qid:8 1:1\n1 qid:8 1:2\n"
SHOWN = "s1\t1\t1\ta\ns1\t1\t2\tb\ns1\t2\ns1\t3\t1\tc\ns2\t1\t1\td\ns2\t2\ns3\t1\t1\ta\n"
SEEN = qrels("s1: a=1 b=2; s2: d=1; s3: a=0")
IN_JSON = (
    '{"sessions": [{"id": "s1", "topic": null, "queries": [["a", "b"], [], ["c"]]}, '
    '{"id": "s2", "queries": [["d"], {"results": []}], "x": 1e999}, '
    '{"id": " s3", "queries": [["a"]]}]}'
)


def _result(rank: int, document: str) -> str:
    return f'<result rank="{rank}"><url>x</url><docno> {document} </docno></result>'


IN_XML = (
    '<sessiontrack2013 x="1"><!-- c --><session num="s1"><topic num="1"><title>t</title></topic>'
    f'<interaction num="1"><query>x</query><results>{_result(1, "a")}{_result(2, "b")}</results>'
    '<clicked><click/></clicked></interaction><interaction num="2"/><interaction num="3"><results>'
    f'{_result(1, "c")}</results></interaction><currentquery><query>y</query></currentquery>'
    '</session>\n<session num="s2"><topic num="1"/>'
    f'<interaction num="1"><results>{_result(1, "d")}</results></interaction><interaction num="2"/>'
    '</session><session num="s3"><topic num="2"/>'
    f'<interaction num="1"><results>{_result(1, "a")}</results></interaction></session>'
    '</sessiontrack2013>'
)


HALVES = {"qrels": qrels("q: a=-0.5 b=0.5 c=1.5"), "run": run("q: a=3 b=2 c=1")}
ROUNDED = ("exact", "floor", "truncate", "from-1")
THIRDS = {"qrels": qrels("q: a=1; p: a=1; o: a=1"),
          "run": run("q: a=1; p: b=2 a=1; o: b=3 c=2 a=1")}
TREC = {"qrels": qrels("q: a=0 b=2 c=1 d=0 e=1; p: a=1 b=0 c=1; o: a=0 b=3"),
        "run": run("q: a=100000001.5 b=100000001 x=5 d=4 c=3 y=2; p: x=2 b=1.5 a=1.5; "
                   "o: b=0.5 a=0.25")}


def unlike(convention: str, *values: str) -> str:
    return " ".join(f"unlike-{convention}-{value}" for value in values)


USUAL = [
    group(
        "files as they usually are, with the conventions of trec_eval -c",
        case(1, "three queries", "nDCG@10", **THREE, flags="several-queries", spec="RS-CONV-19"),
        case(2, "without a cut-off", "nDCG", **THREE, flags="several-queries"),
        case(3, "a cut-off that cuts list and ideal", "nDCG@2", **THREE, flags="several-queries"),
        case(4, "average precision", "AP", **THREE, flags="several-queries"),
        case(5, "reciprocal rank", "RR", **THREE, flags="several-queries"),
        case(6, "precision: the third rank counts, whatever it holds", "P@5", **THREE,
             flags="several-queries", spec="RS-CONV-2(a)"),
        case(7, "recall", "R@2", **THREE, flags="several-queries"),
        case(8, "the mean is exact: 0.1, ten times, is not what doubles add up to", "P@10",
             qrels="".join(f"{q} 0 a 1\n" for q in range(10)),
             run="".join(f"{q} Q0 a 1 1 t\n" for q in range(10)),
             flags="mean-in-doubles-differs several-queries", spec="RS-CONV-9(b) RS-NUM-5/L3"),
        case(9, "the mean of 1 and of twice 1/log2(3), rounded once", "nDCG",
             qrels=qrels("q: a=1; p: a=1; o: a=1"), run=run("q: a=1; p: b=2 a=1; o: b=2 a=1"),
             flags="mean-in-doubles-differs several-queries", spec="RS-NUM-5"),
    ),
    group(
        "what orders a run",
        case(10, "the scores; neither the rank column nor the lines", "RR", **BESIDE,
             flags=unlike("order", "rank", "file"), spec="RS-CONV-7"),
        case(11, "the rank column", "RR", **BESIDE, order="rank",
             flags=unlike("order", "score", "file")),
        case(12, "the lines", "RR", **BESIDE, order="file",
             flags=unlike("order", "score", "rank")),
        case(13, "by rank, scores are not read", "RR", qrels=BESIDE["qrels"], order="rank",
             run="q Q0 a 3 X t\nq Q0 b 2 - t\nq Q0 c 1 nan t\n", flags=unlike("order", "file"),
             laws="RS-CONV-32/L2 = evaluation-0011"),
        case(14, "by lines, neither", "RR", qrels=BESIDE["qrels"], order="file",
             run="q Q0 a X X t\nq Q0 b X X t\nq Q0 c X X t\n", flags=unlike("order", "rank"),
             laws="RS-CONV-32/L2 = evaluation-0012"),
        case(15, "by rank as by the ranks negated", "RR", qrels=BESIDE["qrels"],
             run="q Q0 a 0 -3 t\nq Q0 b 0 -2 t\nq Q0 c 0 -1 t\n", flags=unlike("order", "file"),
             laws="RS-CONV-32/L1 = evaluation-0011"),
        case(16, "by lines as by scores that fall", "RR", qrels=BESIDE["qrels"],
             run="q Q0 b 0 2 t\nq Q0 a 0 3 t\nq Q0 c 0 1 t\n", flags="lines-in-any-order",
             laws="RS-CONV-32/L1 = evaluation-0012"),
        case(17, "ranks that are the same are tied; 08 is 8", "RR", qrels=qrels("q: a=1"),
             run="q Q0 a +8 9 t\nq Q0 b 08 1 t\nq Q0 c 10 5 t\n", order="rank",
             flags=f'{unlike("order", "score")} {unlike("ties", "id-ascending", "expected")}'),
        case(18, "the lines of a query need not be together", "RR",
             qrels=qrels("q: b=1; p: b=1"), order="file",
             run="q Q0 a 1 1 t\np Q0 b 1 1 t\nq Q0 b 2 2 t\np Q0 a 2 2 t\n",
             flags="order-of-lines several-queries", spec="RS-CONV-32(d)"),
        case(19, "by rank, nothing is rounded to 32 bits", "RR", qrels=qrels("q: a=1"),
             run="q Q0 a 16777216 1 t\nq Q0 b 16777217 2 t\n", order="rank", scores="float32",
             flags=unlike("order", "score"), spec="RS-CONV-32(b)"),
        case(20, "a rank that is no integer", "RR", qrels=qrels("q: a=1"),
             run="q Q0 a 1 1 t\nq Q0 b 1.5 2 t\n", order="rank", error="run:2",
             flags="to-be-refused", spec="RS-CONV-32"),
    ),
    group(
        "ties",
        *(case(21 + a, f"four tied documents: {rule}", "nDCG", **TIED, ties=rule,
               flags=unlike("ties", *(x for x in RULES if x != rule)),
               spec="RS-CONV-7" if rule == "id-descending" else "RS-TIE-2")
          for a, rule in enumerate(RULES)),
        case(27, "ids byte by byte: 9 is above 10", "RR", qrels=qrels("q: 9=1"),
             run=run("q: 10=1.5 9=1.5"), flags="ids-not-as-numbers", spec="RS-CONV-7"),
        case(28, "ids byte by byte of UTF-8, in which U+10000 is above U+FFEE", "RR",
             qrels=qrels("q: \U00010000=1"), run=run("q: \uffee=1.5 \U00010000=1.5"),
             flags="ids-not-as-utf-16", spec="RS-CONV-7"),
        case(29, "upper case is below lower case", "RR", qrels=qrels("q: a=1"),
             run=run("q: B=1.5 a=1.5"), flags="ids-not-case-folded", spec="RS-CONV-7"),
        case(30, "an id is below those that go on", "RR", qrels=qrels("q: ab=1"),
             run=run("q: a=1.5 ab=1.5"), flags=unlike("ties", "id-ascending")),
        case(31, "the scores are equal that are 0 and -0", "RR", qrels=qrels("q: b=1"),
             run=run("q: a=0.0 b=-0.0"), flags="scores-of-one-double", spec="RS-CONV-6"),
        case(32, "expected: precision of two tied groups", "P@2", qrels=qrels("q: b=1 d=1"),
             run=run("q: a=2 b=1 c=1 d=1"), ties="expected",
             flags=unlike("ties", "id-descending", "best", "worst")),
    ),
    group(
        "scores, and the precision in which they are compared",
        case(33, "as numbers, not as text", "RR", qrels=qrels("q: b=1"),
             run=run("q: a=9.5 b=10.5 c=1e0"), flags="scores-as-text", spec="RS-CONV-6 RS-CONV-19"),
        case(34, "as doubles", "RR", **NEAR, flags=unlike("scores", "float32")),
        case(35, "as 32-bit floats", "RR", **NEAR, scores="float32",
             flags="unlike-scores-double float32-scores-tie"),
        case(36, "the same of scores that are rounded", "RR", qrels=NEAR["qrels"],
             run=run("q: a=100000000 b=100000000"), flags=unlike("ties", "id-ascending"),
             laws="RS-CONV-12/L1 = evaluation-0035"),
        case(37, "rounded to even: 16777217 to 16777216, and 16777219 to 16777220", "nDCG",
             qrels=qrels("q: a=4 b=3 c=2 d=1"), scores="float32",
             run=run("q: a=16777220 b=16777219 c=16777217 d=16777216"),
             flags="unlike-scores-double float32-scores-tie", spec="RS-CONV-12 RS-CONV-12(b)"),
        case(38, "beyond the largest 32-bit float all are tied", "RR", qrels=qrels("q: b=1"),
             run=run("q: a=2e39 b=1e39 c=3e38"), scores="float32", flags="unlike-scores-double",
             spec="RS-CONV-12(a)"),
        case(39, "decimals of one double are tied", "RR", qrels=qrels("q: b=1"),
             run=run("q: a=0.1000000000000000055511151231257827 b=.1"),
             flags="scores-of-one-double", spec="RS-CONV-6(c) RS-CONV-19/L3"),
        case(40, "integers too: 2^53 + 1 is the double 2^53", "RR", qrels=qrels("q: b=1"),
             run=run("q: a=9007199254740993 b=9007199254740992"),
             flags="scores-of-one-double", spec="RS-CONV-6(c) RS-CONV-19/L3"),
        case(41, "what underflows is 0", "RR", qrels=qrels("q: b=1"), run=run("q: a=1e-400 b=0"),
             flags="scores-of-one-double", spec="RS-CONV-19(f)"),
    ),
    group(
        "documents without a judgment",
        case(42, "are not relevant", "AP", **OPEN,
             flags=unlike("unjudged", "condensed", "lowest", "highest"), spec="RS-CONV-8"),
        case(43, "are left out before ranks are given", "AP", **OPEN, unjudged="condensed",
             flags=unlike("unjudged", "nonrelevant", "lowest", "highest")),
        case(44, "as if they had not been retrieved", "AP", qrels=OPEN["qrels"],
             run=run("q: b=8 c=7 d=6 e=5 f=4"), flags="lines-in-any-order",
             laws="RS-CONV-13/L1 = evaluation-0043"),
        case(45, "judged such that the value is lowest: the last is relevant, the first not", "AP",
             **OPEN, unjudged="lowest", flags=unlike("unjudged", "nonrelevant", "highest"),
             laws="RS-CONV-14/L1 <= evaluation-0042"),
        case(46, "judged such that the value is highest", "AP", **OPEN, unjudged="highest",
             flags=unlike("unjudged", "nonrelevant", "lowest"),
             laws="RS-CONV-14/L1 >= evaluation-0042"),
        case(47, "the lowest is had by a judgment", "AP",
             qrels=qrels("q: b=1 c=0 d=1 e=0 f=0 u=0 v=1"), run=OPEN["run"],
             laws="RS-CONV-14/L4 = evaluation-0045; RS-CONV-14/L1 >= evaluation-0045"),
        case(48, "left out first, then the list is cut", "P", **OPEN, unjudged="condensed", depth=1,
             flags=unlike("unjudged", "nonrelevant"), spec="RS-CONV-13(c)"),
        case(49, "those that stay are tied as they were", "nDCG", qrels=qrels("q: a=1 c=2"),
             run=run("q: c=1.5 b=1.5 a=1.5"), unjudged="condensed", ties="id-ascending",
             flags=unlike("ties", "id-descending", "input"), spec="RS-CONV-13(b)"),
        case(50, "nothing stays: an empty list", "P@2", qrels=qrels("q: a=1"),
             run=run("q: b=2 c=1"), unjudged="condensed", spec="RS-CONV-13(d) RS-CONV-5"),
        case(51, "nDCG is highest for a label between 0 and the highest of the qrels", "nDCG",
             qrels=qrels("q: a=1 b=1; p: c=2"), run=run("q: a=2 x=1; p: c=1"), unjudged="highest",
             flags=unlike("unjudged", "nonrelevant", "lowest"), spec="RS-CONV-14"),
        case(52, "that label", "nDCG", qrels=qrels("q: a=1 b=1 x=1; p: c=2"),
             run=run("q: a=2 x=1; p: c=1"), laws="RS-CONV-14/L4 = evaluation-0051"),
        case(53, "nDCG is lowest where the ideal gains more than the list", "nDCG@2",
             qrels=qrels("q: a=1; p: c=3"), run=run("q: a=3 x=2 y=1; p: c=1"), unjudged="lowest",
             flags=unlike("unjudged", "nonrelevant", "highest"), spec="RS-CONV-14"),
        case(54, "a document more judged, and the lowest is no lower", "nDCG@2",
             qrels=qrels("q: a=1 x=1; p: c=3"), run=run("q: a=3 x=2 y=1; p: c=1"),
             unjudged="lowest", laws="RS-CONV-14/L2 >= evaluation-0053"),
        case(55, "nothing is unjudged, and there is no choice", "nDCG@2",
             qrels=qrels("q: a=1 x=1 y=0; p: c=3"), run=run("q: a=3 x=2 y=1; p: c=1"),
             unjudged="highest", laws="RS-CONV-14/L3 = evaluation-0056"),
        case(56, "the same without a choice", "nDCG@2",
             qrels=qrels("q: a=1 x=1 y=0; p: c=3"), run=run("q: a=3 x=2 y=1; p: c=1"),
             flags="several-queries"),
        case(57, "an order that labels enter", "nDCG", **OPEN, unjudged="lowest", ties="best",
             error="unjudged", flags="to-be-refused", spec="RS-CONV-14(c)"),
        case(58, "bpref passes over them", "Bpref", **OPEN, spec="RS-CONV-8"),
        case(59, "the residual of RBP: what they could add", "RBP_residual(p=0.5)", **OPEN,
             flags=unlike("unjudged", "condensed"), spec="RS-CONV-8"),
    ),
    group(
        "negative labels",
        case(60, "count as 0", "AP", qrels=qrels("q: a=-1 b=1 c=-2"), run=run("q: a=3 b=2 c=1"),
             flags="unlike-negative-error", spec="RS-CONV-8"),
        case(61, "as the label 0", "AP", qrels=qrels("q: a=0 b=1 c=0"), run=run("q: a=3 b=2 c=1"),
             laws="RS-CONV-15/L1 = evaluation-0060"),
        case(62, "are judged, and stay in a condensed list", "RR", qrels=qrels("q: a=-1 b=1"),
             run=run("q: a=2 b=1"), unjudged="condensed", flags=unlike("negative", "unjudged"),
             spec="RS-CONV-15(b)"),
        case(63, "or are no judgment, and left out", "RR", qrels=qrels("q: a=-1 b=1"),
             run=run("q: a=2 b=1"), unjudged="condensed", negative="unjudged",
             flags=unlike("negative", "zero"), spec="RS-CONV-13(a) RS-CONV-15(b)"),
        case(64, "as if not judged", "RR", qrels=qrels("q: b=1"), run=run("q: a=2 b=1"),
             unjudged="condensed", laws="RS-CONV-15/L2 = evaluation-0063"),
        case(65, "in the ideal, where label 0 has a gain", "nDCG(gain='1-2')",
             qrels=qrels("q: a=-1 b=1 c=-1"), run=run("q: a=2 b=1"),
             flags=unlike("negative", "unjudged", "kept"), spec="RS-CONV-15(b)"),
        case(66, "a query of which no label is left is one, with an empty pool", "AP",
             qrels=qrels("q: a=-1; p: a=1"), run=run("q: a=1; p: a=1"), negative="unjudged",
             spec="RS-CONV-15(c) RS-CONV-9(c)", flags="several-queries"),
        case(67, "with the ties worst an unjudged document is below one of a negative label that "
             "counts as 0, which is as one of label 0", "nDCG(gain='1-2-4')",
             qrels=qrels("q: a=-1 b=0 d=2"), run=run("q: d=1.5 c=1.5 b=1.5 a=1.5"), ties="worst",
             flags=unlike("ties", "best", "input"), spec="RS-CONV-15(d) RS-TIE-2"),
        case(68, "are an error", "AP", qrels=qrels("q: a=1; p: a=-1"), run=run("q: a=1"),
             negative="error", error="qrels", flags="to-be-refused", spec="RS-CONV-15(a)"),
        case(69, "bpref passes over a label that is no judgment", "Bpref",
             qrels=qrels("q: a=-1 b=1 c=0 d=1"), run=run("q: a=4 b=3 c=2 d=1"), negative="unjudged",
             flags=unlike("negative", "zero"), spec="RS-CONV-15"),
        case(440, "are of documents of the pool that nobody judged, to infAP", "infAP",
             **SAMPLED, flags=unlike("negative", "error"),
             spec="RS-PREC-50(b) RS-CONV-15(g)"),
        case(441, "whatever else they are", "infAP", **SAMPLED,
             negative="unjudged", laws="RS-CONV-15(g) = evaluation-0440"),
        case(442, "in a condensed list, which they stay in", "infAP", **SAMPLED,
             unjudged="condensed", flags=unlike("unjudged", "nonrelevant"),
             spec="RS-PREC-51(g) RS-CONV-15(g)"),
        case(443, "but where they are no judgments", "infAP", **SAMPLED,
             unjudged="condensed", negative="unjudged", flags=unlike("negative", "zero"),
             spec="RS-PREC-51(g) RS-CONV-15(g)"),
    ),
    group(
        "a divisor of 0",
        case(70, "gives 0", "nDCG", **ZERO,
             flags=unlike("undefined", "one", "omit", "omit-query", "nan", "error")),
        case(71, "gives 1", "nDCG", **ZERO, undefined="one",
             flags=unlike("undefined", "zero", "omit", "omit-query")),
        case(72, "gives no value", "nDCG", **ZERO, undefined="omit",
             flags=f'query-without-value {unlike("undefined", "zero", "one")}'),
        case(73, "as if the query were not there", "nDCG", qrels=qrels("q: a=1; o: a=2 b=1"),
             run=ZERO["run"], undefined="one",
             laws="RS-CONV-4/L2 = evaluation-0072; RS-CONV-4/L1 = evaluation-0072"),
        case(74, "precision has no divisor that is 0", "P@2", **ZERO, undefined="omit",
             flags=unlike("undefined", "omit-query"), spec="RS-CONV-4(d)"),
        case(75, "but with omit-query no measure has a value of that query", "P@2", **ZERO,
             undefined="omit-query", flags=unlike("undefined", "zero", "one", "omit"),
             spec="RS-CONV-4(f)"),
        case(76, "as omit of qrels without it", "P@2", qrels=qrels("q: a=1; o: a=2 b=1"),
             run=ZERO["run"], undefined="omit", laws="RS-CONV-4/L3 = evaluation-0075"),
        case(77, "by the pool alone: also of a query that the run misses", "AP",
             qrels=qrels("q: a=1; p: a=0"), run=run("q: a=1"), undefined="one",
             flags=unlike("undefined", "zero", "omit"), spec="RS-CONV-4(b) RS-CONV-5(c)"),
        case(78, "no query has a value, and there is no mean", "R@5", qrels=qrels("q: a=0"),
             run=run("q: a=1"), undefined="omit", flags="no-mean", spec="RS-CONV-4(e)"),
        case(79, "a threshold above all labels", "AP(rel=3)", **ZERO, undefined="omit",
             flags="no-mean", spec="RS-CONV-4"),
    ),
    group(
        "which queries have values",
        case(80, "those of the qrels; one that the run misses is an empty list", "RR", **SOME,
             flags=unlike("queries", "both", "run", "complete", "same"),
             spec="RS-CONV-5 RS-CONV-9(f)"),
        case(81, "those of both files", "RR", **SOME, queries="both",
             flags=unlike("queries", "qrels", "run")),
        case(82, "as those of the qrels without the others", "RR", qrels=qrels("q: a=1; o: c=1"),
             run=SOME["run"], laws="RS-CONV-9/L1 = evaluation-0081"),
        case(83, "those of the run; one without judgments has an empty pool", "RR", **SOME,
             queries="run", flags=unlike("queries", "qrels", "both"),
             spec="RS-CONV-9(e) RS-CONV-9(f)"),
        case(84, "such a query has no divisor", "AP", **SOME, queries="run", undefined="omit",
             flags="query-without-value", spec="RS-CONV-9(e) RS-CONV-4"),
        case(85, "those of the qrels, and none may be missing", "RR", qrels=qrels("q: a=1; o: c=1"),
             run=SOME["run"], queries="complete", flags=unlike("queries", "run", "same"),
             laws="RS-CONV-9/L1 = evaluation-0081"),
        case(86, "one is missing", "RR", **SOME, queries="complete", error="queries",
             flags="to-be-refused", spec="RS-CONV-9"),
        case(87, "the same in both files", "RR", qrels=qrels("q: a=1; o: c=1; n: x=1"),
             run=SOME["run"], queries="same", flags="several-queries", spec="RS-CONV-9"),
        case(88, "the run has one more", "RR", qrels=qrels("q: a=1; o: c=1"), run=SOME["run"],
             queries="same", error="queries", flags="to-be-refused", spec="RS-CONV-9"),
        case(89, "none is in both", "RR", qrels=qrels("q: a=1"), run=run("p: a=1"), queries="both",
             error="queries", flags="to-be-refused", spec="RS-CONV-9(d)"),
        case(90, "a query without a relevant document is one of the qrels", "AP",
             qrels=qrels("q: a=1; p: a=0 b=0"), run=run("q: a=1; p: a=1"),
             flags=unlike("undefined", "one", "omit"), spec="RS-CONV-9(a)"),
        case(91, "a query all of whose documents are left out is not missing", "P@1",
             qrels=qrels("q: a=1; p: a=1"), run=run("q: b=1; p: a=1"), unjudged="condensed",
             queries="complete", flags="several-queries", spec="RS-CONV-9(c)"),
    ),
    group(
        "a document that a query has twice",
        case(92, "in the qrels, refused", "RR", qrels=qrels("q: a=1 b=0 a=1"), run=run("q: a=1"),
             error="qrels:3", flags="to-be-refused", spec="RS-CONV-10(a)"),
        case(93, "in the run, refused", "RR", qrels=qrels("q: a=1"), run=run("q: a=3 b=2 a=1"),
             error="run:3", flags="to-be-refused", spec="RS-CONV-10"),
        case(94, "the first is kept", "nDCG", qrels=qrels("q: a=2 b=1 a=3 a=1"),
             run=run("q: a=2 b=5 c=1 a=4 a=0.5"), duplicates="first",
             flags=unlike("duplicates", "error", "last", "best")),
        case(95, "the last is kept", "nDCG", qrels=qrels("q: a=2 b=1 a=3 a=1"),
             run=run("q: a=2 b=5 c=1 a=4 a=0.5"), duplicates="last",
             flags=unlike("duplicates", "error", "first", "best")),
        case(96, "the one of the highest label is kept, or of the highest score", "nDCG",
             qrels=qrels("q: a=2 b=1 a=3 a=1"), run=run("q: a=2 b=5 c=1 a=4 a=0.5"),
             duplicates="best", flags=unlike("duplicates", "error", "first", "last")),
        case(97, "as if the others were not there", "nDCG", qrels=qrels("q: b=1 a=3"),
             run=run("q: b=5 c=1 a=4"), laws="RS-CONV-10/L1 = evaluation-0096"),
        case(98, "the first, as if the others were not there", "nDCG", qrels=qrels("q: a=2 b=1"),
             run=run("q: a=2 b=5 c=1"), laws="RS-CONV-10/L1 = evaluation-0094"),
        case(99, "the last, as if the others were not there", "nDCG", qrels=qrels("q: b=1 a=1"),
             run=run("q: b=5 c=1 a=0.5"), laws="RS-CONV-10/L1 = evaluation-0095"),
        case(100, "what is kept has its own place in the input", "RR", qrels=qrels("q: b=1"),
             run=run("q: a=1.5 b=1.5 a=1.5"), duplicates="last", ties="input",
             flags=unlike("duplicates", "first"), spec="RS-CONV-10(c)"),
        case(101, "of several that are best the first", "RR", qrels=qrels("q: b=1"),
             run=run("q: a=1.5 b=1.5 a=1.5"), duplicates="best", ties="input",
             flags=unlike("duplicates", "last"), spec="RS-CONV-10(b)"),
        case(102, "the best by rank is the one that comes first", "RR", qrels=qrels("q: b=1"),
             run="q Q0 a 3 9 t\nq Q0 b 2 2 t\nq Q0 a 1 1 t\n", order="rank", duplicates="best",
             flags=unlike("duplicates", "first"), spec="RS-CONV-10(b) RS-CONV-32(c)"),
        case(103, "the best by lines is the first", "RR", qrels=qrels("q: b=1"),
             run="q Q0 b 3 1 t\nq Q0 a 2 2 t\nq Q0 b 1 9 t\n", order="file", duplicates="best",
             flags=unlike("duplicates", "last"), spec="RS-CONV-32(c)"),
        case(104, "labels are compared as they are written, before negative ones count as 0",
             "nDCG(gain='1-2')", qrels=qrels("q: a=-2 b=1 a=-1"), run=run("q: a=2 b=1"),
             duplicates="best", negative="unjudged", flags=unlike("negative", "zero"),
             spec="RS-CONV-10(d)"),
        case(105, "scores too, before they are rounded", "RR", qrels=qrels("q: b=1"),
             run=run("q: a=100000001 b=100000001 a=100000001.5"), scores="float32", ties="input",
             duplicates="best", flags=unlike("duplicates", "first"), spec="RS-CONV-10(d)"),
    ),
    group(
        "lines of other programs",
        case(106, "something behind the tag is refused", "RR", qrels=qrels("q: a=1"),
             run="q Q0 a 1 1 my tag\n", error="run:1", flags="to-be-refused", spec="RS-CONV-33"),
        case(107, "or passed over", "RR", qrels=qrels("q: b=1"), lines="tail",
             run="q Q0 a 1 2 my tag\nq Q0 b 2 1 my 3 tag # 4\n", flags=unlike("lines", "exact")),
        case(108, "comments are passed over, those behind blanks too", "RR", lines="comments",
             qrels="# qrels\nq 0 b 1\n",
             run="#\n  # q Q0 b 0 9 t\nq Q0 a 1 2 my tag\nq Q0 b 2 1 t\n",
             flags=unlike("lines", "exact", "tail"), laws="RS-CONV-33/L1 = evaluation-0107"),
        case(109, "without them nothing differs", "RR", qrels=qrels("q: b=1"),
             run=run("q: a=2 b=1"), lines="exact", laws="RS-CONV-33/L1 = evaluation-0108"),
        case(110, "without comments # is a query as others", "RR", qrels="# 0 a 1\n", lines="tail",
             run="# Q0 b 1 2 t\n# Q0 a 2 1 t\n", flags=unlike("lines", "comments"),
             spec="RS-CONV-33(b)"),
        case(111, "what follows the label of qrels is refused", "RR", qrels="q 0 a 1 x\n",
             run=run("q: a=1"), lines="comments", error="qrels:1", flags="to-be-refused",
             spec="RS-CONV-33(a)"),
    ),
    group(
        "the depth of a list",
        case(112, "the first three documents; the rest is not retrieved", "AP", **DEEP, depth=2,
             flags=unlike("depth", "none")),
        case(113, "as the run without those below", "AP", qrels=DEEP["qrels"],
             run=run("q: a=4 b=3"), laws="RS-CONV-16/L1 = evaluation-0112"),
        case(114, "precision without a cut-off divides by what is left", "P", **DEEP, depth=3,
             flags=unlike("depth", "none"), spec="RS-CONV-16(a) RS-CONV-2(b)"),
        case(115, "a cut-off above the depth", "nDCG@2", **DEEP, depth=3,
             laws="RS-CONV-16/L2 = evaluation-0116"),
        case(116, "as without a depth", "nDCG@2", **DEEP, spec="RS-CONV-16(b)"),
        case(117, "the ideal is not cut", "nDCG", **DEEP, depth=2,
             flags=f'{unlike("depth", "none")} {unlike("pool", "retrieved")}',
             spec="RS-CONV-16(b)"),
        case(118, "ties are resolved first", "RR", qrels=qrels("q: b=1"),
             run=run("q: a=1.5 b=1.5"), depth=1, flags=unlike("ties", "id-ascending", "expected"),
             spec="RS-CONV-16(c)"),
        case(119, "which are first is open where ties are expected", "RR", qrels=qrels("q: b=1"),
             run=run("q: a=1.5 b=1.5"), depth=1, ties="expected", error="depth",
             flags="to-be-refused", spec="RS-CONV-16(c)"),
        case(120, "no depth", "RR", qrels=qrels("q: b=1"), run=run("q: a=1.5"), depth=0,
             error="depth", flags="to-be-refused", spec="RS-CONV-16(d)"),
    ),
    group(
        "the pool",
        case(121, "all judged documents", "nDCG", **DEEP, flags=unlike("pool", "retrieved"),
             spec="RS-CONV-3(e)"),
        case(122, "the retrieved ones", "nDCG", **DEEP, pool="retrieved",
             flags=unlike("pool", "judged")),
        case(123, "as the qrels of the documents in the list, the unjudged ones as 0", "nDCG",
             qrels=qrels("q: a=0 b=1 c=1 e=0"), run=DEEP["run"],
             laws="RS-CONV-17/L1 = evaluation-0122"),
        case(124, "cut by the depth first", "R", **DEEP, depth=2, pool="retrieved",
             flags=unlike("pool", "judged"), spec="RS-CONV-17(a) RS-CONV-17(b) RS-CONV-17/L2"),
        case(125, "precision has none", "P@2", **DEEP, pool="retrieved",
             laws="RS-CONV-17/L3 = evaluation-0126",
             spec="RS-CONV-3(c)"),
        case(126, "precision, with the pool of the judged", "P@2", **DEEP),
        case(127, "a query that the run misses has an empty one", "AP",
             qrels=qrels("q: a=1; p: a=1"), run=run("q: b=2 a=1"), pool="retrieved",
             undefined="one", flags=unlike("pool", "judged"), spec="RS-CONV-17(c)"),
        case(128, "of bpref, the judged documents that are retrieved", "Bpref",
             qrels=qrels("q: a=0 b=1 c=0 d=1 e=0"), run=run("q: a=4 b=3 x=2 d=1"),
             pool="retrieved", flags=unlike("pool", "judged"), spec="RS-CONV-17/L2"),
        case(129, "the unjudged count in the ideal where label 0 has a gain", "nDCG(gain='1-2')",
             qrels=qrels("q: a=1"), run=run("q: b=2 a=1"), pool="retrieved",
             flags=unlike("pool", "judged"), spec="RS-CONV-17"),
        case(130, "they do not in that of the judged: above 1", "nDCG(gain='1-2')",
             qrels=qrels("q: a=1"), run=run("q: a=2 b=1"), flags="value-above-1",
             spec="RS-CONV-8(b)"),
    ),
    group(
        "the gain, the discount and the threshold of measures that name none",
        case(131, "the gain", "nDCG", **THREE, gain="exp2",
             flags=f'several-queries {unlike("gain", "none")}'),
        case(132, "the measure's own comes first", "nDCG(gain='linear')", **THREE, gain="exp2",
             laws="RS-CONV-18/L2 = evaluation-0002", spec="RS-CONV-18"),
        case(133, "the discount", "DCG@3", **THREE, discount="zipf",
             flags=f'several-queries {unlike("discount", "none")}'),
        case(134, "a gain table", "DCG@3", **THREE, gain="0-1-10-100",
             flags=f'several-queries {unlike("gain", "none")}'),
        case(135, "the threshold", "AP", **THREE, rel=2,
             flags=f'several-queries {unlike("rel", "none")}'),
        case(136, "a threshold of 0, by which the unjudged would be relevant", "AP", **THREE, rel=0,
             error="measure", flags="to-be-refused", spec="RS-CONV-8(a)"),
        case(137, "a label without a gain, of a query that is not evaluated", "nDCG",
             qrels=qrels("q: a=1; p: a=4"), run=run("q: a=1"), queries="both", gain="0-1-10-100",
             error="measure", flags="to-be-refused", spec="RS-CONV-9(g) RS-CONV-17(d)"),
    ),
    group(
        "labels that are scores",
        case(138, "relevance by the text", "nDCG", **DAYS, relevance="phi",
             flags=unlike("relevance", "label", "phi-authors-program")),
        case(139, "by the authors' program", "nDCG", **DAYS, relevance="phi-authors-program",
             flags=unlike("relevance", "label", "phi")),
        case(140, "the measure by its name, where labels are labels", "nDCG_phi", **DAYS,
             laws="RS-CONV-20/L1 = evaluation-0138"),
        case(141, "another unit and another zero", "nDCG",
             qrels=qrels("q: a=203 b=43 c=183 d=33 e=23"), run=DAYS["run"], relevance="phi",
             laws="RS-CONV-20/L3 = evaluation-0138"),
        case(142, "scores may be negative", "nDCG@3", qrels=qrels("q: a=-5 b=-1 c=0 d=2 e=9"),
             run=run("q: d=3 e=2 a=1"), relevance="phi", flags=unlike("relevance", "label"),
             spec="RS-CONV-20(a)"),
        case(143, "a document without a score is worth nothing, and in no pool", "nDCG",
             qrels=qrels("q: a=4 b=1 c=2 d=3"), run=run("q: a=9 x=8 d=7 c=6 y=5 b=4"),
             relevance="phi", flags=unlike("unjudged", "condensed"),
             spec="RS-CONV-20 RS-CONV-8"),
        case(144, "as one of a score of relevance 0", "DCG", qrels=qrels("q: a=4 b=1 c=2 d=3"),
             run=run("q: a=9 b=8 d=7 c=6"), relevance="phi",
             laws="RS-CONV-20/L2 = evaluation-0145"),
        case(145, "that one without a score", "DCG", qrels=qrels("q: a=4 b=1 c=2 d=3"),
             run=run("q: a=9 x=8 d=7 c=6"), relevance="phi",
             flags=unlike("unjudged", "condensed"), spec="RS-CONV-20"),
        case(146, "also where all scores are one, and their relevance 1", "nDCG",
             qrels=qrels("q: a=7 b=7"), run=run("q: x=3 a=2 b=1"), relevance="phi",
             flags=unlike("unjudged", "condensed"), spec="RS-CONV-20(c)"),
        case(147, "as labels 1 for those, and 0 for the others", "nDCG",
             qrels=qrels("q: a=1 b=1"), run=run("q: x=3 a=2 b=1"),
             laws="RS-CONV-20/L2 = evaluation-0146"),
        case(148, "with the ties worst a document without a score is the last", "nDCG@2",
             qrels=qrels("q: a=-3 b=5 c=1 d=4"), run=run("q: x=1 a=1 b=1 d=1"), ties="best",
             relevance="phi", flags=unlike("ties", "worst", "id-descending"),
             spec="RS-CONV-20(b)"),
        case(149, "of the scores in the list, and ideal of those", "nDCG", **DAYS, depth=3,
             relevance="phi", pool="retrieved", flags=unlike("pool", "judged"),
             spec="RS-CONV-20(d)"),
        case(150, "no document of a query has a score", "nDCG",
             qrels=qrels("q: a=1 b=3 c=9"), run=run("q: a=3 c=2 b=1; p: a=1"), queries="run",
             relevance="phi", undefined="omit", flags="query-without-value",
             spec="RS-CONV-20(e)"),
        case(151, "precision, without a threshold", "P@3", **DAYS, relevance="phi",
             error="measure", flags="to-be-refused", spec="RS-CONV-20"),
        case(152, "no lowest value: a score could be any number", "nDCG", **DAYS, relevance="phi",
             unjudged="lowest", error="measure", flags="to-be-refused", spec="RS-CONV-20(f)"),
        case(153, "no other gain", "nDCG(gain='exp2')", **DAYS, relevance="phi", error="measure",
             flags="to-be-refused", spec="RS-CONV-20(g)"),
    ),
    group(
        "labels and what they stand for; topics",
        case(154, "grades: labels of TREC 2013", "nDCG",
             qrels=qrels("q: a=4 b=2 c=3 d=-2"), run=run("q: d=4 c=3 b=2 a=1"),
             grades=((-2, 0), (4, 2), (2, 3), (3, 4)), negative="error",
             flags=unlike("grades", "none"), spec="RS-CONV-25"),
        case(155, "as the labels that are meant", "nDCG", qrels=qrels("q: a=2 b=3 c=4 d=0"),
             run=run("q: d=4 c=3 b=2 a=1"), laws="RS-CONV-25/L1 = evaluation-0154"),
        case(156, "a label that is not named stays", "DCG", qrels=qrels("q: a=1 b=2"),
             run=run("q: a=2 b=1"), grades=((2, 7),), flags=unlike("grades", "none"),
             spec="RS-CONV-25"),
        case(157, "of two lines the one of the higher label as it is written is kept", "DCG",
             qrels=qrels("q: a=1 a=2"), run=run("q: a=1"), grades=((1, 3), (2, 1)),
             duplicates="best", flags=unlike("duplicates", "first"), spec="RS-CONV-10(d)"),
        case(158, "the queries are sessions, judged by their topics", "nDCG",
             qrels=qrels("7: a=1 b=2; 8: c=1; 9: a=1"),
             run=run("s1: a=2 b=1; s2: b=2 a=1; s3: c=1"), topics="s1 7\ns2 7\n s3\t8\n",
             flags="several-queries", spec="RS-CONV-25"),
        case(159, "as judgments of each", "nDCG",
             qrels=qrels("s1: a=1 b=2; s2: a=1 b=2; s3: c=1"),
             run=run("s1: a=2 b=1; s2: b=2 a=1; s3: c=1"),
             laws="RS-CONV-25/L2 = evaluation-0158"),
        case(160, "one without a topic, and one whose topic is not judged, are not of the qrels",
             "RR", qrels=qrels("7: a=1"), run=run("s1: b=2 a=1; s2: a=1; s3: a=1"),
             topics="s1 7\ns3 9\n", flags=unlike("queries", "run"), spec="RS-CONV-25"),
    ),
    group(
        "profiles",
        case(161, "trec_eval-9: scores as 32-bit floats, the queries of both files", "nDCG",
             **PEERS, profile="trec_eval-9",
             flags=f'{unlike("scores", "double")} {unlike("queries", "qrels")} '
             f'{unlike("lines", "exact")}'),
        case(162, "its option -c", "nDCG", **PEERS, profile="trec_eval-9", queries="qrels",
             flags=f'{unlike("scores", "double")} {unlike("queries", "both")}',
             spec="RS-CONV-18(d) RS-CONV-18/L2"),
        case(163, "its options -M and -l", "AP", qrels=qrels("q: a=1 b=2 c=2"),
             run=run("q: a=3 b=2 c=1"), profile="trec_eval-9", depth=2, rel=2,
             flags=f'{unlike("depth", "none")} {unlike("rel", "none")}', spec="RS-CONV-18(d)"),
        case(164, "its option -J", "RR", qrels=qrels("q: a=-1 b=1 c=0"),
             run=run("q: x=9 a=3 b=2 c=1"), profile="trec_eval-9", unjudged="condensed",
             negative="unjudged", flags=f'{unlike("unjudged", "nonrelevant")} '
             f'{unlike("negative", "zero")}', spec="RS-CONV-18(d)"),
        case(165, "trec_eval-10: doubles, and comments", "nDCG",
             qrels="# x\n" + qrels("q: a=1 b=3; p: a=0; o: d=1 b=2"), run="# y\n" + PEERS_5,
             profile="trec_eval-10",
             flags=f'{unlike("scores", "float32")} {unlike("lines", "exact", "tail")}'),
        case(166, "it refuses a missing query", "nDCG", **PEERS, profile="trec_eval-10",
             error="queries", flags="to-be-refused", spec="RS-CONV-9"),
        case(167, "gdeval: exponential gain, and no query without a relevant document", "nDCG@20",
             qrels=PEERS["qrels"], run=PEERS_5, profile="gdeval",
             flags=f'{unlike("gain", "none")} {unlike("undefined", "zero")} '
             f'{unlike("scores", "float32")}'),
        case(168, "gdeval: ERR", "ERR@20", qrels=PEERS["qrels"],
             run=PEERS_5, profile="gdeval",
             flags=unlike("undefined", "zero", "omit"), spec="RS-CONV-4(f)"),
        case(169, "sklearn: ties expected, the pool of the retrieved", "nDCG",
             qrels=qrels("q: a=2 b=1 c=0 d=3"), run=run("q: a=1.5 b=1.5 c=2.5"), profile="sklearn",
             flags=unlike("ties", "id-descending", "best", "worst") + " unlike-pool-judged"),
        case(170, "sklearn refuses negative labels", "nDCG", qrels=qrels("q: a=-1 b=1"),
             run=run("q: a=2 b=1"), profile="sklearn", error="qrels", flags="to-be-refused"),
        case(171, "sklearn has no AP", "AP", **THREE, profile="sklearn", error="measure",
             flags="to-be-refused", spec="RS-CONV-18(b)"),
        case(172, "ir_measures: as pytrec_eval, of the queries of the qrels", "nDCG@10",
             qrels=PEERS["qrels"], run=PEERS_5, profile="ir_measures",
             flags=f'{unlike("scores", "double")} {unlike("queries", "both")}'),
        case(173, "ir_measures: RR@k is another program's, with ascending ids", "RR@5",
             qrels=qrels("q: b=1 c=1"), run=run("q: a=1.5 b=1.5 c=1.5"), profile="ir_measures",
             flags=f'profile-of-this-measure {unlike("ties", "id-descending")}'),
        case(174, "ir_measures: RR is not", "RR",
             qrels=qrels("q: b=1 c=1"), run=run("q: a=1.5 b=1.5 c=1.5"), profile="ir_measures",
             flags=unlike("ties", "id-ascending")),
        case(175, "ir_measures: nor is ERR compared as 32-bit floats", "ERR@5",
             qrels=qrels("q: b=1"), run=NEAR["run"], profile="ir_measures",
             flags=f'profile-of-this-measure {unlike("scores", "float32")}'),
        case(176, "ranx: ties as they come, and the same queries in both", "nDCG@3",
             qrels=qrels("q: a=1 c=2; p: a=1"), run=run("q: b=1.5 c=1.5 a=1.5; p: a=1"),
             profile="ranx", flags=unlike("ties", "id-descending", "id-ascending", "best")),
        case(177, "ranx refuses other queries", "nDCG", qrels=PEERS["qrels"], run=PEERS_5,
             profile="ranx", error="queries", flags="to-be-refused", spec="RS-CONV-9"),
        case(178, "ranx: its RBP is not this one", "RBP", qrels=qrels("q: a=1"), run=run("q: a=1"),
             profile="ranx", error="measure", flags="to-be-refused", spec="RS-CONV-18"),
        case(179, "trec_eval does not read fractional labels as they are", "nDCG",
             qrels=qrels("q: a=0.5 b=1"), run=run("q: a=1"), profile="trec_eval-9", error="qrels",
             flags="to-be-refused", spec="RS-CONV-18"),
        case(180, "the same by the values of the profile, one by one", "nDCG", **PEERS,
             scores="float32", queries="both", lines="tail",
             laws="RS-CONV-18/L1 = evaluation-0161"),
        case(181, "where labels are scores they may be fractions", "nDCG",
             qrels=qrels("q: a=0.5 b=1.25 c=7"), run=run("q: c=1 b=2"), profile="trec_eval-9",
             relevance="phi", flags=unlike("relevance", "label"), spec="RS-CONV-18(e)"),
    ),
    group(
        "how TREC files are written",
        case(182, "in any order, the lines of a query apart", "nDCG",
             qrels="p 0 c 3\nq 0 b 1\no 0 e 1\nq 0 a 2\no 0 d 2\np 0 a 1\no 0 b 1\n",
             run="o Q0 b 3 2 t\nq Q0 b 1 3.5 t\np Q0 a 1 2 t\no Q0 e 1 4 t\nq Q0 c 3 1 t\n"
             "p Q0 c 3 1 t\nq Q0 a 2 2.5 t\np Q0 b 2 1.5 t\no Q0 a 2 3 t\n",
             flags="lines-in-any-order several-queries", spec="RS-CONV-19(a)"),
        case(183, "the lines in order", "nDCG",
             qrels=qrels("p: a=1 c=3; q: a=2 b=1; o: b=1 d=2 e=1"), run=THREE["run"],
             laws="RS-CONV-19/L1 = evaluation-0182"),
        case(184, "tabs, several blanks, CR LF, blank lines, no last line end, a byte order mark",
             "nDCG", qrels="\ufeffp\t0\ta\t1\r\n  \r\np 0   c 3 \r\nq 0 a 2\r\nq 0 b 1\r\n"
             "o 0 b 1\r\n\to 0 d 2\r\no 0 e +1",
             run="\n\nq x b y 35e-1 t\r\nq Q0 a -5 +2.50 t\nq\x0bQ0\x0cc 3 1. t\np Q0 a 1 2 t\n"
             "p Q0 b 2 .15E1 t\np Q0 c 3 1 t\no Q0 e 1 0004 t\no Q0 a 2 3 t\no Q0 b 3 2 t",
             flags="crlf tabs blanks blank-lines no-last-line-end byte-order-mark",
             laws="RS-CONV-19/L2 = evaluation-0183", spec="RS-CONV-19(b) RS-CONV-19(c)"),
        case(185, "a CR alone ends no line: it is a blank", "RR", qrels=qrels("q: b=1"),
             run="q Q0 a\r1 2 t\nq Q0 b 2 1 t\n", spec="RS-CONV-19(b)",
             flags="lines-in-any-order"),
        case(186, "ids of other letters, and with signs", "RR", qrels="é 0 #ü,;\u3000x 1\n",
             run="é Q0 #ü,;\u3000x 1 1 t\né Q0 é 1 2 t\n", flags="lines-in-any-order",
             spec="RS-CONV-19"),
        case(187, "labels of 64 bits are what is written", "CG",
             qrels=qrels("q: a=9007199254740993 b=0"), run=run("q: a=1"),
             flags="lines-in-any-order", spec="RS-CONV-19/L4"),
        case(188, "a fraction among the labels: all are doubles", "nDCG(gain='linear')",
             qrels=qrels("q: a=0.1 b=1 c=.5e0"), run=run("q: a=3 c=2 b=1"),
             spec="RS-CONV-19/L5 RS-CONV-19(g) RS-CONV-1", flags="lines-in-any-order"),
        case(189, "0.5 is not relevant, and 1.0 is", "AP", qrels=qrels("q: a=0.5 b=1.0 c=-0.5"),
             run=run("q: a=3 c=2 b=1"), flags="lines-in-any-order", spec="RS-CONV-19(g)"),
        *(
            case(190 + a, why, "RR", qrels=judged, run=ranked, error=error, flags="to-be-refused",
                 spec=spec)
            for a, (why, judged, ranked, error, spec) in enumerate([
                ("a column too few in the qrels", "q 0 a 1\nq a 1\n", run("q: a=1"), "qrels:2",
                 "RS-CONV-19(d)"),
                ("a column too few in the run", qrels("q: a=1"), "q Q0 a 1 1\n", "run:1",
                 "RS-CONV-19(d)"),
                ("a label that is no number", "q 0 a L1\n", run("q: a=1"), "qrels:1",
                 "RS-CONV-19(d)"),
                ("a score with a comma", qrels("q: a=1"), "q Q0 a 1 1,5 t\n", "run:1",
                 "RS-CONV-19(d) RS-CONV-19/L3"),
                ("a score that is not finite", qrels("q: a=1"), "q Q0 a 1 1 t\nq Q0 b 1 inf t\n",
                 "run:2", "RS-CONV-6"),
                ("a score beyond the doubles", qrels("q: a=1"), "q Q0 a 1 1e400 t\n", "run:1",
                 "RS-CONV-19/L3"),
                ("a score of digits of another script", qrels("q: a=1"), "q Q0 a 1 \u0661 t\n",
                 "run:1", "RS-CONV-19/L3"),
                ("a score in hexadecimal", qrels("q: a=1"), "q Q0 a 1 0x1p0 t\n", "run:1",
                 "RS-CONV-19/L3"),
                ("qrels without a line", "\n", run("q: a=1"), "qrels", "RS-CONV-9(h)"),
                ("a run without a line", qrels("q: a=1"), "", "run", "RS-CONV-19(d)"),
                ("a comment", "# c\nq 0 a 1\n", run("q: a=1"), "qrels:1", "RS-CONV-19(e)"),
                ("a byte 0", "q 0 a\0 1\n", run("q: a=1"), "qrels:1", "RS-CONV-19(d)"),
            ])
        ),
    ),
    group(
        "LETOR files",
        case(202, "by a feature, the highest first; ties are expected", "nDCG@2", letor=ROWS,
             feature=1, flags=f'several-queries {unlike("ties", "input", "best", "worst")}',
             spec="RS-CONV-21(a)"),
        case(203, "by a feature, the lowest first; who does not name it has 0", "nDCG@2",
             letor=ROWS, feature=-2, ties="best",
             flags=f'several-queries {unlike("ties", "input", "worst", "expected")}',
             spec="RS-CONV-21"),
        case(204, "by predictions, a number for each row", "nDCG@2", letor=ROWS,
             predictions="0.5\n-1e0\n2\n.25\n0.75\n", flags="several-queries", spec="RS-CONV-21"),
        case(205, "as qrels and a run of rows", "nDCG@2",
             qrels=qrels("7: a=2 b=0 c=1; 8: d=0 e=1"),
             run=run("7: c=2 a=0.5 b=-1; 8: e=0.75 d=0.25"),
             laws="RS-CONV-21/L1 = evaluation-0204"),
        case(206, "comments, blanks, line ends and other features change nothing", "nDCG@2",
             letor="# c\r\n2\tqid:7 2:3 1:0.5 9:x # 1:9\r\n\r\n 0 qid:7  1:0.5#\n"
             "1e0 qid:7 1:.25\n0 qid:8 1:1 3:-\n1.0 qid:8 1:2", feature=1,
             flags="crlf blanks no-last-line-end", laws="RS-CONV-21/L2 = evaluation-0202"),
        case(207, "a group file in the place of the qids", "nDCG@2",
             letor="2 1:0.5 2:3\n0 1:0.5\n1 1:0.25 2:1\n0 1:1\n1 1:2\n", group="3\n2\n", feature=1,
             laws="RS-CONV-21/L2 = evaluation-0202"),
        case(208, "NULL is not ranked, but judged", "R", letor="1 qid:7 1:NULL\n1 qid:7 1:2\n",
             feature=1, flags=unlike("pool", "retrieved"), spec="RS-CONV-21 RS-CONV-21/L1"),
        case(209, "a query of which nothing is ranked is an empty list", "P@1",
             letor="1 qid:7 1:NULL\n1 qid:8 1:2\n", feature=1, flags="several-queries",
             spec="RS-CONV-21(h) RS-CONV-5"),
        case(210, "negative labels count as 0", "AP", letor="-1 qid:7 1:3\n1 qid:7 1:2\n",
             feature=1, flags=unlike("negative", "error"), spec="RS-CONV-21(c)"),
        case(211, "or leave their rows unjudged", "AP", letor="-1 qid:7 1:3\n1 qid:7 1:2\n",
             feature=1, negative="unjudged", unjudged="condensed",
             flags=f'{unlike("negative", "zero")} {unlike("unjudged", "nonrelevant")}',
             spec="RS-CONV-21(c)"),
        case(212, "labels are doubles", "nDCG(gain='linear')",
             letor="0.1 qid:q 1:1\n.3e1 qid:q 1:0\n", feature=1, flags=unlike("relevance", "phi"),
             spec="RS-CONV-21"),
        *(
            case(213 + a, why, "RR", letor=rows, error=error, flags="to-be-refused",
                 spec=f"RS-CONV-21({letter})", **dict(more))  # type: ignore[call-overload]
            for a, (why, rows, more, error, letter) in enumerate([
                ("an order by ids, which rows do not have", ROWS,
                 {"feature": 1, "ties": "id-descending"}, "ties", "a"),
                ("no judgment can be chosen, as each row has one", ROWS,
                 {"feature": 1, "unjudged": "highest", "ties": "input"}, "unjudged", "b"),
                ("a query that comes back", ROWS + "1 qid:7 1:3\n", {"feature": 1}, "letor:6", "d"),
                ("a feature twice", "1 qid:7 1:3 1:3\n", {"feature": 1}, "letor:1", "e"),
                ("a feature that no row names", ROWS, {"feature": 5}, "letor", "e"),
                ("what has not the form of a feature", "1 qid:7 1:3 01:2\n", {"feature": 1},
                 "letor:1", "f"),
                ("a row without a qid", "1 qid:7 1:3\n1 1:2\n", {"feature": 1}, "letor:2", "g"),
                ("a prediction too few", ROWS, {"predictions": "1\n2\n"}, "predictions", "g"),
            ])
        ),
    ),
    group(
        "sessions",
        case(221, "sessions with judgments of their own", "nsDCG@2", sessions=SHOWN, qrels=SEEN,
             flags=unlike("undefined", "omit") + " several-queries", spec="RS-CONV-22 RS-CONV-26"),
        case(222, "undefined values are left out", "nsDCG@2", sessions=SHOWN, qrels=SEEN,
             undefined="omit", flags=unlike("undefined", "zero"),
             spec="RS-CONV-26 RS-CONV-26/L2"),
        case(223, "a session without judgments has no value, and no part in the mean", "nsDCG@2",
             sessions=SHOWN + "s4\t1\t1\tx\n", qrels=SEEN,
             laws="RS-CONV-26/L1 = evaluation-0221",
             spec="RS-SES-23(c)"),
        case(224, "a header, comments, blanks and what stands behind the document change nothing",
             "nsDCG@2", qrels=SEEN,
             sessions="Session\tquery\tRank\tdocument\r\n# c\r\n s1 \t1\t1\ta\t0.5\tx\r\n"
             "s1\t1\t2\t b\n\ns1\t2\tNo Results\t-\ns1\t3\t1\tc\ns2\t1\t1\td\ns2\t2\ns3\t1\t1\ta",
             flags="crlf tabs no-last-line-end", laws="RS-CONV-22/L1 = evaluation-0221"),
        case(225, "sessions in JSON", "nsDCG@2", qrels=SEEN, sessions=IN_JSON,
             laws="RS-CONV-24/L1 = evaluation-0221", spec="RS-CONV-24"),
        case(226, "sessions of the TREC Session Track", "nsDCG@2", qrels=SEEN, sessions=IN_XML,
             judged_by="session", laws="RS-CONV-24/L1 = evaluation-0221",
             flags=unlike("judged-by", "topic"), spec="RS-CONV-23 RS-CONV-23/L1"),
        case(227, "judged by topic, the default where there are topics", "nsDCG@2",
             qrels=qrels("1: a=1 b=2 d=1; 2: a=1"), sessions=IN_XML,
             flags=unlike("judged-by", "session"), spec="RS-SES-23 RS-CONV-25"),
        case(228, "as judgments of each session that are those of its topic", "nsDCG@2",
             qrels=qrels("s1: a=1 b=2 d=1; s2: a=1 b=2 d=1; s3: a=1"), sessions=SHOWN,
             laws="RS-CONV-25/L2 = evaluation-0227"),
        case(229, "a file of topics; a session that it does not name is left out", "nsDCG@2",
             qrels=qrels("1: a=1 b=2 d=1; 2: a=1"), sessions=SHOWN, topics="s1 1\ns3 2\n",
             flags=unlike("judged-by", "session"), spec="RS-CONV-25 RS-CONV-26"),
        case(230, "the ideal of what the session was shown", "nsDCG@2", sessions=SHOWN,
             qrels=qrels("s1: a=1 b=2 x=3; s2: d=1; s3: a=1"), pool="retrieved",
             flags=unlike("pool", "judged"), spec="RS-SES-23 RS-SES-23(d)",
             laws="RS-SES-23/L2 >= evaluation-0231"),
        case(231, "the ideal of all that is judged", "nsDCG@2", sessions=SHOWN,
             qrels=qrels("s1: a=1 b=2 x=3; s2: d=1; s3: a=1"), flags=unlike("pool", "retrieved"),
             spec="RS-SES-23"),
        case(232, "in another order of the judgments", "nsDCG@2", sessions=SHOWN,
             qrels=qrels("s3: a=1; s2: d=1; s1: x=3 b=2 a=1"),
             laws="RS-SES-23/L4 = evaluation-0231"),
        case(233, "results without a judgment are not relevant", "sDCG@2", sessions=SHOWN,
             qrels=SEEN, flags=unlike("unjudged", "error"), spec="RS-SES-23"),
        case(234, "or an error", "sDCG@2", sessions=SHOWN, qrels=SEEN, unjudged="error",
             error="sessions", flags="to-be-refused", spec="RS-SES-23(b)"),
        case(235, "all are judged, and there is no error", "sDCG@2", sessions=SHOWN,
             qrels=qrels("s1: a=1 b=2 c=1; s2: d=1; s3: a=0"), unjudged="error",
             flags="several-queries", spec="RS-SES-23(b) RS-CONV-26(b)"),
        case(236, "labels below 0 count as 0", "sDCG@2", sessions=SHOWN,
             qrels=qrels("s1: a=-2 b=2; s2: d=1"), flags=unlike("negative", "error"),
             spec="RS-SES-23(a) RS-CONV-25(c)"),
        case(237, "or are an error", "sDCG@2", sessions=SHOWN, negative="error",
             qrels=qrels("s1: a=-2 b=2; s2: d=1"), error="qrels", flags="to-be-refused",
             spec="RS-SES-23(a) RS-CONV-25(c)"),
        case(238, "grades", "sDCG@2", sessions=SHOWN, qrels=qrels("s1: a=4 b=2 c=-2; s2: d=3"),
             grades=((-2, 0), (4, 2), (2, 3), (3, 4)), negative="error",
             flags=unlike("grades", "none"), spec="RS-CONV-25"),
        case(239, "as the labels that are meant", "sDCG@2", sessions=SHOWN,
             qrels=qrels("s1: a=2 b=3 c=0; s2: d=4"), laws="RS-CONV-25/L1 = evaluation-0238"),
        case(240, "judgments of three fields, with a header", "sDCG@2", sessions=SHOWN,
             qrels="Session\tDocument\tRelevance\n# c\ns1\ta\t2\r\n s1\t b \t3\ns1\tc\t0\n\n"
             "s2\td\t4\n",
             laws="RS-CONV-25/L3 = evaluation-0239"),
        case(241, "judgments of three fields, without", "sDCG@2", sessions=SHOWN,
             qrels="s1\ta\t2\ns1\tb\t3\ns1\tc\t0\ns2\td\t4\n",
             laws="RS-CONV-25/L3 = evaluation-0239"),
        case(242, "the ranking of the current query, by its scores", "sDCG@2", sessions=SHOWN,
             qrels=qrels("s1: a=2 b=3 c=0 e=1; s2: d=4"), order="score",
             current="s1 Q0 a 1 1.5 t\ns1 Q0 e 2 1.5 t\ns1 Q0 b 3 1 t\n",
             flags=unlike("order", "rank", "file"), spec="RS-CONV-23"),
        case(243, "by its ranks", "sDCG@2", sessions=SHOWN,
             qrels=qrels("s1: a=2 b=3 c=0 e=1; s2: d=4"), order="rank",
             current="s1 Q0 a 2 X t\ns1 Q0 e 1 X t\ns1 Q0 b 3 X t\n",
             flags=unlike("order", "file", "score"), laws="RS-CONV-23/L2 = evaluation-0242"),
        case(244, "by its lines", "sDCG@2", sessions=SHOWN,
             qrels=qrels("s1: a=2 b=3 c=0 e=1; s2: d=4"), order="file",
             current="s1 Q0 e 0 X t\ns1 Q0 a 0 X t\ns1 Q0 b 0 X t\n",
             flags=unlike("order", "score"), laws="RS-CONV-23/L2 = evaluation-0242"),
        case(245, "as a further query of these documents", "sDCG@2",
             sessions=SHOWN.replace("s2", "s1\t4\t1\te\ns1\t4\t2\ta\ns1\t4\t3\tb\ns2", 1),
             qrels=qrels("s1: a=2 b=3 c=0 e=1; s2: d=4"),
             laws="RS-CONV-23/L2 = evaluation-0242"),
        case(246, "a document again: gains the first time only", "sDCG(repeats='first')@2",
             sessions="s\t1\t1\ta\ns\t1\t2\ta b\ns\t2\t1\ta b\n", spec="RS-CONV-22(b) RS-SES-1",
             qrels="s\ta\t1\ns\ta b\t3\n"),
        *(
            case(247 + a, why, "sDCG@2", sessions=shown, qrels=judged, error=error,
                 flags="to-be-refused", spec=spec)
            for a, (why, shown, judged, error, spec) in enumerate([
                ("a rank that is not the next one", SHOWN + "s3\t1\t3\tx\n", SEEN, "sessions:8",
                 "RS-CONV-22(c)"),
                ("a session that goes on after another", SHOWN + "s1\t4\t1\tx\n", SEEN,
                 "sessions:8", "RS-CONV-22(a) RS-CONV-22(c)"),
                ("a byte 13 within a line", "s1\t1\t1\ta\rs1\t1\t2\tb\n", SEEN, "sessions:1",
                 "RS-CONV-22(d)"),
                ("a document type", "<!DOCTYPE x>" + IN_XML, SEEN, "sessions:1", "RS-CONV-23(b)"),
                ("a second session of an id", IN_XML.replace('num="s2"', 'num="s1"'), SEEN,
                 "sessions:2", "RS-CONV-23(a)"),
                ("a document that is no text", '{"sessions": [{"id": "s1", "queries": [[1]]}]}',
                 SEEN, "sessions", "RS-CONV-24(a)"),
                ("a key that an object has twice", '{"sessions": [], "sessions": []}', SEEN,
                 "sessions", "RS-CONV-24(b)"),
                ("a document that is judged twice", SHOWN, SEEN + "s1 0 a 1\n", "qrels:5",
                 "RS-CONV-25(a) RS-CONV-25(e)"),
                ("a label that is no number", SHOWN, "s1\ta\t1x\n", "qrels:1", "RS-CONV-25"),
            ])
        ),
    ),
    group(
        "fractional labels",
        *(
            case(268 + a, f"labels count as they are, or rounded: {labels}", "DCG", **HALVES,
                 negative="unjudged", unjudged="condensed", labels=labels,
                 flags=unlike("labels", *(x for x in ROUNDED if x != labels)),
                 spec="RS-CONV-39(b) RS-CONV-15(e)" if labels in ("floor", "truncate") else "")
            for a, labels in enumerate(ROUNDED)
        ),
        case(272, "as the labels that are cut", "DCG", qrels=qrels("q: a=0 b=0 c=1"),
             run=HALVES["run"], negative="unjudged", unjudged="condensed",
             laws="RS-CONV-39/L1 = evaluation-0270"),
        case(273, "whole numbers are themselves", "nDCG", **THREE, labels="truncate",
             laws="RS-CONV-39/L1 = evaluation-0002", spec="RS-CONV-39(a)"),
        case(274, "grades come first", "DCG", qrels=qrels("q: a=0.5 b=1"), run=run("q: a=2 b=1"),
             labels="floor", grades=((0.5, 2.5),), flags=unlike("labels", "exact", "from-1")
             + " " + unlike("grades", "none"), spec="RS-CONV-39(c)"),
        case(275, "scores are rounded too", "nDCG", qrels=qrels("q: a=7.5 b=2.25 c=9 d=0.5"),
             run=run("q: a=4 b=3 c=2 d=1"), relevance="phi", labels="floor",
             flags=unlike("labels", "exact"), spec="RS-CONV-39(d)"),
    ),
    group(
        "the precision of results",
        case(276, "32-bit floats; the mean is that of the values before", "RR", **THIRDS,
             results="float32", flags=unlike("results", "double", "decimals-5"),
             spec="RS-CONV-40(a)"),
        case(277, "five decimals", "RR", **THIRDS, results="decimals-5",
             flags=unlike("results", "double", "float32"), spec="RS-CONV-40(a)"),
        case(278, "nothing is to be rounded: the same", "P@2", qrels=qrels("q: a=1"),
             run=run("q: a=1"), results="decimals-5", laws="RS-CONV-40/L1 = evaluation-0279"),
        case(279, "the same in doubles", "P@2", qrels=qrels("q: a=1"), run=run("q: a=1")),
    ),
    group(
        "negative labels that are kept; what is not defined refused",
        case(280, "a measure of relevance takes them: not relevant", "AP",
             qrels=qrels("q: a=-1 b=1 c=-2"), run=run("q: a=3 b=2 c=1"), negative="kept",
             laws="RS-CONV-15/L3 = evaluation-0060", flags=unlike("negative", "error")),
        case(281, "a gain does not", "nDCG", qrels=qrels("q: a=-1 b=1"), run=run("q: a=2 b=1"),
             negative="kept", error="measure", flags="to-be-refused", spec="RS-CONV-15(f)"),
        case(282, "nothing to divide by is an error", "AP", **ZERO, undefined="error",
             error="measure", flags="to-be-refused", spec="RS-CONV-4/L4"),
        case(283, "there is something for each query", "AP", qrels=qrels("q: a=1; o: a=2 b=1"),
             run=ZERO["run"], undefined="error", laws="RS-CONV-4/L4 = evaluation-0284"),
        case(284, "as by default", "AP", qrels=qrels("q: a=1; o: a=2 b=1"), run=ZERO["run"],
             flags="several-queries"),
        case(285, "the extremes of judgments are numbers", "AP", **OPEN, unjudged="lowest",
             undefined="error", error="undefined", flags="to-be-refused", spec="RS-CONV-4(g)"),
    ),
    group(
        "measures of trec_eval, by its two versions",
        *(
            case(286 + 2 * a + b, f"{measure}, by {profile}", measure, qrels=TREC["qrels"],
                 run=TREC["run"], profile=profile, flags="float32-scores-tie several-queries",
                 spec="RS-CONV-18")
            for a, measure in enumerate(
                ["AP", "RR", "P@5", "R@5", "nDCG@5", "Rprec", "Success@1", "R@2", "nDCG", "DCG"])
            for b, profile in enumerate(["trec_eval-9", "trec_eval-10"])
        ),
    ),
]

UNUSUAL = [
    group(
        "special cases of labels, results and sessions",
        case(306, "a label of which nothing is gained is as none in the ideal",
             "nDCG(gain='0-0-1')", qrels=qrels("q: a=1; p: a=2"), run=run("q: a=1; p: a=1"),
             undefined="omit",
             flags="query-without-value", spec="RS-CONV-4(c)"),
        case(307, "ERR takes whole labels alone", "ERR", qrels=qrels("q: a=0.5"), run=run("q: a=1"),
             error="measure", flags="to-be-refused", spec="RS-CONV-1(c)"),
        case(308, "a gain takes no label below 0", "DCG", qrels=qrels("q: a=-1"), run=run("q: a=1"),
             negative="kept", error="measure", flags="to-be-refused", spec="RS-CONV-1(a)"),
        case(309, "too small for a 32-bit float", "DCG", qrels=qrels("q: a=1e-60"),
             run=run("q: a=1"), results="float32", flags=unlike("results", "double"),
             spec="RS-CONV-40(b)"),
        *(
            case(318 + a, f"{metric} of two scenarios, of which the {found} finds its document",
                 f"{metric}(gain='0-1-10-100')@1", qrels=qrels("s1: a=3; s2: b=1"),
                 sessions=f"s1\t1\t1\t{first}\ns2\t1\t1\t{second}\n", flags="several-queries",
                 spec="RS-ERR-41")
            for a, (metric, found, first, second) in enumerate([
                ("sDCG", "first", "a", "x"), ("sDCG", "second", "x", "b"),
                ("nsDCG", "first", "a", "x"), ("nsDCG", "second", "x", "b")])
        ),
        case(310, "no session has a value, and there is no mean", "nsDCG@2",
             sessions="s1\t1\t1\ta\n", qrels=qrels("s1: a=0"), undefined="omit", flags="no-mean",
             spec="RS-CONV-26(a)"),
        case(311, "a session of no query is one", "sDCG@2", qrels=qrels("s1: a=1; s2: a=1"),
             sessions='{"sessions": [{"id": "s1", "queries": [["a"]]}, '
             '{"id": "s2", "queries": []}]}', flags="several-queries", spec="RS-CONV-26(c)"),
        case(312, "in XML too", "sDCG@2", qrels=qrels("s1: a=1; s2: a=1"),
             sessions='<sessiontrack2011><session num="s1"><interaction num="1"><results>'
             f'{_result(1, "a")}</results></interaction></session><session num="s2"/>'
             '</sessiontrack2011>', laws="RS-CONV-24/L1 = evaluation-0311",
             spec="RS-CONV-23(e)"),
        case(313, "the ranking of a session that is not there", "sDCG@2", sessions=SHOWN,
             qrels=SEEN, current="x Q0 a 1 1 t\n", error="current", flags="to-be-refused",
             spec="RS-CONV-23(d)"),
        case(314, "an escape that is half of a pair", "sDCG@2", qrels=SEEN,
             sessions='{"sessions": [{"id": "s1", "queries": [["\\ud800"]]}]}',
             error="sessions", flags="to-be-refused", spec="RS-CONV-24(c)"),
        case(315, "a session that the topics have twice", "sDCG@2", sessions=SHOWN, qrels=SEEN,
             topics="s1 1\ns1 1\n", error="topics:2", flags="to-be-refused",
             spec="RS-CONV-25(b) RS-CONV-25(e)"),
        case(316, "a label without a gain", "sDCG(gain='0-1')@2", sessions=SHOWN, qrels=SEEN,
             error="measure", flags="to-be-refused", spec="RS-CONV-25(d)"),
        case(317, "a byte 0 in a comment", "RR", qrels="# \0\nq 0 a 1\n", run=run("q: a=1"),
             lines="comments", error="qrels:1", flags="to-be-refused", spec="RS-CONV-33(c)"),
    ),
    group(
        "the lowest and the highest value over all judgments",
        case(256, "L is 1 where no label is above 0", "P@2", qrels=qrels("q: b=0"),
             run=run("q: a=2 b=1"), unjudged="highest", flags=unlike("unjudged", "nonrelevant"),
             spec="RS-CONV-14"),
        case(257, "L is the highest label of all queries", "DCG@1", qrels=qrels("q: b=1; p: a=4"),
             run=run("q: a=2 b=1"), unjudged="highest", flags=unlike("unjudged", "nonrelevant"),
             spec="RS-CONV-14"),
        case(258, "with fractions any number up to L", "nDCG", qrels=qrels("q: b=1.5 c=0.25"),
             run=run("q: b=3 a=2"), unjudged="highest", flags=unlike("unjudged", "nonrelevant"),
             spec="RS-CONV-14(a)"),
        case(259, "documents below the depth stay unjudged", "AP", qrels=qrels("q: b=1 c=0"),
             run=run("q: b=3 c=2 a=1"), unjudged="lowest", depth=2,
             flags=unlike("depth", "none"), spec="RS-CONV-14(d)"),
        case(260, "a negative label that is no judgment can be any", "RR", unjudged="highest",
             qrels=qrels("q: a=-1 b=1"), run=run("q: a=2 b=1"), negative="unjudged",
             flags=unlike("negative", "zero"), spec="RS-CONV-14(e)"),
        case(261, "a judgment that leaves a query without a value takes no part in it", "AP",
             qrels=qrels("q: a=1; p: b=0"), run=run("q: a=1; p: b=2 c=1"), unjudged="lowest",
             undefined="omit", flags=f'several-queries {unlike("undefined", "zero")}',
             spec="RS-CONV-14(b)"),
        case(322, "the mean leaves out a query that some judgment leaves without a value, if that "
             "is lower", "AP", qrels=qrels("q: a=0; p: b=1"),
             run=run("q: a=2 x=1; p: c=4 d=3 e=2 b=1"), unjudged="lowest", undefined="omit",
             flags="mean-not-of-all several-queries", spec="RS-CONV-14(g)"),
        case(262, "Success", "Success@1", **OPEN, unjudged="highest",
             flags=unlike("unjudged", "lowest"), spec="RS-CONV-14"),
        case(263, "ERR", "ERR", qrels=qrels("q: a=2 c=1"), run=run("q: a=3 b=2 c=1"),
             unjudged="highest", flags=unlike("unjudged", "nonrelevant"), spec="RS-CONV-14"),
        case(264, "ERR, of a label above its scale", "ERR(max=2)", qrels=qrels("q: a=3 c=1"),
             run=run("q: a=3 b=2 c=1"), unjudged="highest", error="measure",
             flags="to-be-refused", spec="RS-CONV-14(i)"),
        case(265, "a gain table without L", "nDCG(gain='0-1')", qrels=qrels("q: a=1; p: a=2"),
             run=run("q: a=3 b=2; p: a=1"), unjudged="highest", error="measure",
             flags="to-be-refused", spec="RS-CONV-14(f)"),
        case(266, "LNDCG, the highest", "LNDCG", **OPEN, unjudged="highest", error="measure",
             flags="to-be-refused", spec="RS-CONV-14(h)"),
        case(267, "bpref", "Bpref", **OPEN, unjudged="lowest", error="measure",
             flags="to-be-refused", spec="RS-CONV-14(h)"),
    ),
    group(
        "metrics that have no extremes over judgments; bpref of what is retrieved",
        case(330, "R-precision", "Rprec", **OPEN, unjudged="lowest", error="measure",
             flags="to-be-refused", spec="RS-PREC-12(c)"),
        case(430, "interpolated precision", "IPrec(recall=0.5)", **OPEN, unjudged="lowest",
             error="measure", flags="to-be-refused", spec="RS-PREC-28(e)"),
        case(431, "mean interpolated precision", "AvgIPrec", **OPEN, unjudged="highest",
             error="measure", flags="to-be-refused", spec="RS-PREC-29(c)"),
        case(432, "precision at a multiple of R", "RprecMult", **OPEN, unjudged="lowest",
             error="measure", flags="to-be-refused", spec="RS-PREC-30(d)"),
        case(444, "inferred AP", "infAP", **OPEN, unjudged="lowest", error="measure",
             flags="to-be-refused", spec="RS-PREC-51(f)"),
        case(331, "the residual of RBP", "RBP_residual", **OPEN, unjudged="highest",
             error="measure", flags="to-be-refused", spec="RS-CAS-6(d)"),
        case(332, "bpref, the pool of what is retrieved", "Bpref",
             qrels=qrels("q: a=1 b=0 c=1 d=0"), run=run("q: u=4 a=3 b=2"), pool="retrieved",
             flags=unlike("pool", "judged"), spec="RS-PREC-15(f)"),
    ),
    group(
        "bounds and z-values of queries whose rankings are all alike",
        case(333, "UL2, omit: only the query that has better and worse rankings", "UL2(nDCG@2)",
             **ALIKE, undefined="omit", flags=unlike("undefined", "zero", "one"),
             spec="RS-BND-4(c)"),
        case(334, "UL2, one: the others have 1, whatever is shown", "UL2(nDCG@2)", **ALIKE,
             undefined="one", flags=unlike("undefined", "zero", "omit"), spec="RS-BND-4(c)"),
        case(335, "UL2, zero: below 0 where the list shows less", "UL2(nDCG@2)", **ALIKE,
             undefined="zero", flags=unlike("undefined", "one", "omit"),
             spec="RS-BND-4(c) RS-BND-6(b)"),
        case(336, "the z-value, omit", "z_value(nDCG@1)", **ALIKE, undefined="omit",
             flags=unlike("undefined", "zero"), spec="RS-EXP-23(d)"),
        case(337, "the z-value, one: none is a standard deviation above random", "z_value(nDCG@1)",
             **ALIKE, undefined="one", error="undefined", flags="to-be-refused",
             spec="RS-EXP-23(d)"),
    ),
    group(
        "nothing relevant within the first k, and ideals that no judgment enters",
        case(338, "what the first rank shows is all that counts: no value where it is a miss",
             "nDCG@1", qrels=qrels("q: a=1 b=0; p: a=1 b=0"), run=run("q: a=2 b=1; p: b=2 a=1"),
             depth=1, pool="retrieved", undefined="omit",
             flags=f'query-without-value {unlike("depth", "none")}',
             spec="RS-CONV-4/L5 RS-CONV-4(h)"),
        case(339, "the sum of the first k discounts has no extremes over judgments",
             "nDCG(ideal='perfect')@2", **OPEN, unjudged="highest", error="measure",
             flags="to-be-refused", spec="RS-DCG-8(e)"),
    ),
]


def _parts(groups: list[Group], *, refused: bool) -> list[Group]:
    """The groups with those of their cases alone that are refused, or that are not."""
    kept = [
        (about, [x for x in g.cases if (x.error is not None) == refused])
        for g in groups for about in ["to be refused: " * refused + g.about]
    ]
    return [Group(about, tuple(cases)) for about, cases in kept if cases]


REQUIRED = _parts(USUAL, refused=False)
OPTIONAL = [*_parts(UNUSUAL, refused=False), *_parts([*USUAL, *UNUSUAL], refused=True)]

# What tells wrong implementations from right ones (tests/vectors/slips_of_evaluations.py), where no
# other case does, or but one.
REQUIRED.append(group(
    "ids, labels and depths that slips of programs get wrong",
    case(901, "ids are text: 100, 20, 3 rising", "nDCG", qrels=qrels("q: 20=2 3=1"),
         run=run("q: 100=1 20=1 3=1"), ties="id-ascending", spec="RS-CONV-7"),
    case(902, "ids by their bytes: letters beyond 16 bits are above all others", "nDCG",
         qrels=qrels("q: a😀=2 a=1"), run=run("q: a～=1 a😀=1 a=1"), spec="RS-CONV-7"),
    case(903, "a label of 1.5 is above 1", "nDCG", qrels=qrels("q: a=1 b=1.5"),
         run=run("q: a=2 b=1"), spec="RS-CONV-1"),
    case(904, "two judged documents are the list, whatever stood between", "AP",
         qrels=qrels("q: b=1 c=0 d=1"), run=run("q: u=9 b=8 v=7 d=6 c=5"), unjudged="condensed",
         depth=2, spec="RS-CONV-13 RS-CONV-16"),
))
