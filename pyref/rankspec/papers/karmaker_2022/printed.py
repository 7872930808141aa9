"""What karmaker-2022 prints, which stands nowhere else, and what of it the tables do not give."""

from __future__ import annotations

CUTOFFS = (5, 10, 15, 20, 30)
METHODS = ("ARank", "LNet", "RBoost", "RF", "RNet", "CA", "L2LR", "LMART")
DATA_SETS = ("MSLR-WEB30K", "MQ2007")
QUERY_SETS = ("All", "uninform.", "Ideal")
STUDIES = {
    "nDCG": ("nDCG", "DCG_V1", "DCG_V2"),
    "MAP": ("MAP", "MSP_V1", "MSP_V2"),
}
PAIRS = len(METHODS) * (len(METHODS) - 1) // 2
COMPARISONS = PAIRS * len(CUTOFFS)

Cells = dict[str, tuple[str, ...]]

# Tables 2 to 5 and 12 to 15: the means over queries, by metric and data set.
_TABLES = {
    ("nDCG", "MSLR-WEB30K"): (
        2,
        """
        ARank 0.3218 0.3492 0.3704 0.3896 0.4237
        LNet 0.1534 0.1827 0.2066 0.2288 0.2686
        RBoost 0.3062 0.3346 0.3578 0.3777 0.4141
        RF 0.3832 0.4118 0.4325 0.4493 0.4795
        RNet 0.154 0.1833 0.207 0.2292 0.269
        CA 0.3985 0.4138 0.4288 0.4428 0.4707
        L2LR 0.1977 0.2371 0.2696 0.2974 0.3444
        LMART 0.4365 0.454 0.4706 0.4856 0.513
        """,
    ),
    ("nDCG", "MQ2007"): (
        3,
        """
        ARank 0.3881 0.4156 0.448 0.4797 0.5372
        LNet 0.3767 0.4035 0.4384 0.4687 0.5282
        RBoost 0.3834 0.414 0.449 0.4807 0.5355
        RF 0.4035 0.4286 0.4609 0.4914 0.5476
        RNet 0.3809 0.4131 0.4451 0.4764 0.536
        CA 0.3928 0.4207 0.4544 0.4824 0.5399
        L2LR 0.3873 0.4159 0.4474 0.4779 0.538
        LMART 0.3931 0.4206 0.4535 0.4857 0.5441
        """,
    ),
    ("DCG_V1", "MSLR-WEB30K"): (
        4,
        """
        ARank 0.249 0.2616 0.2719 0.2818 0.2995
        LNet 0.0977 0.1124 0.1257 0.1384 0.1617
        RBoost 0.2327 0.2474 0.2601 0.2708 0.2907
        RF 0.3043 0.3187 0.3289 0.3365 0.3505
        RNet 0.0982 0.113 0.126 0.1388 0.1621
        CA 0.3188 0.3208 0.3255 0.3306 0.3424
        L2LR 0.1373 0.1605 0.1809 0.1985 0.2278
        LMART 0.3549 0.3588 0.3648 0.3706 0.3818
        """,
    ),
    ("DCG_V2", "MSLR-WEB30K"): (
        4,
        """
        ARank 0.2374 0.2531 0.2648 0.2761 0.2964
        LNet 0.0469 0.0606 0.0721 0.0837 0.1048
        RBoost 0.2217 0.2374 0.2509 0.2626 0.2852
        RF 0.3086 0.3265 0.3385 0.3478 0.3652
        RNet 0.0476 0.0614 0.0727 0.0843 0.1054
        CA 0.3259 0.3286 0.3341 0.3401 0.3545
        L2LR 0.0982 0.1248 0.1475 0.1671 0.1996
        LMART 0.3677 0.3742 0.3824 0.3902 0.4056
        """,
    ),
    ("DCG_V1", "MQ2007"): (
        5,
        """
        ARank 0.2882 0.2991 0.3157 0.3314 0.3558
        LNet 0.2777 0.2886 0.3068 0.3213 0.3481
        RBoost 0.2822 0.2975 0.3161 0.3317 0.3542
        RF 0.2992 0.3095 0.3262 0.3409 0.3642
        RNet 0.2791 0.2957 0.3133 0.3271 0.3536
        CA 0.2911 0.3031 0.32 0.3335 0.3582
        L2LR 0.2858 0.2991 0.315 0.3295 0.3562
        LMART 0.2901 0.3019 0.3192 0.3355 0.361
        """,
    ),
    ("DCG_V2", "MQ2007"): (
        5,
        """
        ARank 0.1348 0.2092 0.2587 0.2995 0.3638
        LNet 0.1141 0.1872 0.2485 0.284 0.3453
        RBoost 0.1359 0.2061 0.2633 0.3042 0.3635
        RF 0.1681 0.2356 0.2859 0.3223 0.3866
        RNet 0.1177 0.2044 0.2554 0.2908 0.3573
        CA 0.1512 0.2214 0.2762 0.3029 0.3666
        L2LR 0.1331 0.2097 0.2599 0.3001 0.368
        LMART 0.1636 0.2311 0.2806 0.3183 0.3801
        """,
    ),
    ("MAP", "MSLR-WEB30K"): (
        12,
        """
        ARank 0.5414 0.4948 0.4724 0.4598 0.4493
        LNet 0.3203 0.2994 0.293 0.2911 0.2943
        RBoost 0.5449 0.4967 0.475 0.4618 0.452
        RF 0.6216 0.5717 0.5433 0.5244 0.5053
        RNet 0.3212 0.3008 0.2939 0.2919 0.2956
        CA 0.6235 0.5631 0.53 0.5107 0.4903
        L2LR 0.356 0.3353 0.333 0.3353 0.3457
        LMART 0.6487 0.5928 0.5613 0.5414 0.5198
        """,
    ),
    ("MAP", "MQ2007"): (
        13,
        """
        ARank 0.3066 0.2923 0.302 0.3173 0.3624
        LNet 0.3379 0.3233 0.3328 0.3468 0.3905
        RBoost 0.3467 0.3366 0.3477 0.3636 0.4035
        RF 0.3674 0.352 0.3585 0.3736 0.414
        RNet 0.3281 0.3175 0.3275 0.3443 0.3878
        CA 0.3597 0.3457 0.356 0.3716 0.4127
        L2LR 0.3543 0.3386 0.3458 0.3607 0.404
        LMART 0.3582 0.3459 0.3539 0.3692 0.4101
        """,
    ),
    ("MSP_V1", "MSLR-WEB30K"): (
        14,
        """
        ARank 0.3856 0.3387 0.3156 0.3017 0.2868
        LNet 0.1978 0.1732 0.1641 0.1597 0.1572
        RBoost 0.3905 0.3422 0.3196 0.305 0.2905
        RF 0.4579 0.4079 0.3791 0.3591 0.3363
        RNet 0.1988 0.1745 0.1651 0.1606 0.1585
        CA 0.4594 0.4001 0.3673 0.3471 0.3231
        L2LR 0.226 0.2018 0.1963 0.1951 0.1982
        LMART 0.482 0.4265 0.3948 0.3741 0.3488
        """,
    ),
    ("MSP_V2", "MSLR-WEB30K"): (
        14,
        """
        ARank 0.3472 0.3055 0.2799 0.2617 0.2373
        LNet -0.0721 -0.0573 -0.0508 -0.0452 -0.0389
        RBoost 0.3502 0.3019 0.2754 0.2567 0.2339
        RF 0.4783 0.427 0.39 0.3608 0.322
        RNet -0.0718 -0.0551 -0.0498 -0.0452 -0.038
        CA 0.4836 0.4127 0.3676 0.3385 0.2977
        L2LR -0.0223 -0.004 0.0149 0.0312 0.055
        LMART 0.5259 0.4632 0.4211 0.3896 0.3466
        """,
    ),
    ("MSP_V1", "MQ2007"): (
        15,
        """
        ARank 0.2366 0.219 0.2222 0.2287 0.2478
        LNet 0.2676 0.2492 0.2519 0.257 0.2744
        RBoost 0.2738 0.2603 0.2647 0.2714 0.2853
        RF 0.2914 0.2732 0.2739 0.28 0.2941
        RNet 0.259 0.2443 0.2476 0.2552 0.2724
        CA 0.2863 0.2689 0.2728 0.2794 0.2941
        L2LR 0.2806 0.2622 0.2633 0.2693 0.2861
        LMART 0.2829 0.2673 0.2691 0.2755 0.2905
        """,
    ),
    ("MSP_V2", "MQ2007"): (
        15,
        """
        ARank 0.0392 0.0778 0.0116 0.14 0.1905
        LNet 0.0909 0.1315 0.1638 0.1846 0.2257
        RBoost 0.123 0.154 0.188 0.213 0.2513
        RF 0.1586 0.1904 0.206 0.226 0.2729
        RNet 0.085 0.1308 0.1567 0.1825 0.222
        CA 0.1422 0.1741 0.198 0.2204 0.2584
        L2LR 0.1232 0.1548 0.1846 0.2093 0.2543
        LMART 0.1541 0.1949 0.2138 0.2369 0.2725
        """,
    ),
}


