"""Values that show which axioms metrics satisfy: pairs of lists, and how their values compare."""

# fmt: off
from __future__ import annotations

from . import Group, case, group

GOOD = [2, 2, 1, 0]

REQUIRED: list[Group] = []

OPTIONAL = [
    group(
        "C1: a worse result more",
        case(1, "one result", "nDCG", [2], judged=GOOD, k=3),
        case(2, "a worse one more: it is not lower", "nDCG", [2, 1], judged=GOOD, k=3,
             laws="RS-AXM-2/L1 >= axioms-0001"),
        case(3, "one result", "GAP", [2], judged=GOOD),
        case(4, "one of no relevance more: it is the same", "GAP", [2, 0], judged=GOOD,
             laws="RS-AXM-2/L1 = axioms-0003; RS-AXM-20/L1 = axioms-0003; "
                  "RS-AXM-21/L1 = axioms-0003"),
        case(5, "one result", "LNDCG", [2], judged=GOOD),
        case(6, "one of no relevance more: it is lower", "LNDCG", [2, 0], judged=GOOD,
             laws="RS-AXM-2/L2 < axioms-0005; RS-AXM-20/L2 < axioms-0005"),
    ),
    group(
        "C1 of longer lists",
        case(7, "one result of the label 2, without Z", "LDCG", [2], Z="none"),
        case(8, "23 of the label 1 behind it: less", "LDCG", [2] + [1] * 23, Z="none",
             laws="RS-AXM-4/L2 < axioms-0007"),
        case(9, "24: more", "LDCG", [2] + [1] * 24, Z="none", laws="RS-AXM-4/L2 > axioms-0007"),
    ),
    group(
        "C2: a result as good more",
        case(10, "one result", "ERR", [2]),
        case(11, "two: more", "ERR", [2, 2], laws="RS-AXM-3/L2 > axioms-0010"),
        case(12, "two, of which the first alone is seen", "ERR", [2, 2], k=1,
             laws="RS-AXM-3(a) = axioms-0010"),
        case(13, "everybody stops at the first", "ERR", [2], stop=[0, 0.5, 1]),
        case(14, "and nobody sees the second", "ERR", [2, 2], stop=[0, 0.5, 1],
             laws="RS-AXM-3/L2 = axioms-0013; RS-ERR-51 = axioms-0013"),
        case(15, "a label that is relevant to nobody", "GAP", [1], judged=GOOD, q=[0, 1]),
        case(16, "two of them", "GAP", [1, 1], judged=GOOD, q=[0, 1],
             laws="RS-AXM-3/L3 = axioms-0015; RS-ERR-51 = axioms-0015"),
        case(17, "one relevant item", "RR", [1]),
        case(18, "two: the same", "RR", [1, 1], laws="RS-AXM-3/L4 = axioms-0017"),
        case(19, "the uniform prior: one result", "LDCG", [2], Z="none", prior="uniform"),
        case(20, "and two: the same", "LDCG", [2, 2], Z="none", prior="uniform",
             laws="RS-ERR-50 = axioms-0019"),
        case(21, "a steep prior: one result", "LDCG", [2], Z="none", prior=[1, 0.25]),
        case(22, "and a worse one more: more", "LDCG", [2, 1], Z="none", prior=[1, 0.25],
             laws="RS-ERR-50 > axioms-0021"),
    ),
    group(
        "deepness and thresholds",
        case(23, "eight items", "SP", [0, 0, 0, 1, 0, 1, 0, 1]),
        case(24, "the ranks 7 and 8 exchanged, not 4 and 5: more", "SP", [0, 0, 0, 0, 1, 1, 1, 0],
             laws="RS-AXM-17/L4 > axioms-0023"),
        case(25, "one relevant item", "DCG", [1]),
        case(26, "two at the ranks 3 and 4: less", "DCG", [0, 0, 1, 1],
             laws="RS-AXM-19/L1 < axioms-0025"),
        case(27, "three at the ranks 4 to 6: more", "DCG", [0, 0, 0, 1, 1, 1],
             laws="RS-AXM-19/L1 > axioms-0025; RS-AXM-18/L1 > axioms-0025"),
        case(28, "one relevant item", "SP", [1]),
        case(29, "three at the ranks 4 to 6: 1/4 + 2/5 + 3/6", "SP", [0, 0, 0, 1, 1, 1],
             laws="RS-AXM-19/L3 > axioms-0028"),
        case(30, "of which five ranks are seen", "SP", [0, 0, 0, 1, 1, 1], k=5,
             laws="RS-AXM-19/L3 < axioms-0028"),
        case(31, "one item that few stop at", "ERR", [1]),
        case(32, "three at the ranks 4 to 6: less", "ERR", [0, 0, 0, 1, 1, 1],
             laws="RS-AXM-18/L2 < axioms-0031; RS-AXM-19/L2 < axioms-0031"),
    ),
    group(
        "depth",
        case(33, "three of four items of one label, all that k = 3 lets see", "nDCG", [1, 1, 1],
             judged=[1, 1, 1, 1], k=3, laws="RS-AXM-13/L1 = axioms-0034"),
        case(34, "the only item of its pool", "nDCG", [2], judged=[2], k=3),
        case(35, "at k = 4 one is missing", "nDCG", [1, 1, 1], judged=[1, 1, 1, 1], k=4,
             laws="RS-AXM-8/L1 < axioms-0033"),
        case(36, "the same by AP, divided by the lesser of k and what is relevant", "AP",
             [1, 1, 1], judged=[1, 1, 1, 1], k=3, norm="min"),
        case(37, "at k = 4", "AP", [1, 1, 1], judged=[1, 1, 1, 1], k=4, norm="min",
             laws="RS-AXM-8/L2 < axioms-0036"),
        case(38, "AP of as many relevant items as are seen: no list has 1", "AP", [1, 1, 1],
             judged=[1, 1, 1, 1], k=3, laws="RS-AXM-13/L4 < axioms-0036"),
    ),
    group(
        "appended items",
        case(39, "one of two relevant items: the ideal is as short as the list", "nDCG", [1],
             judged=[1, 1, 0], k=3, ideal="shown"),
        case(40, "one of no relevance more: the ideal is longer, and the value lower", "nDCG",
             [1, 0], judged=[1, 1, 0], k=3, ideal="shown", laws="RS-AXM-21 < axioms-0039"),
    ),
]
