"""Walks through what sfumato shows, on tables that come with it."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.application.demo import tour
    from sfumato.application.demo.hospital import walk_hospital
    from sfumato.application.demo.tables import HospitalTable, Language, copy_tables, hospital_table
    from sfumato.application.demo.walk import Walk

__all__ = ["HospitalTable", "Walk", "copy_tables", "hospital_table", "walk_hospital"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "hospital": "walk_hospital",
            "tables": "HospitalTable Language copy_tables hospital_table",
            "tour": "",
            "walk": "Walk",
        },
    )
