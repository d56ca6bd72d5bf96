"""Counts of the cells of small trees."""

from __future__ import annotations

from hypothesis import strategies as st

#: One, two, four or eight cells, with few people in each.
TABLES = st.integers(0, 3).flatmap(
    lambda levels: st.lists(st.integers(0, 12), min_size=2**levels, max_size=2**levels)
)
