"""Sessions: the metrics of queries in a sequence as functions, session files, their evaluation.

==============  ===============================================================
``functions``   the metrics as functions of labels: rs.sdcg(), rs.nsdcg(), ...
``inputs``      lists and arrays of sessions as flat buffers
``data``        sessions of documents, and their judgments
==============  ===============================================================
"""
