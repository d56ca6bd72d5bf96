"""Walks through what sfumato shows, on tables that come with it."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.application.demo.hospital import walk_hospital
    from sfumato.application.demo.tables import HospitalTable, copy_tables, hospital_table
    from sfumato.application.demo.walk import Walk

__all__ = ["HospitalTable", "Walk", "copy_tables", "hospital_table", "walk_hospital"]

#: Where each name lives; it is loaded when first used, so that the tour begins at once.
_HOMES = {
    "HospitalTable": "tables",
    "Walk": "walk",
    "copy_tables": "tables",
    "hospital_table": "tables",
    "walk_hospital": "hospital",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return __all__
