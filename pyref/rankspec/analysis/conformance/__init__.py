"""Conformance: whether another program computes what the specification says (RS-CONF-1).

cases           which vectors are asked
protocol        the lines between the runner and a program
process         a program as a child process, bounded in time and output
adapters        what answers cases: a program, a Python function, a program of TREC files
judge           an answer against what is expected, by a grade
run             all cases, by one or several processes
slips           what implementations do otherwise than the definition
diagnosis       which slip explains the failures, and the smallest input that shows it
known           a list of failures that are known
report          the result: a table, JSON, JUnit
own             rankspec itself as an adapter

Nothing here imports numpy.
"""
