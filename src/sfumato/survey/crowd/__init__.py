"""Many people at once: reports drawn in arrays, from the same distributions as one person's."""
