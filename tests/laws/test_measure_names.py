"""The names of measures, of which other programs have others: RS-CONV-34.

The names were taken from those programs: ir_measures 0.4.3 (``measures.registry`` and
``parse_trec_measure``), ranx 0.3.21 (``metrics.metric_switch``), recommenders 1.2.1
(``evaluation.python_evaluation``).
"""

from __future__ import annotations

import re
from itertools import product

import pytest

import rankspec as rs
from rankspec.chapters import METRICS, SESSION_METRICS
from rankspec.errors import nearest_spelling

SAME = {
    "nDCG": ["NDCG", "nDCG", "ndcg", "Ndcg"],
    "nDCG@10": ["NDCG@10", "ndcg@10", "ndcg_cut_10", "ndcg_cut.10", "ndcg_cut@10", "NDCG_CUT.10"],
    "DCG@5": ["dcg@5"],
    "nDCG(gain='exp2')@10": ["ndcg_burges@10", "nDCG(dcg='exp-log2')@10"],
    "DCG(gain='exp2')": ["dcg_burges"],
    "AP": ["MAP", "map", "ap"],
    "AP@100": ["MAP@100", "map@100", "map_cut_100", "map_cut.100", "ap@100"],
    "AP(rel=2)@100": ["MAP(rel=2)@100", "map(rel=2)@100"],
    "RR": ["MRR", "mrr", "recip_rank", "rr"],
    "RR@10": ["MRR@10", "mrr@10", "recip_rank@10"],
    "R@5": ["Recall@5", "recall@5", "recall_5", "recall.5", "r@5", "recall_at_5"],
    "R@100": ["recall_100", "R@100", "Recall@100"],
    "P@5": ["Precision@5", "precision@5", "Prec@5", "P_5", "P.5", "p@5", "p_5", "precision_at_5"],
    "ERR@20": ["err@20"],
    "RBP_residual": ["rbp_residual"],
    "UL2(AP@10)": ["UL2(MAP@10)", "UL2(map_cut.10)", "UL2(MAP)@10"],
    "Ratio(nDCG@10)": ["RNDCG@10"],
    "sDCG@10": ["sDCG@10"],
}
"""{a measure: its other spellings}."""

NOT_HERE = re.findall(
    r"\S+",
    """
    Accuracy BPM Bpref BPref Compat ERR_IA nERR_IA alpha_DCG alpha_nDCG NRBP nNRBP AP_IA MAP_IA
    P_IA StRecall INST INSQ infAP IPrec Judged NERR8 NERR9 NERR10 NERR11 NumQ NumRel NumRet
    NumRelRet Rprec RPrec SDCG SetP SetRelP SetR SetF SetAP Success α_DCG α_nDCG Rndcg
    num_nonrel_judged_ret set_map 11pt_avg relative_P gm_map binG set_P bpref num_rel_ret
    ndcg_rel set_recall utility set_relative_P num_ret num_rel relstring Rprec_mult gm_bpref
    num_q G success set_F iprec_at_recall hits hit_rate f1 r-precision rbp rmse mae rsquared
    exp_var auc logloss r_precision_at ndcg_at map_at HitRate HR F1 AUC
    """,
)
"""What those programs have and rankspec has not."""


@pytest.mark.spec("RS-CONV-34", "RS-CONV-34/L1")
def test_any_name_is_the_same_measure() -> None:
    for printed, names in SAME.items():
        for name in [printed, *names]:
            found = [str(measure) for measure in rs.measures(name)]
            assert found == [printed], name


@pytest.mark.spec("RS-CONV-34/L1")
def test_the_names_that_a_metric_lists_are_read() -> None:
    """With K for a cut-off, and in any case but where that tells two measures apart."""
    for metric in (*METRICS, *SESSION_METRICS):
        others = [metric.trec, metric.trec_cut and f"{metric.trec_cut}.K", metric.name]
        others += [name for names in metric.names.values() for name in names]
        for name, change in product(filter(None, others), (str, str.lower, str.upper)):
            end = "" if name.endswith("K") else "@7"
            text = change(name.removesuffix("K")) + (end or "7")
            if text in ("SDCG@7", "rbp@7"):  # scaled DCG, and graded RBP
                with pytest.raises(rs.InputError, match="known, but not here"):
                    rs.measures(text)
            elif text != "sdcg@7":
                assert rs.measures(text) == [metric(7)], text


def read(text: str) -> tuple[str | None, str]:
    """The measure that a text is, or what is said of it."""
    try:
        return str(rs.measures(text)[0]), ""
    except rs.InputError as error:
        return None, str(error)


@pytest.mark.spec("RS-CONV-34/L2")
def test_no_name_of_another_measure_is_taken_for_one() -> None:
    """Nor is it suggested, in any case of letters, and with a cut-off in any notation."""
    own = {"rbp": "RBP", "sdcg": "sDCG", "rndcg": "Ratio(nDCG"}  # which differ in case alone
    for name, change in product(NOT_HERE, (str, str.lower, str.upper, str.title)):
        for end in ("", "@10", "_10", ".10", "(rel=2)@10"):
            text = change(name) + end
            found, message = read(text)
            if found is not None:
                assert found.startswith(own.get(name.lower(), "?")), text
                continue
            assert "did you mean" not in message, text
            if change is str:
                assert f'"{text}" is known, but not here: ' in message, text