def _read(text: str) -> Cells:
    rows = (line.split() for line in text.strip().splitlines())
    return {method: tuple(cells) for method, *cells in rows}


PRINTED = {key: _read(text) for key, (_, text) in _TABLES.items()}
NUMBERS = {key: number for key, (number, _) in _TABLES.items()}

# Tables 9 and 19, PAD: of all queries, then of the uninformative and the ideal ones. Of each the
# two data sets.
PAD = {
    "nDCG": ("31", "1.74", "7.39", "5.85", "35.74", "1.61"),
    "DCG_V1": ("35.7", "3.6", "9.98", "7.825", "40.21", "1.98"),
    "DCG_V2": ("46.7", "6.42", "41.75", "44.81", "44.53", "2.98"),
    "MAP": ("25.57", "5.91", "12.28", "5.89", "30.18", "6.77"),
    "MSP_V1": ("31.84", "6.86", "16", "7.19", "35.53", "8.04"),
    "MSP_V2": ("97.63", "20.01", "25.65", "28.27", "48.29", "13.49"),
}
PAD_TABLES = {"nDCG": 9, "MAP": 19}
PAD_COLUMNS = [(queries, of) for queries in QUERY_SETS for of in DATA_SETS]

# Tables 6 and 16, Kendall's τ with the original metric: All, uninformative, ideal.
TAU = {
    ("DCG_V1", "MSLR-WEB30K"): ("1", "0.928", "1"),
    ("DCG_V2", "MSLR-WEB30K"): ("1", "0.85", "1"),
    ("DCG_V1", "MQ2007"): ("1", "1", "1"),
    ("DCG_V2", "MQ2007"): ("0.785", "0.928", "1"),
    ("MSP_V1", "MSLR-WEB30K"): ("1", "1", "1"),
    ("MSP_V2", "MSLR-WEB30K"): ("0.928", "0.857", "0.928"),
    ("MSP_V1", "MQ2007"): ("1", "1", "1"),
    ("MSP_V2", "MQ2007"): ("0.785", "0.624", "1"),
}
TAU_TABLES = {"nDCG": 6, "MAP": 16}

