"""Where rows live: an engine groups and counts them, and only counts come out."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.data.arrow import array_of, in_memory, whole_numbers
    from sfumato.data.counting import (
        Counts,
        GroupCounts,
        NestedCounts,
        PairedCounts,
        View,
        compared_as,
        count_groups,
        count_nested,
        count_pairs,
    )
    from sfumato.data.doubles import floor, is_finite, number_or
    from sfumato.data.engines.embedded import EmbeddedEngine
    from sfumato.data.engines.engine import watching
    from sfumato.data.engines.postgres.session import is_address, read_address
    from sfumato.data.files import (
        check_readable,
        check_there,
        has_table_name,
        is_compressed,
        is_csv,
        is_tabbed,
        quoted,
    )
    from sfumato.data.frames import without_objects
    from sfumato.data.names import asked_names, check_apart, check_names
    from sfumato.data.number_columns import PERSON, Measured
    from sfumato.data.opening import (
        check_texts,
        gathered,
        open_source,
        open_sources,
        without_fallible,
    )
    from sfumato.data.records import open_records
    from sfumato.data.source import Source
    from sfumato.data.writing import (
        as_they_were,
        check_folder,
        check_free,
        check_reachable,
        harmless,
        harmless_texts,
        is_formula,
        is_same_file,
        put_in_place,
    )

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

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "arrow": "array_of in_memory whole_numbers",
            "counting": (
                "Counts GroupCounts NestedCounts PairedCounts View compared_as count_groups "
                "count_nested count_pairs"
            ),
            "doubles": "floor is_finite number_or",
            "engines.embedded": "EmbeddedEngine",
            "engines.engine": "watching",
            "engines.postgres.session": "is_address read_address",
            "files": (
                "check_readable check_there has_table_name is_compressed is_csv is_tabbed quoted"
            ),
            "frames": "without_objects",
            "number_columns": "Measured PERSON",
            "names": "asked_names check_apart check_names",
            "opening": "check_texts gathered open_source open_sources without_fallible",
            "records": "open_records",
            "source": "Source",
            "writing": (
                "as_they_were check_folder check_free check_reachable harmless harmless_texts "
                "is_formula is_same_file put_in_place"
            ),
        },
    )