@pytest.mark.spec("RS-CONV-34/L2")
def test_case_that_tells_two_measures_apart() -> None:
    assert str(rs.measures("sDCG")[0]) == "sDCG"
    for text, message in (
        ("SDCG", "scaled DCG, which sDCG, of sessions, is not"),
        ("Sdcg", "the case of its letters matters: SDCG and sDCG"),
        ("rndcg", "the case of its letters matters: RNDCG and Rndcg"),
        ("rbp.95", "rank-biased precision of graded labels, which RBP is not"),
        ("rbp@95", "rank-biased precision of graded labels, which RBP is not"),
    ):
        with pytest.raises(rs.InputError, match=re.escape(message)):
            rs.measures(text)


@pytest.mark.spec("RS-CONV-34")
def test_only_slips_of_the_pen_have_a_suggestion() -> None:
    near = {"nDGC@10": "nDCG", "ndgc_cut_10": "ndcg_cut", "LNDGC": "LNDCG", "nDC": "nDCG"}
    near |= {"recip_rnk": "recip_rank", "Recal@5": "Recall", "ul2(nDCG)": "UL2", "ERRR": "ERR"}
    near |= {"querry_nDGC": "query_nDCG", "z_valeu(AP)": "z_value", "rs.nDCG@10": None}
    near |= dict.fromkeys(("IERR", "xDCG", "DNCG", "aNDCG@10", "RP", "MP@5", "DCG_V3^UL", "Bpreff"))
    for text, meant in near.items():
        with pytest.raises(rs.InputError) as error:
            rs.measures(text)
        assert (f'did you mean "{meant}"?' in str(error.value)) == (meant is not None), text
        assert ("did you mean" in str(error.value)) == (meant is not None), text


def test_slips_of_the_pen() -> None:
    """By a search over all words that one edit, or two, leads to."""

    def edited(word: str, swaps: bool = True) -> set[str]:
        cuts = [(word[:i], word[i:]) for i in range(len(word) + 1)]
        found = {a + b[1:] for a, b in cuts if b}
        found |= {a + c + b[1:] for a, b in cuts if b for c in "abcd"}
        found |= {a + b[1] + b[0] + b[2:] for a, b in cuts if swaps and len(b) > 1}
        return found | {a + c + b for a, b in cuts for c in "abcd"}

    for word in ("abca", "cabb", "abcabcab"):
        once, without_swaps = edited(word), edited(word, swaps=False)
        twice = {y for x in once for y in edited(x)}
        surely_twice = {y for x in without_swaps for y in edited(x, swaps=False)}
        for x in once | twice | {f"{a}dd" for a in twice}:
            found = nearest_spelling(x, [word.upper()]) == word.upper()
            first = x[:1] == word[0]
            if x in once or (x in surely_twice and len(x) >= 8):
                assert found == first, x
            elif found:  # to swap two letters, and put one between them, is more than two edits
                assert first, x
                assert x in twice, x
                assert len(x) >= 8, x
    assert nearest_spelling("abca", []) is None


@pytest.mark.spec("RS-CONV-34")
def test_another_notation_is_answered_by_this_one() -> None:
    for text, sentence in (
        ("nDCG@10(gain=exp2)", "the cut-off comes last: nDCG(gain='exp2')@10"),
        ("AP@5,10(rel=2, norm='min')", "the cut-off comes last: AP(rel=2, norm='min')@5,10"),
        ("nDCG(gain=exp2)@10", "text needs quotes: gain='exp2'"),
        ("nDCG@10,AP", "these are 2 measures; give each by itself: nDCG@10 AP"),
        ("AP,nDCG@5,10,P@5", "these are 3 measures; give each by itself: AP nDCG@5,10 P@5"),
        ("UL2(AP, bounds='exact'),RR", "give each by itself: UL2(AP, bounds='exact') RR"),
        ("official", "this is a set of trec_eval's measures; name each: map recip_rank P.5,10"),
        ("ndcg.1=3,2=9", "parameter: nDCG(gain='0-3-9')"),
        ("ndcg.2=5", "parameter: nDCG(gain='0-1-5')"),
        ("map@10-l2", "the least label that is relevant is a parameter: AP(rel=2)@10"),
        ("recall", '"recall" needs a cut-off: recall.10, say'),
    ):
        with pytest.raises(rs.InputError, match=re.escape(sentence)):
            rs.measures(text)
        with pytest.raises(rs.InputError, match=re.escape(sentence)):
            rs.evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, text)


@pytest.mark.spec("RS-CONV-34")
def test_what_is_printed_is_the_name_here() -> None:
    result = rs.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["MAP@100", "NDCG", "ndcg_burges@5"])
    assert list(result.mean) == ["AP@100", "nDCG", "nDCG(gain='exp2')@5"]
