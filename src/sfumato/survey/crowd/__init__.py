"""Many people at once: their reports drawn in arrays, by the same laws as one person's."""
