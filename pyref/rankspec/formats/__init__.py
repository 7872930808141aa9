"""Files and frames, read: TREC, sessions, and what compresses them."""