# Tables 10 and 20: swap rates across the data sets, for All, uninformative, ideal. Tables 11 and
# 21: across uninformative and ideal, in each data set.
SWAPS = {
    "nDCG": ("0.107", "0.42", "0.35", "0.21", "0.5"),
    "DCG_V1": ("0.107", "0.42", "0.35", "0.25", "0.5"),
    "DCG_V2": ("0.107", "0.42", "0.35", "0.21", "0.5"),
    "MAP": ("0.25", "0.357", "0.2857", "0.1428", "0.3928"),
    "MSP_V1": ("0.25", "0.321", "0.25", "0.1428", "0.3928"),
    "MSP_V2": ("0.178", "0.25", "0.321", "0.1071", "0.2857"),
}
SWAP_TABLES = {"nDCG": (10, 11), "MAP": (20, 21)}

COUNT_TABLES = {"nDCG": (8, 7), "MAP": (18, 17)}

# Tables 8 and 18: of 140 comparisons those with a significant difference. Tables 7 and 17: in how
# many the original metric and another disagree.
SIGNIFICANT = {
    ("nDCG", "MSLR-WEB30K"): (133, 33, 130),
    ("DCG_V1", "MSLR-WEB30K"): (133, 51, 130),
    ("DCG_V2", "MSLR-WEB30K"): (133, 78, 130),
    ("nDCG", "MQ2007"): (0, 9, 7),
    ("DCG_V1", "MQ2007"): (0, 29, 8),
    ("DCG_V2", "MQ2007"): (6, 33, 15),
    ("MAP", "MSLR-WEB30K"): (129, 61, 122),
    ("MSP_V1", "MSLR-WEB30K"): (129, 76, 124),
    ("MSP_V2", "MSLR-WEB30K"): (129, 81, 122),
    ("MAP", "MQ2007"): (45, 0, 71),
    ("MSP_V1", "MQ2007"): (50, 2, 74),
    ("MSP_V2", "MQ2007"): (59, 21, 88),
}
CONFLICTS = {
    ("DCG_V1", "MSLR-WEB30K"): (0, 18, 0),
    ("DCG_V2", "MSLR-WEB30K"): (0, 46, 0),
    ("DCG_V1", "MQ2007"): (0, 20, 1),
    ("DCG_V2", "MQ2007"): (6, 24, 8),
    ("MSP_V1", "MSLR-WEB30K"): (0, 15, 2),
    ("MSP_V2", "MSLR-WEB30K"): (0, 36, 4),
    ("MSP_V1", "MQ2007"): (1, 2, 3),
    ("MSP_V2", "MQ2007"): (8, 21, 17),
}

