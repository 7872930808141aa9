"""Sessions: the metrics of queries in a sequence as functions, session files, their evaluation.

==============  ====================================================================
``functions``   the metrics as functions of labels: rs.sdcg(), rs.nsdcg(), ...
``inputs``      lists and arrays of sessions as flat buffers
``data``        sessions of documents, and their judgments
``files``       session files, and those of judgments and topics: rs.read_sessions()
``trec_xml``    the XML of the TREC Session Track
``json_files``  session files in JSON
``evaluation``  sessions against judgments: rs.evaluate_sessions()
``report``      evaluations as tables, TSV and JSON
``averages``    averages over sessions, rank by rank: rs.session_curve(), ...
==============  ====================================================================
"""
