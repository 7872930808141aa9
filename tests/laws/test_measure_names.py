"""The names of measures, of which other programs have others: RS-CONV-34.

The names were taken from those programs: ir_measures 0.4.3 (``measures.registry`` and
``parse_trec_measure``), ranx 0.3.21 (``metrics.metric_switch``), recommenders 1.2.1
(``evaluation.python_evaluation``).
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from itertools import product

import pytest

import rankspec as rs
from rankspec.errors import nearest_spelling
from rankspec.evaluation import outputs
from rankspec.metrics.catalogue import DIVERSITY_METRICS, METRICS, SESSION_METRICS
from rankspec.metrics.grammar import WITH_PARAMETERS, listed
from rankspec.metrics.names import NOT_HERE as ABSENT

from ..each import each

SAME = {
    "nDCG": ["NDCG", "nDCG", "ndcg", "Ndcg"],
    "nDCG@10": ["NDCG@10", "ndcg@10", "ndcg_cut_10", "ndcg_cut.10", "ndcg_cut@10", "NDCG_CUT.10"],
    "DCG@5": ["dcg@5", " DCG@5 \n"],
    "nDCG(gain='exp2')@10": ["ndcg_burges@10", "nDCG(dcg='exp-log2')@10"],
    "DCG(gain='exp2')": ["dcg_burges"],
    "AP": ["MAP", "map", "ap"],
    "AP@100": ["MAP@100", "map@100", "map_cut_100", "map_cut.100", "ap@100"],
    "AP(rel=2)@100": ["MAP(rel=2)@100", "map(rel=2)@100"],
    "RR": ["MRR", "mrr", "recip_rank", "rr"],
    "RR@10": ["MRR@10", "mrr@10", "recip_rank@10", "mrr_at_10"],
    "R@5": ["Recall@5", "recall@5", "recall_5", "recall.5", "r@5", "recall_at_5"],
    "R@100": ["recall_100", "R@100", "Recall@100"],
    "P": ["p", "P", "precision", "Precision", " P\t"],
    "P@5": ["Precision@5", "precision@5", "Prec@5", "P_5", "P.5", "p@5", "p_5", "precision_at_5"],
    "Rprec": ["RPrec", "rprec", "r-precision", "R_Precision"],
    "Bpref": ["BPref", "bpref"],
    "infAP": ["infap", "INFAP"],
    "AUC": ["auc", "ROC_AUC", "roc_auc_score"],
    "Success": ["SUCCESS", "Hit_Rate"],
    "NumRelRet": ["num_rel_ret", "NUMRELRET", "NumRet(rel=1)"],
    "NumRelRet(rel=2)@5": ["NumRet(rel=2)@5", "num_ret(rel=2)@5"],
    "Mean(NumRelRet@5)": ["mean(num_rel_ret@5)", "Mean(NumRelRet)@5"],
    "SetP": ["set_P", "setp", "SetP(relative=False)"],
    "F(rel=2)": ["SetF(rel=2)", "set_F(rel=2)", "setf(rel=2)"],
    "RelP(rel=2)": ["SetP(relative=True, rel=2)"],
    "R": ["r", "SetR", "set_recall"],
    "F": ["set_F", "SetF", "F1", "f1"],
    "F@5": ["f1@5", "F1@5"],
    "RelP@5": ["relative_P_5", "relative_P.5", "recall_cap@5", "R_cap@5"],
    "RelP": ["SetRelP", "set_relative_P", "SetP(relative=True)"],
    "SetAP": ["set_map"],
    "NumNonrelRet": ["num_nonrel_judged_ret"],
    "Unjudged@5": ["unj_5", "unj.5"],
    "Success@5": ["success_5", "success.5", "HitRate@5", "hit_rate@5", "HR@5"],
    "ERR@20": ["err@20"],
    "RBP_residual": ["rbp_residual"],
    "GRBP(p=0.9, max_rel='pool')": ["rbp"],
    "GRBP_residual(p=0.9, tail='unjudged')": ["rbp_resid"],
    "Utility": ["utility", "UTILITY"],
    "Utility(weights=(2.0, -1.0, 0.0, 0.0))": [
        *("utility.2,-1,0,0", "utility_2.0,-1.0,0.0,0.0", "Utility(weights=[2.0, -1.0, 0.0, 0.0])"),
    ],
    "NERR8@10": ["NERR8(max_rel=4)@10", "nerr8@10"],
    "NERR9(max_rel=2)@10": ["NERR9(max_rel=2)@10"],
    "NERR10(p=0.5)": ["NERR10(p=0.5, max_rel=4)"],
    "NERR11(T=2)": ["NERR11(T=2, max_rel=4)"],
    "UL2(AP@10)": ["UL2(MAP@10)", "UL2(map_cut.10)", "UL2(MAP)@10"],
    "UL2(nDCG@10)": ["ul2(nDCG@10)", "Ul2(ndcg)@10"],
    "MinMax(nDCG)": ["minmax(nDCG)", "MINMAX(NDCG)"],
    "UL1(DCG(gain='exp2')@5)": ["DCG_V1^UL@5", "dcg_v1^ul@5"],
    "Ratio(nDCG@10)": ["RNDCG@10"],
    "sDCG@10": ["sDCG@10"],
    "IPrec(recall=0.1)": ["IPrec@0.1", "iprec@.10", "iprec_at_recall_0.10", "IPREC_AT_RECALL.0.1"],
    "IPrec(recall=1.0)": ["IPrec@1.0", "IPrec@1.", "iprec_at_recall.1", "iprec_at_recall_1.00"],
    "IPrec(recall=0.25, rel=2)": ["IPrec(rel=2)@0.25", "IPrec(rel=2,)@.25"],
    "IPrec(recall=0.5)@1": ["IPrec(recall=0.5)@1", "IPrec(recall=.5)@1"],
    "IPrec(recall=0.1)@10": ["IPrec@10"],
    "AvgIPrec": ["11pt_avg", "11PT_AVG", "avgiprec"],
    "AvgIPrec(levels=(0.25, 0.5, 0.75))": ["11pt_avg..25,.5,.75", "11PT_AVG_0.25,0.50,0.75"],
    "AvgIPrec(rel=2)@5": ["11pt_avg(rel=2)@5"],
    "GM(AvgIPrec)": ["GM(11pt_avg)"],
    "RprecMult(multiple=0.2)": ["Rprec_mult_0.20", "rprec_mult.0.2", "Rprec_mult..2"],
    "RprecMult@5": ["rprecmult@5"],
    "GM(IPrec(recall=0.1))": ["GM(IPrec@0.1)", "gm(iprec_at_recall.0.1)"],
}
"""{a measure: its other spellings}."""

NOT_HERE = re.findall(
    r"\S+",
    """
    Accuracy xinfAP relstring
    rmse mae rsquared exp_var logloss r_precision_at GAUC PRES NWRR NRR DCU
    nDCU MAPR infNDCG mAP50 mAP50-95 AP75
    """,
)
"""What those programs and papers have and rankspec has not."""


@pytest.mark.spec("RS-CONV-34", "RS-CONV-34/L1")
def test_any_name_is_the_same_measure() -> None:
    for printed, names in SAME.items():
        for name in [printed, *names]:
            found = [str(measure) for measure in rs.measures(name)]
            assert found == [printed], name


@pytest.mark.spec("RS-CONV-34/L1")
def test_the_names_that_a_metric_lists_are_read() -> None:
    """With K for a cut-off, and in any case but where that tells two measures apart."""
    for metric in (*METRICS, *SESSION_METRICS, *DIVERSITY_METRICS):
        names = metric.names
        others = [names.trec, names.trec_cut and f"{names.trec_cut}.K", metric.name]
        others += [name for known in names.others.values() for name in known]
        for name, change in product(filter(None, others), (str, str.lower, str.upper)):
            end = "" if name.endswith("K") else "@7"
            text = change(name.removesuffix("K")) + (end or "7")
            if not name.isascii() and change is str.upper:  # Α is no case of α here
                continue
            if text == "SDCG@7":  # scaled DCG
                assert rs.measures(text) == [rs.SDCG(7)]
            elif text == "rbp@7":  # that of trec_eval
                assert rs.measures(text) == [rs.GRBP(7, p=0.9, max_rel="pool")]
            elif text not in ("sdcg@7", "rndcg@7", "RNDCG@7"):  # the last is Ratio(nDCG)
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
    own = {"rndcg": "Ratio(nDCG"}  # which differ in case alone
    for name, change in product(NOT_HERE, (str, str.lower, str.upper, str.title)):
        for end in ("", "@10", "_10", ".10", "(rel=2)@10"):
            text = change(name) + end
            found, message = read(text)
            if found is not None:
                assert found.startswith(own.get(name.lower(), "?")), text
                continue
            assert "did you mean" not in message, text
            if change is str:
                assert f'"{text}" is no measure of rankspec: it is ' in message, text


@pytest.mark.spec("RS-CONV-34/L2")
def test_case_that_tells_two_measures_apart() -> None:
    assert str(rs.measures("sDCG")[0]) == "sDCG"
    assert str(rs.measures("SDCG")[0]) == "SDCG"
    assert str(rs.measures("rbp")[0]) == "GRBP(p=0.9, max_rel='pool')"
    for text, message in (
        ("Sdcg", "matters: SDCG (scaled discounted cumulated gain) and sDCG (session"),
        ("Rbp", "matters: RBP (rank-biased precision) and rbp (GRBP(p=0.9, max_rel='pool'))"),
        ("rndcg", "matters: RNDCG (Ratio(nDCG)) and nDCG_levels"),
    ):
        with pytest.raises(rs.InputError, match=re.escape(message)):
            rs.measures(text)


@pytest.mark.spec("RS-CONV-34", "RS-CONV-34/L2")
def test_names_that_are_read_otherwise_elsewhere() -> None:
    for text, sentence in (
        ("MAP@R", '"MAP@R" is no measure of rankspec: it is AP at R'),
        ("ndcg@r", '"ndcg@r" is no measure of rankspec: it is nDCG at R'),
        ("P@R", '"P@R" is no measure of rankspec: it is R-precision, which is Rprec'),
        ("IPrec@1", "1 may be the recall, or a cut-off; for the recall, write IPrec@1.0"),
        ("IPrec@0,1", "for the recall, write IPrec@0.0; a cut-off comes last, as in"),
        ("IPrec(recall=0.5)@0.1", "it has two values of recall"),
        ("IPrec@1.5", "recall: the level of recall is 1.5; it must be from 0 to 1"),
        ("iprec_at_recall", '"iprec_at_recall" needs a recall: iprec_at_recall.0.2, say'),
        ("Rprec_mult", '"Rprec_mult" needs a multiple: Rprec_mult.0.2, say'),
        ("iprec_at_recall.10", "the level of recall is 10.0; it must be from 0 to 1"),
        ("RBP@0.8", "0.8 is no cut-off, but may be the parameter p: RBP(p=0.8)"),
        ("map_at_10", "is ambiguous: it is AP@10 in mteb and AP(norm='min')@10 in recommenders"),
        ("MAP_AT", "is ambiguous: it is AP in mteb and AP(norm='min') in recommenders"),
        ("RBP.95", ".95 may be the parameter p: RBP(p=0.95); a cut-off would follow an @"),
        ("rbp.95", "p is a parameter: GRBP(p=0.95, max_rel='pool')"),
        ("rbp.80", "ranx's is RBP(p=0.80) of labels 0 and 1"),
        ("hits@10", "is ambiguous: it is Success@10 in link prediction"),
        ("Hits@1,3", "NumRelRet@1,3 as a count"),
        ("Hits@K", "is ambiguous: it is Success in link prediction"),
        ("hits_at_10", "and Mean(NumRelRet)@10 in ranx (the mean of that count)"),
        ("HITS", "is ambiguous"),
        ("SetF(beta=.5)", "the square of β, by which F is defined (RS-ERR-54)"),
        ("set_F(beta=0.5, rel=2)", "write F(beta=b), of which b² is that parameter"),
        ("set_F.0.5", "the square of β"),
        ("set_F_2", "the square of β"),
        ("SetP(relative=1)", "relative is True or False, not 1"),
        ("11pt_avg.2", "a level of recall is 2.0; it must be from 0 to 1"),
        ("ndcg.1=3,2=9,4=4.5", "gain='0-3-9-3-4.5'), but the gain of label 3 is 3, below that"),
        ("rbp.p=0.8", "p is a parameter: GRBP(p=0.8, max_rel='pool')"),
        ("rbp_resid.p=0.5", "p is a parameter: GRBP_residual(p=0.5, tail='unjudged')"),
        ("RBP95", "it may be RBP(p=0.95) or RBP@95; write the one you mean"),
        ("AP.50", '"AP.50" is no measure of rankspec: it is AP of object detection'),
        ("prefs_simp", '"prefs_simp" is no measure of rankspec: it is a count of preferences'),
        ("ndcg_p", "of trec_eval alone, not in its program: ask for nDCG(discount='jarvelin-2002"),
        ("DCU", "of nuggets of information in passages, which labels are not"),
        ("infNDCG", "of a pool in strata, which its qrels name in a column of their own"),
        ("mAP_R", "the number of relevant items of each query; a cut-off is one for all queries"),
        ("PRES", "no program of the survey (spec/index.md) computes it"),
        ("nDCG@0010", "write nDCG(discount='jarvelin-2002(b=2)')@10 for NTCIREVAL's nDCG@0010"),
        ("UL2(nDCG@0010)", "or nDCG@10"),
        ("MSnDCG@0005,0010", "a cut-off has no leading zeros: write MSnDCG@5,10"),
        ("nDCG@1,000", '"1,000" is no cut-off; write it like nDCG@10'),
        ("P@1,005", '"1,005" is no cut-off; write it like nDCG@10'),
        ("MAP(10)", "MAP@10; in RePlay, MAP(10) is AP(norm='min')@10"),
        ("NDCG(k=5)", "; in RecTools, NDCG(k=5) is nDCG(ideal='perfect')@5"),
        ("P_05", "a cut-off has no leading zeros: write P_5"),
        ("nERR10", "is ambiguous: it is nERR@10 with that cut-off and NERR10 of ir_measures"),
        ("ndcg_at_5", "is ambiguous: it is nDCG@5 in mteb and nDCG@5 of labels made 0 or 1"),
        ("ndcg@10-l2", "a parameter, which nDCG has not; gains of 0 stand for labels below 2"),
    ):
        found, message = read(text)
        assert found is None, text
        assert sentence in message, message
        assert "did you mean" not in message, text


@pytest.mark.spec("RS-CONV-34")
def test_what_is_to_be_asked_for_instead_is_read() -> None:
    asked = [text.partition("ask for ")[2] for text in ABSENT if "ask for " in text]
    assert len(asked) > 3
    for text in asked:
        for name in re.split(" or ", re.sub(", of qrels.*", "", text)):
            assert len(rs.measures(name.replace("@k", "@5"))) == 1, name


@pytest.mark.spec("RS-CONV-34")
def test_ndcg_p_of_trec_eval_is_what_its_error_says() -> None:
    """m_ndcg_p.c: the gain of rank 1 whole, of rank i over log2(i); the ideal of all judged."""
    shown, pool = [1, 0, 3, 2], [3, 2, 2, 1, 0]

    def dcg(labels: list[int]) -> float:
        return sum(x / max(1, math.log2(i)) for i, x in enumerate(labels, start=1))

    name = read("ndcg_p")[1].partition("ask for ")[2].partition(" (`")[0]
    found = rs.measures(name)[0].of(shown, judged=pool)
    assert found == pytest.approx(dcg(shown) / dcg(sorted(pool, reverse=True)), rel=1e-14)


@pytest.mark.spec("RS-CONV-34")
def test_letters_that_look_alike_are_other_letters() -> None:
    """Python reads a full-width R as R in a name, and holds the Kelvin sign for a k."""
    kelvin, long_s = "\N{KELVIN SIGN}", "\N{LATIN SMALL LETTER LONG S}"
    wide = {ord("A") + a: 0xFF21 + a for a in range(26)}
    wide |= {ord("a") + a: 0xFF41 + a for a in range(26)}
    for text in (
        *(name.translate(wide) for name in ("recall", "RBP", "AP", "map", "P@10", "UL2(AP)")),
        *("\N{DOUBLE-STRUCK CAPITAL R}", f"recip_ran{kelvin}", f"preci{long_s}ion_5"),
        *("AP(" + "rel".translate(wide) + "=2)", "nDCG(" + "gain".translate(wide) + "='gain')"),
        *("UL1(" + "AP".translate(wide) + ")", f"reca{'l'.translate(wide)}l_5"),
    ):
        with pytest.raises(
            rs.InputError, match=r"^unknown measure |is no measure, but (AP|nDCG) is"
        ):
            rs.measures(text)


@pytest.mark.spec("RS-CONV-34")
def test_a_slip_of_the_notation_is_named() -> None:
    """And the name of the measure, which is right, is not suggested."""
    for text, sentence in (
        ("nDCG(gain='exp2)@10", "the quote ' is not closed"),
        ('nDCG(gain="exp2)@10', 'the quote " is not closed'),
        ("nDCG(gain='exp2'@10", "a parenthesis is not closed"),
        ("UL2(nDCG@10", "a parenthesis is not closed"),
        ("nDCG(", "a parenthesis is not closed"),
        ("nDCG@10)", "a parenthesis is closed that none has opened"),
        ("nDCG 10", "the cut-off follows an @: nDCG@10"),
        ("RBP 8", "it may be RBP(p=0.8) or RBP@8; write the one you mean"),
        ("Hit Rate@5", "a name has no blanks: HitRate@5"),
        ("AP RR", "these are 2 measures; give a list of them: AP, RR"),
        ("nDCG('exp2')@10", "a parameter needs its name: nDCG(gain='exp2')@10"),
        ("RBP(0.8)", "a parameter needs its name: RBP(p=0.8)"),
        ("nDCG(5)@10", "a parameter needs its name; nDCG has gain, discount, ideal"),
        ("nDCG(10)", "the cut-off follows an @: nDCG@10"),
        ("nDCG@10@5", "it has two cut-offs; for both, write nDCG@10,5"),
        ("nDCG@10(exp2)", "the cut-off comes last, behind the parameters; and a parameter needs"),
        ("ndcg@10(rel=2)", "the cut-off comes last, behind the parameters; and nDCG has no param"),
        ("P.5,", "it ends with a comma"),
        ("nDCG@10,", "it ends with a comma"),
        ("nDCG[10]", "no measure, but nDCG is; write it like nDCG(gain="),
    ):
        found, message = read(text)
        assert found is None, text
        assert sentence in message, message
        assert "did you mean" not in message, text


@pytest.mark.spec("RS-CONV-34")
def test_what_is_no_text_is_no_name() -> None:
    for given, sentence in (
        (["nDCG@10"], r"measures: ['nDCG@10'] is no name of a measure; give one name at a time"),
        (None, 'measures: None names no measure; write one like "nDCG@10"'),
        (b"nDCG", "measures: b'nDCG' is no name of a measure; a name is a text, not bytes"),
        (7, "measures: 7 is no name of a measure"),
        (rs.nDCG, "measures: nDCG is a metric; call it for a measure: rs.nDCG()"),
    ):
        with pytest.raises(rs.InputError, match=re.escape(sentence)):
            rs.measures(given)  # type: ignore[arg-type]
        if not isinstance(given, list):
            for measures in (given, [given]):
                with pytest.raises(rs.InputError, match=re.escape(sentence)):
                    rs.evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, measures)  # type: ignore[arg-type]
    with pytest.raises(rs.InputError, match=r"^measures: expected at least one, .* got none$"):
        rs.evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, [])
    with pytest.raises(rs.InputError, match=r"^measures: expected at least one, .* got none$"):
        rs.evaluate_sessions({"q": {"a": 1}}, [], [])


@pytest.mark.spec("RS-CONV-34/L2")
def test_what_trec_eval_has_at_several_cut_offs_needs_one() -> None:
    for name in ("success", "recall", " success ", "UL2(success)"):
        with pytest.raises(rs.InputError, match=r"needs a cut-off: .*@10, say"):
            rs.measures(name)


@pytest.mark.spec("RS-CONV-34")
def test_only_slips_of_the_pen_have_a_suggestion() -> None:
    near = {"nDGC@10": "nDCG@10", "ndgc_cut_10": "ndcg_cut_10", "LNDGC": "LNDCG", "nDDCG": "nDCG"}
    near |= {"recip_rnk": "recip_rank", "Recal@5": "Recall@5", "ERRR": "ERR"}
    near |= {"UL22(nDCG)": "UL2(nDCG)", "nDGC(gain='exp2')@5": "nDCG(gain='exp2')@5"}
    near |= {"querry_nDCG": "query_nDCG", "z_valeu(AP)": "z_value(AP)", "rs.nDCG@10": None}
    near |= {"precison": "precision", "recipt_rank": "recip_rank", "Bpreff": "Bpref"}
    near |= dict.fromkeys(("nDC", "NMAP", "ncg_cut", "ncg_cut.5", "avg_DCG", "avg_xDCG", "RBP+"))
    near |= dict.fromkeys(("querry_nDGC", "precision+", "precision2", "MAP_V1^UL@10", "MRR_V1^UL"))
    near |= dict.fromkeys(("DCG_V1^LU", "MPS_V1^UL", "SP_VV1^UL", "PRECISIOIN2"))
    near |= dict.fromkeys(("IERR", "xDCG", "DNCG", "aNDCG@10", "RP", "MP@5", "DCG_V3^UL"))
    for text, meant in near.items():
        with pytest.raises(rs.InputError) as error:
            rs.measures(text)
        assert (f'did you mean "{meant}"?' in str(error.value)) == (meant is not None), text
        assert ("did you mean" in str(error.value)) == (meant is not None), text


def test_slips_of_the_pen() -> None:
    """By a search over all words that one edit, or two, leads to."""
    letters = "abcd"

    def swapped(word: str) -> set[str]:
        return {word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1)}

    def doubled(word: str) -> set[str]:
        return {word[:i] + c + word[i:] for i, c in enumerate(word)}

    def single(word: str) -> set[str]:
        return {word[:i] + word[i + 1 :] for i in range(1, len(word)) if word[i] == word[i - 1]}

    def edited(word: str) -> set[str]:
        cuts = [(word[:i], word[i:]) for i in range(len(word) + 1)]
        found = {a + b[1:] for a, b in cuts if b}
        found |= {a + c + b[1:] for a, b in cuts if b for c in letters}
        return found | {a + c + b for a, b in cuts for c in letters}

    for word in ("abca", "cabb", "bcdbcdd", "abcabcab", "bcdbcdbcd"):  # two have no vowel
        same = swapped(word) | doubled(word) | single(word) | {word}
        slips = same | (edited(word) if len(word) >= 7 and "a" in word else set())
        for x in same | edited(word) | {z for y in edited(word) for z in edited(y)}:
            found = nearest_spelling(x, [word.upper()]) == word.upper()
            assert found == (x in slips and x[:1] == word[0]), (word, x)
    assert nearest_spelling("abca", []) is None


@pytest.mark.spec("RS-CONV-34")
def test_another_notation_is_answered_by_this_one() -> None:
    for text, sentence in (
        ("nDCG@10(gain=exp2)", "the cut-off comes last: nDCG(gain='exp2')@10"),
        ("AP@5,10(rel=2, norm='min')", "the cut-off comes last: AP(rel=2, norm='min')@5,10"),
        ("nDCG(gain=exp2)@10", "put strings in quotes: gain='exp2'"),
        ("nDCG@10,AP", "these are 2 measures; give a list of them: nDCG@10, AP"),
        ("AP,nDCG@5,10,P@5", "these are 3 measures; give a list of them: AP, nDCG@5,10, P@5"),
        ("UL2(AP, bounds='exact'),RR", "give a list of them: UL2(AP, bounds='exact'), RR"),
        ("nDCG@10 AP", "these are 2 measures; give a list of them: nDCG@10, AP"),
        ("nDCG@10; AP", "these are 2 measures; give a list of them: nDCG@10, AP"),
        ("nDCG_10", "the cut-off follows an @: nDCG@10"),
        ("ndcg10", "the cut-off follows an @: nDCG@10"),
        ("MAP.100", "the cut-off follows an @: AP@100"),
        ("AP(cutoff=5)", "no parameter 'cutoff'; the cut-off follows an @; it has rel"),
        ("AP(judged_only=True)", 'a convention says so: unjudged="condensed"; it has rel'),
        ("official", "this is a set of trec_eval's measures; name each: map recip_rank P.5,10"),
        ("ndcg.1=3,2=9", "parameter: nDCG(gain='0-3-9')"),
        ("ndcg.2=5", "parameter: nDCG(gain='0-1-5')"),
        ("map@10-l2", "the least label that is relevant is a parameter: AP(rel=2)@10"),
        ("nDCG(k=5)", "no parameter 'k'; the cut-off follows an @; it has gain"),
        ("Recal", '(did you mean "Recall"?); it needs a cut-off: Recall@10, say'),
        ("recall", '"recall" needs a cut-off: recall@10, say'),
        ("Recall", '"Recall" needs a cut-off: Recall@10, say'),
    ):
        with pytest.raises(rs.InputError, match=re.escape(sentence)):
            rs.measures(text)
        with pytest.raises(rs.InputError, match=re.escape(sentence)):
            rs.evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, text)


@pytest.mark.spec("RS-CONV-34")
def test_what_is_printed_is_the_name_here() -> None:
    result = rs.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["MAP@100", "NDCG", "ndcg_burges@5"])
    assert list(result.mean) == ["AP@100", "nDCG", "nDCG(gain='exp2')@5"]


@pytest.mark.spec("RS-CONV-34", "RS-PREC-28")
def test_levels_are_divided_by_commas_and_printed_with_two_decimals() -> None:
    text = "iprec_at_recall.0,.1,0.25,IPrec(rel=2)@0.1,0.2,P.5,10"
    names = [str(m) for part in listed(text) for m in rs.measures(part)]
    assert names == [
        *("IPrec(recall=0.0)", "IPrec(recall=0.1)", "IPrec(recall=0.25)"),
        *("IPrec(recall=0.1, rel=2)", "IPrec(recall=0.2, rel=2)", "P@5", "P@10"),
    ]
    assert [rs.measures(name)[0].trec_name for name in names[:4]] == [
        *("iprec_at_recall_0.00", "iprec_at_recall_0.10", "iprec_at_recall_0.25"),
        "IPrec(recall=0.1, rel=2)",
    ]
    assert rs.IPrec(recall=0.125).trec_name == "IPrec(recall=0.125)"
    assert rs.IPrec(recall=0.1, rounding="plus-0.9").trec_name == "iprec_at_recall_0.10"
    assert rs.IPrec(recall=0.1, k=5).trec_name == "IPrec(recall=0.1)@5"


@pytest.mark.spec("RS-CONV-18", "RS-PREC-27")
def test_a_profile_has_the_rounding_of_its_program() -> None:
    """0.3 of four asks for one relevant document in trec_eval 10, and for two in trec_eval 9."""
    qrels, run = {"q": dict.fromkeys("abcd", 1)}, {"q": {"a": 3.0, "x": 2.0, "b": 1.0}}
    by_profile = {None: 1, "trec_eval-10": 1, "trec_eval-9": 2 / 3, "ir_measures": 2 / 3}
    for profile, value in by_profile.items():
        found = rs.evaluate(qrels, run, "IPrec@0.3", profile=profile)
        assert found["IPrec@0.3"] == found["iprec_at_recall_0.30"] == value
        printed = outputs.trec({"r": found}).split()
        assert printed == ["iprec_at_recall_0.30", "all", f"{value:.4f}"]
        names = ["IPrec@0.3", "IPrec(recall=0.3, rounding='up')"]
        both = rs.evaluate(qrels, run, names, profile=profile)
        printed = [line.split()[0] for line in outputs.trec({"r": both}).splitlines()]
        assert printed == [str(m).replace(" ", "") for m in both.measures]  # not one name for two
    lists = rs.evaluate_lists(
        {"q": ["a", "x", "b"]}, qrels, "IPrec@0.3", k=3, profile="trec_eval-9"
    )
    assert lists["IPrec(recall=0.3)@3"] == 2 / 3


@pytest.mark.spec("RS-CONV-34")
@pytest.mark.parametrize(
    "name",
    [x for x, is_ in WITH_PARAMETERS.items() if not x.isidentifier() and "(" not in is_],
)
def test_names_that_python_cannot_read_take_parameters(name: str) -> None:
    (m,) = rs.measures(name)
    (same,) = rs.measures(f"{name}(rel=1)@5" if "rel" in m.metric.parameters else f"{name}@5")
    assert same.metric is m.metric
    assert same.k == 5


@pytest.mark.spec("RS-CONV-34")
@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("mrr", "; write rs.rr(labels), or rs.RR for the measure"),
        ("MRR", "; write rs.rr(labels), or rs.RR for the measure"),
        ("mrr_at_k", "; write rs.rr(labels, k=10), or rs.RR for the measure"),
        ("hit_rate", "; write rs.success(labels), or rs.Success for the measure"),
        ("map", "; write rs.ap(labels), or rs.AP for the measure"),
        ("average_precision", "; write rs.ap(labels), or rs.AP for the measure"),
        ("mean_average_precision", "; write rs.ap(labels), or rs.AP for the measure"),
        ("mean_reciprocal_rank", "; write rs.rr(labels), or rs.RR for the measure"),
        ("precision_at_k", "; write rs.precision(labels, k=10), or rs.P for the measure"),
        ("recall_at_5", "; write rs.recall(labels, k=5), or rs.R for the measure"),
        ("recall_at_10", "; write rs.recall(labels, k=10), or rs.R for the measure"),
        (
            "hits_at_2",
            ", which has several meanings: rs.success(labels, k=2) in link prediction (the share "
            "of queries with a hit); rs.num_rel_ret(labels, k=2) as a count (the hits of a query, "
            'summed over queries); rs.evaluate(qrels, run, "Mean(NumRelRet)@2") in ranx (the mean '
            "of that count)",
        ),
        ("Recall", "; write rs.recall(labels), or rs.R for the measure"),
        ("NDCG", "; write rs.ndcg(labels), or rs.nDCG for the measure"),
        ("ndcg_score", "; write rs.ndcg(labels), or rs.nDCG for the measure"),
        ("ndcg_burges", "; write rs.ndcg(labels, gain='exp2')"),
        ("gmap", '; write rs.evaluate(qrels, run, "GM(AP)")'),
        (
            "ndcg_at_k",
            ", which has several meanings: rs.ndcg(labels, k=10) in mteb; rs.ndcg(labels, k=10) of "
            "labels made 0 or 1, in recommenders",
        ),
        (
            "map_at_k",
            ", which has several meanings: rs.ap(labels, k=10) in mteb; rs.ap(labels, norm='min', "
            "k=10) in recommenders",
        ),
        ("evaluate_run", ' (did you mean "evaluate_runs"?)'),
        ("qrels", ""),
        ("_private", ""),
    ],
)
def test_an_attribute_that_is_not_there_says_what_is(name: str, advice: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(rs, name)
    assert str(caught.value) == f"module 'rankspec' has no attribute {name!r}{advice}"


@pytest.mark.spec("RS-CONV-34", "RS-CONV-34/L1")
def test_the_function_that_an_attribute_is_said_to_be_has_the_value_of_the_name() -> None:
    """Of all spellings that Python can read; that of certify is the same function."""
    labels, followed = [1, 0, 2, 1, 0], 0
    spellings = {x for m in METRICS for names in m.names.others.values() for x in names}
    spellings |= {x for m in METRICS for x in (m.names.trec, m.names.trec_cut) if x}
    for spelling in sorted(spellings | set(WITH_PARAMETERS)):
        name = spelling.replace("_K", "_k")
        if not name.isidentifier() or hasattr(rs, name):
            continue
        with pytest.raises(AttributeError) as caught:
            getattr(rs, name)
        call = re.search(r"; write (rs\.\w+\(labels.*?\))(?:, or rs|$)", str(caught.value))
        if call is None:
            continue
        bare = re.sub("(_at)?_k$", "", name)
        needs_cutoff = bare != name or "needs a cut-off" in read(name)[1]
        (measure,) = rs.measures(f"{bare}@10" if needs_cutoff else name)
        assert eval(call[1], {"rs": rs, "labels": labels}) == measure.of(labels), name  # noqa: S307
        with pytest.raises(AttributeError, match=re.escape(call[1].replace("rs.", "rs.certify."))):
            getattr(rs.certify, name)
        followed += 1
    assert followed > 20


OF_FRACTIONS = [
    rs.DCG(k=3, discount=[1, Fraction(1, 2), Fraction(10**30, 3 * 10**30 + 1)]),
    rs.DCG(gain=[0, Fraction(1, 3), 1]),
    rs.LNDCG(k=2, prior=[Fraction(1, 3), Fraction(2, 7)]),
    rs.UL2(rs.LDCG(k=2, prior=[Fraction(1, 3), 0.25])),
    rs.Adjusted(rs.RR(k=2), prior=[1, Fraction(1, 9)]),
]


@pytest.mark.spec("RS-CONV-34", "RS-DISC-5")
@each("measure", OF_FRACTIONS)
def test_fractions_are_read_as_they_are_written(measure: rs.Measure) -> None:
    assert rs.measures(str(measure)) == [measure]
    thirds = rs.DCG(k=3, discount=[1, Fraction(1, 2), Fraction(1, 3)])
    for text in ("DCG(discount=[1, 1/2, 1/3])@3", "DCG(discount='[1,1/2,1/3]')@3"):
        assert rs.measures(text) == [thirds]


@pytest.mark.spec("RS-DISC-5", "RS-GAIN-3")
@each("weight", ["1/0", "1/", "/3", "-1/2", "1/2/3", "1.5/2", "1/x"])
def test_what_is_no_fraction_is_refused(weight: str) -> None:
    with pytest.raises(rs.InputError, match=f'^discount: "{weight}" is not a number$'):
        rs.dcg([1], discount=f"[{weight}]")
    with pytest.raises(rs.InputError, match=f'^gain: "{weight}" is not a number$'):
        rs.dcg([1], gain=f"[0, {weight}]")
