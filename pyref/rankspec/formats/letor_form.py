"""How a row of a LETOR file is written, as help and messages have it. Spec: RS-CONV-21"""

ROW = "label qid:ID feature:value ..."
FORM = f"lines: {ROW} # comment"
