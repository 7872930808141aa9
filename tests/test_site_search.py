"""The search of the site: what leads for phrases that readers type.

The site is built, and Material's own worker answers in Chromium.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .site_browser import Visit, browser, built, served

__all__ = ["browser", "built"]

LEADS = {
    "nDCG": "spec/dcg/#RS-DCG-6",
    "nDCG@10": "spec/dcg/#RS-DCG-6",
    "DCG": "spec/dcg/#RS-DCG-2",
    "ERR": "spec/cascade/#RS-CAS-2",
    "expected reciprocal rank": "spec/cascade/#RS-CAS-2",
    "RBP": "spec/cascade/#RS-CAS-5",
    "average precision": "spec/precision/average-precision/#RS-PREC-7",
    "MAP": "spec/precision/average-precision/#RS-PREC-7",
    "MRR": "spec/precision/#RS-PREC-4",
    "recall": "spec/precision/#RS-PREC-3",
    "precision": "spec/precision/#RS-PREC-2",
    "Bpref": "spec/precision/counts/#RS-PREC-15",
    "Success": "spec/precision/counts/#RS-PREC-13",
    "sDCG": "spec/session/#RS-SES-6",
    "session DCG": "spec/session/ideal/#RS-SES-11",
    "LNDCG": "spec/length/ideal/#RS-LEN-9",
    "alpha-nDCG": "spec/diversity/#RS-DIV-6",
    "exp2": "spec/gain/#RS-GAIN-2",
    "ties": "spec/ties/#RS-TIE-2",
    "tied scores": "spec/ties/#RS-TIE-2",
    "upper bound": "spec/bounds/#RS-BND-1",
    "z-value": "spec/ties/#RS-EXP-23",
    "duplicates": "spec/evaluation/#RS-CONV-10",
    "unjudged": "spec/evaluation/#RS-CONV-13",
    "missing query": "spec/evaluation/#RS-CONV-9",
    "no relevant documents": "spec/conventions/#RS-CONV-4",
    "k larger than the list": "spec/conventions/#RS-CONV-2",
    "float32": "spec/evaluation/#RS-CONV-12",
    "confidence interval": "spec/randomness/#RS-RND-13",
    "significance test": "guides/compare/",
    "axioms": "spec/axioms/",
    "trec_eval sklearn differ": "disagree/",
    "polars": "data/",
    "pandas": "data/",
    "install": "install/",
    "Spark": "engines/",
    "DuckDB": "engines/",
    "LightGBM": "compat/lightgbm/",
    "XGBoost": "compat/xgboost/",
    "torch": "compat/torch/",
    "pytrec_eval": "compat/pytrec-eval/",
    "ranx": "libraries/ranx/",
    "popularity": "guides/popularity/",
    "citation": "cite/",
    "test vectors": "spec/vectors/",
}
"""What each phrase finds first."""

ASK = """async ([phrases, docs]) => {
  const config = JSON.parse(document.getElementById("__config").textContent);
  const base = new URL(config.base, location.href);
  const index = await (await fetch(new URL("search/search_index.json", base))).json();
  const worker = new Worker(new URL(config.search, base));
  const answer = (type) => new Promise((done) => {
    worker.onmessage = ({ data }) => { if (data.type === type) done(data.data); };
  });
  const [READY, RESULT] = [1, 3];
  const ready = answer(READY);
  worker.postMessage({ type: 0, data: { ...index, docs: docs ?? index.docs, options: {} } });
  await ready;
  const found = {};
  for (const phrase of phrases) {
    const result = answer(RESULT);
    worker.postMessage({ type: 2, data: phrase });
    const pages = (await result).items;
    found[phrase] = pages.length ? pages[0].map((x) => [x.score, x.location]) : [];
  }
  return found;
}"""
"""What is found for phrases: in these documents, or in those of the site."""


IDS = {
    "RS-DCG-6": "spec/dcg/#RS-DCG-6",
    "rs-conv-4 ": "spec/conventions/#RS-CONV-4",
    "RS-EXP-23": "spec/ties/#RS-EXP-23",
    "RS-NUM-7": "spec/core/numerics/#RS-NUM-7",
}
NAMES = {
    "nDCG@10": "spec/dcg/#RS-DCG-6",
    "ndcg_cut_10": "spec/dcg/#RS-DCG-6",
    "map_cut_100": "spec/precision/average-precision/#RS-PREC-7",
    "Average Precision": "spec/precision/average-precision/#RS-PREC-7",
    "reciprocal rank": "spec/precision/#RS-PREC-4",
    "expected reciprocal rank": "spec/cascade/#RS-CAS-2",
    "recip_rank": "spec/precision/#RS-PREC-4",
    "P@5": "spec/precision/#RS-PREC-2",
    "P_10": "spec/precision/#RS-PREC-2",
    "Hit Rate": "spec/precision/counts/#RS-PREC-13",
    "HitRate@10": "spec/precision/counts/#RS-PREC-13",
    "roc_auc_score": "spec/precision/recall-levels/#RS-PREC-40",
    "F1": "spec/precision/counts/#RS-PREC-22",
    "2^r - 1": "spec/gain/#RS-GAIN-2",
    "2**r-1": "spec/gain/#RS-GAIN-2",
    "ranx": "libraries/ranx/",
    "scikit-learn ndcg_score": "libraries/scikit_learn/#ndcg-score",
    "LightGBM nDCG": "libraries/lightgbm/#ndcg",
    "pytrec_eval": "libraries/pytrec_eval/",
    "RetrievalNormalizedDCG": "libraries/torchmetrics/#retrieval-normalized-dcg",
    "nDCG greater than 1": "disagree/#above-1",
    "query with no relevant documents": "disagree/#nothing-relevant",
    "hit@k": "spec/precision/counts/#RS-PREC-13",
    "nan ndcg": "spec/conventions/#RS-CONV-4",
    "how to cite": "cite/",
    "Kendall tau": "spec/agreement/#RS-AGR-2",
    "rank-biased overlap": "spec/agreement/#RS-AGR-7",
}
"""What is put first for an ID, for a name of a metric, and for a library and its function."""


@pytest.fixture(scope="module")
def site(built: Path) -> Iterator[str]:
    yield from served(built)


@pytest.mark.slow
def test_phrases_lead_where_they_should(browser: Any, site: str) -> None:
    with Visit(browser, site) as visit:
        found = visit.page.evaluate(ASK, [list(LEADS), None])
    leads = {phrase: max(best)[1] if best else "" for phrase, best in found.items()}
    assert leads == LEADS


@pytest.mark.slow
def test_words_with_digits_are_kept_apart(browser: Any, site: str) -> None:
    """Where lunr takes two nodes for one, it finds words that are not there, and ends."""
    rng = random.Random(1)
    numbers = [str(rng.randrange(10 ** rng.randrange(2, 9))) for _ in range(6000)]
    docs = [{"location": f"{i}/", "title": "", "text": x} for i, x in enumerate(numbers)]
    phrases = [f"{i}*" for i in range(10, 100)]
    with Visit(browser, site) as visit:
        found = visit.page.evaluate(ASK, [phrases, docs])
        assert visit.wrong == []
    assert all(found.values())


@pytest.mark.slow
def test_an_id_or_a_name_leads_to_its_entry(browser: Any, site: str) -> None:
    with Visit(browser, f"{site}/spec/gain/") as visit:
        field = visit.page.locator("[data-md-component=search-query]")
        field.click()
        for typed, place in (IDS | NAMES).items():
            field.press("Control+A")
            field.type(typed)
            first = f".md-search-result__item:first-child a[href='{site}/{place}']"
            visit.page.wait_for_selector(first)
        field.press("Control+A")
        field.type("RS-DCG-999 polars")  # no name
        visit.page.wait_for_selector(".md-search-result__item")
        visit.page.wait_for_selector(".rs-found", state="detached")
        # Material says so of an ID whose number is not typed yet, and of the sign ^.
        said = ("Invalid query: ", "QueryParseError")
        assert [x for x in visit.wrong if not any(map(x.__contains__, said))] == []
