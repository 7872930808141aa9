"""The measures that are taken where none is named; this imports nothing: help names them, too."""

OF_RANKINGS = ("nDCG@10", "AP", "P@10", "RR")
OF_SCORES = ("nDCG_phi@10",)  # where labels are scores (RS-CONV-20)
OF_SESSIONS = ("nsDCG@10", "sDCG@10", "query_nDCG@10")
OF_DIVERSITY = ("alpha_nDCG@10", "ERR_IA@10", "NRBP", "StRecall@10")
