"""The cells of a table beside what is declared of them, for its owner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.application.tables.asking import open_table
from sfumato.tables.run.inspecting import inspect_cells

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.tables.inspection import Inspection

__all__ = ["inspect_table"]


def inspect_table(file: str, declared: Mapping[str, Any]) -> Inspection:
    """Count, exactly, which cells of a table cannot be read as they are declared.

    Parameters
    ----------
    file
        A CSV or Parquet file, a policy (.toml), or the address of a database.
    declared
        What is declared about the table, as in ``sf.table``; over what a policy says.
    """
    return inspect_cells(open_table(file, declared))
