"""Where rows live: an engine groups and counts them, and only counts come out."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
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

__getattr__, __dir__ = door(
    __name__,
    {
        "counting": "count_groups count_nested count_pairs",
        "counts": "GroupCounts NestedCounts PairedCounts",
        "opening": "gathered open_source open_sources",
        "source": "Source",
    },
)
