"""Which definition a black box computes: ``rs.identify`` and ``rankspec identify``."""
