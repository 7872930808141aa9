"""Figures of papers that their own definitions do not give: what they give instead.

Each group belongs to a chapter, whose numbers its cases have.
"""

# fmt: off
from __future__ import annotations

from . import case, group

RISING = [1, 2, 3, 4, 5, 6, 7, 20]

DCG = group(
    "figures of papers that their definitions do not give",
    *(
        case(870 + a, f"nDCG@2 of {', '.join(map(str, labels))}: printed {printed}, cut off",
             "nDCG", labels, judged=[2, 1, 0], k=2, gain="exp2", flags="gain-matters",
             spec="RS-ERR-3")
        for a, (labels, printed) in enumerate([
            ([2], "0.82"), ([1, 2], "0.79"), ([1, 0, 2], "0.27")])
    ),
    case(873, "ten items of one label in any order: no ranking of them shows in nDCG", "nDCG",
         [3] * 10, judged=[3] * 10 + [2, 1, 0], k=10, gain="exp2", flags="exact-one",
         spec="RS-ERR-17"),
    case(874, "ranks 10 and 11 exchanged", "nDCG", [3] * 9 + [2, 3],
         judged=[3] * 10 + [2, 1, 0], k=10, gain="exp2", flags="gain-matters", spec="RS-ERR-17"),
)

LENGTH = group(
    "figures of papers that their definitions do not give",
    *(
        case(870 + a, f"LDCG of {', '.join(map(str, labels))}: printed {printed}", "LDCG", labels,
             k=3, flags="z-matters", spec="RS-ERR-7")
        for a, (labels, printed) in enumerate([
            ([2], "6.40"), ([2, 1], "5.54"), ([2, 0], "4.58")])
    ),
    case(873, "six results, one 5 and five of 4: better than the 5 alone", "LNDCG",
         [5, 4, 4, 4, 4, 4], ideal="eq7", flags="above-one-by-eq7", spec="RS-ERR-8"),
    case(874, "seven results, one 4 and six of 3", "LNDCG", [4, 3, 3, 3, 3, 3, 3], ideal="eq7",
         flags="above-one-by-eq7", spec="RS-ERR-8"),
    case(875, "one result of label 1, without Z", "LDCG", [1], Z="none"),
    case(876, "a further one of 3/4: more results of less relevance are more", "LDCG", [1, 0.75],
         Z="none", flags="fractional-label", laws="RS-ERR-9 > length-0875"),
    case(877, "with linear gain, 3 and 2 are more than 3", "LDCG", [3, 2], Z="none",
         gain="linear", flags="longer-is-better", spec="RS-ERR-9"),
    case(878, "a uniform prior: a second result of label 1 adds nothing to the first by the "
         "discount of 2002", "LDCG", [1, 1], Z="none", discount="jarvelin-2002(b=2)",
         flags="length-is-free", spec="RS-ERR-9"),
    case(879, "M stays in LNDCG", "LNDCG", [1], judged=[1, 1, 1], k=[1, 2, 3],
         flags="falls-with-cut-off", spec="RS-ERR-10"),
    case(880, "results beyond M have no part in what is expected", "LDCG", [1, 1], k=1,
         flags="cut-to-m", spec="RS-ERR-11"),
    case(881, "a 1 at rank 1 of seven, DCG@1 to DCG@6 of 1", "LDCG", [1, 0, 0, 0, 0, 0, 0]),
    case(882, "a 2 at rank 7, and DCG up to 6 of 0: no aggregation of DCG at several cut-offs",
         "LDCG", [0, 0, 0, 0, 0, 0, 2], laws="RS-ERR-12 = length-0881"),
)

RELEVANCE = group(
    "figures of papers that their definitions do not give",
    case(870, "median and maximum are one: half the relevance below the median", "DCG_phi", [1],
         judged=[0, 1, 2, 2, 2], k=1, spec="RS-ERR-13"),
    case(871, "median and whisker are one", "DCG_phi", [2], judged=[0, 1, 2, 2, 2, 2, 2, 2, 12],
         k=1, spec="RS-ERR-13"),
    *(
        case(872 + a, f"the outlier 20, where the highest score is {highest}", "DCG_phi", [20],
             judged=[*RISING, highest], k=1, flags="outlier whisker-matters", spec="RS-ERR-14")
        for a, highest in enumerate([30, 100, 1000])
    ),
    case(875, "the relevance of 8.5 among 0, 8 and 9: 13/36", "DCG_phi", [8.5], judged=[0, 8, 9],
         k=1, flags="no-outlier", spec="RS-ERR-15"),
    case(876, "of 8.75: 11/16, more than halfway between 13/36 and 1: φ is not convex", "DCG_phi",
         [8.75], judged=[0, 8, 9], k=1, flags="no-outlier", spec="RS-ERR-15",
         laws="RS-ERR-15 > relevance-0875"),
    case(877, "by the text the score 90 has the relevance 25/72", "DCG_phi", [90],
         judged=[10, 15, 80, 90, 100], k=1, flags="variant-matters", spec="RS-ERR-16"),
    case(878, "by the authors' program 7/20", "DCG_phi", [90], judged=[10, 15, 80, 90, 100], k=1,
         variant="authors-program", flags="variant-matters", spec="RS-ERR-16"),
    case(879, "by the authors' program the least score has a relevance", "DCG_phi", [1],
         judged=[1, 2, 2], k=1, variant="authors-program", flags="variant-matters",
         spec="RS-ERR-16"),
)
