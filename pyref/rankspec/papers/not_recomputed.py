"""What each paper prints or draws that cannot be computed again, and why.

A table or a sentence is here when what it was computed from is neither printed nor published. The
modules of the papers hold all the rest.
"""

from __future__ import annotations

from collections.abc import Mapping

from .reproduction import NotRecomputed

LV_2014 = (
    NotRecomputed(
        "Section 3",
        "the user study: 174 pairs of lists, 82.4 % of the people for one perfect result alone, "
        "75.8 % for one good result alone",
        3,
        "the pairs and the answers of the crowd are not published",
    ),
    NotRecomputed(
        "Figures 1 to 3",
        "pages of a search engine, as examples",
        0,
        "these are pictures without values; the judgments of figure 3 are those of Table 1",
    ),
)

MONIZ_2016 = (
    NotRecomputed(
        "Figure 1",
        "two relevance functions, without and with outliers",
        0,
        "their scores are artificial and not printed; `rankspec plot relevance` draws both kinds",
    ),
    NotRecomputed(
        "Figure 2",
        "box plots of 1,000 random samples",
        0,
        "drawn, without values, and the samples are not published; samples of our own are "
        "compared with what is said of them",
    ),
    NotRecomputed(
        "Section 5",
        "9,795 rankings a topic, and 107,590 news of which 6,468 were not in Twitter",
        3,
        "only 1,432 rankings a topic, of one month, are in what was published; which news were in "
        "Twitter is not",
    ),
    NotRecomputed(
        "Figures 3 and 4",
        "means of nDCG@k and nDCG_phi@k by topic, and their differences in 2,000 rankings",
        1,
        "the number of tweets of each news item is in no copy of what was published; without the "
        "tweets a ranking has no scores",
    ),
)

KARMAKER_2022 = (
    NotRecomputed(
        "Tables 2 to 5 and 12 to 15",
        "means over queries, of eight trained rankers",
        480,
        "neither the rankings nor the trained rankers nor the samples of queries are published",
    ),
    NotRecomputed(
        "Tables 6, 9, 10, 11, 16, 19, 20 and 21",
        "the columns of uninformative and ideal queries",
        0,
        "the means over these queries are not printed; what the tables leave possible is the "
        "verdict",
    ),
    NotRecomputed(
        "Tables 7, 8, 17 and 18",
        "numbers of significant differences",
        0,
        "the tests need the values of each query; what the tables leave possible is checked",
    ),
    NotRecomputed(
        "Figures 2 and 3",
        "histograms of expected values",
        0,
        "drawn, without values, of queries that are not published",
    ),
    NotRecomputed(
        "Section 4.1",
        "30,000 and 1,700 queries in the data sets, 119.06 and 41.47 documents a query",
        4,
        "the first two are round numbers of data sets that are distributed with 31,531 and 1,692 "
        "queries; the others are of samples that are not published",
    ),
)

JARVELIN_2008 = (
    NotRecomputed(
        "Table 1",
        "averages and standard deviations of four features of the searchers",
        8,
        "the answers of the 30 searchers are not published",
    ),
    NotRecomputed(
        "Figures 1 to 4",
        "gains by rank, of last and other queries, of sessions on average and one by one; and "
        "what is said of them: that System 2 is better, that last queries are the best and level "
        "off at rank 20",
        0,
        "drawn, without values, and neither the results of the 343 queries nor their judgments "
        "are published; `rankspec session plot` draws them of other sessions",
    ),
)

NOT_RECOMPUTED: Mapping[str, tuple[NotRecomputed, ...]] = {
    "lv-2014": LV_2014,
    "moniz-2016": MONIZ_2016,
    "karmaker-2022": KARMAKER_2022,
    "jarvelin-2008": JARVELIN_2008,
}