# Counts that the text gives as percentages of the comparisons, in the order of the text.
PERCENTAGES = {46: "32", 24: "17", 33: "23", 78: "55", 36: "26", 61: "43", 81: "57"}
GROWTH = "74.6"  # of nDCG by RNet on the first data set, from k = 5 to 30, in per cent
SAMPLES = {"MSLR-WEB30K": (10_000, 1_000), "MQ2007": (1_000, 500)}  # queries; of each set of them

CUT_OFF = "RS-ERR-24"
WRONG_CELL = ("MSP_V2", "MQ2007", "ARank", 15)
RIGHT_CELL = "0.116"

# spec/errata.md: what the tables do not give, by table, row and column.
ERRATA: dict[str, tuple[tuple[int, str, str], ...]] = {
    "RS-ERR-25": (
        (9, "nDCG", "MSLR-WEB30K"),
        (9, "DCG_V1", "MQ2007"),
        (19, "MSP_V2", "MSLR-WEB30K"),
        (19, "MSP_V1", "MQ2007"),
    ),
    "RS-ERR-26": ((19, "MSP_V2", "MQ2007"),),
    "RS-ERR-27": ((16, "MSP_V2, MQ2007", "uninform."),),
    "RS-ERR-28": (
        (8, "nDCG, MSLR-WEB30K", "uninform."),
        (8, "DCG_V2, MSLR-WEB30K", "uninform."),
        (7, "DCG_V2, MSLR-WEB30K", "uninform."),
        (18, "MAP, MQ2007", "All"),
        (18, "MSP_V1, MQ2007", "All"),
        (18, "MSP_V2, MQ2007", "All"),
        (17, "MSP_V1, MQ2007", "All"),
        (17, "MSP_V2, MQ2007", "All"),
    ),
    "RS-ERR-29": ((10, "nDCG", "All"), (10, "DCG_V1", "All")),
    "RS-ERR-43": (
        (6, "DCG_V2, MQ2007", "uninform."),
        (6, "DCG_V2, MQ2007", "Ideal"),
        (11, "nDCG", "MQ2007"),
        (11, "DCG_V2", "MQ2007"),
    ),
    "RS-ERR-44": tuple(
        (20, metric, queries) for metric in STUDIES["MAP"] for queries in QUERY_SETS[1:]
    ),
}
# What means can give that are printed as those are (RS-ERR-25).
WITHIN = ((9, "DCG_V2", "MQ2007"),)
