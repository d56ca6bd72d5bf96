"""Exact verdicts: finite laws in rationals and exponentials, over all neighbouring pairs."""
