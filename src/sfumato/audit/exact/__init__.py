"""Exact verdicts on finite distributions, in rationals and exponentials, over all neighbours."""
