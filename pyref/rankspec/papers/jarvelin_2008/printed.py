"""What jarvelin-2008 prints: the vectors of its appendix, Table 2, and numbers of section 3.1."""

from __future__ import annotations

# Section 3.1: the discount of queries; that of ranks, with b = 2, is the default here too.
QUERIES = "jarvelin-2008(b=4)"
X = 10
DEPTH = 100  # of the top-100, and in the appendix of every vector
BASES = (1.5, 2, 4, 10)  # the ends of the ranges that it calls reasonable, and those that it uses

# Section 3.1, and Table 1 with what the text says of it.
SEARCHERS, SCENARIOS = 30, 4
SESSIONS_A_SYSTEM, SESSIONS_A_CELL, ALL_QUERIES = "60", "15", "343"
FEATURES = {
    "Experience using Internet search engines (years)": ("7.2", "7"),
    "Professional experience in medicine (years)": ("21.4", "21"),
}

# Table 2: how many sessions have 1, 2, ... queries, and the average number.
TABLE_2 = {
    "System 1": ((28, 7, 10, 4, 5, 4, 1, 1, 0, 0, 0), "2.53"),
    "System 2": ((21, 7, 9, 11, 2, 4, 2, 2, 0, 1, 1), "3.18"),
}
MOST = 11

# Appendix, with the base 4.
DISCOUNT = "jarvelin-2008(b=4)"
G = (3, 2, 3, 0, 0, 1, 2, 2, 3, 0)
CG = ("3", "5", "8", "8", "8", "9", "11", "13", "16", "16")
DCG = ("3", "4", "5.67", "5.67", "5.67", "6.11", "6.94", "8.14", "9.30", "9.30")
PLACES = 2
ERRATUM = "RS-ERR-2"  # spec/errata.md: all components of DCG' but the first
