"""Where rows live: an engine groups and counts them, and only counts come out."""

from sfumato.data.counting import count_groups, count_nested, count_pairs
from sfumato.data.counts import GroupCounts, NestedCounts, PairedCounts
from sfumato.data.opening import gathered, open_source, open_sources
from sfumato.data.source import Source

__all__ = [
    "GroupCounts",
    "NestedCounts",
    "PairedCounts",
    "Source",
    "count_groups",
    "count_nested",
    "count_pairs",
    "gathered",
    "open_source",
    "open_sources",
]
