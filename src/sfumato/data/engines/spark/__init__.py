"""Spark as an engine: the rows stay on the cluster, and sums of them are all that leaves it."""
