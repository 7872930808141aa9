"""Which axioms a metric satisfies: by proof, or as far as small worlds show."""
