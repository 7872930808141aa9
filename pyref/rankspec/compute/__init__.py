"""From batches of rankings to values: the core's binding, the reference's fall-back, tables."""
