"""The cells of a table beside what is declared of them, for its owner."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.application.tables.asking import open_table
from sfumato.tables import PrivateTable, inspect_cells, opening

if TYPE_CHECKING:
    from sfumato.tables import Inspection


def inspect(source: Any, **declared: Any) -> Inspection:
    """Count, exactly, which cells of a table do not fit what is declared of them.

    The figures are not private: they are for whoever holds the table.

    Parameters
    ----------
    source
        A private table; or what ``sf.table`` takes, or a policy (.toml).
    declared
        What is declared about the table, as in ``sf.table``; over what a policy says.

    Examples
    --------
    >>> import sfumato as sf
    >>> found = sf.inspect("examples/patients.csv", unit="patient_id", bounds={"age": (0, 60)})
    >>> found.rows, found.private
    (1449, False)
    >>> print(found.findings()[0])
    every cell can be read as it is declared, in 1,449 rows of 'examples/patients.csv'
    """
    return inspect_cells(_opened(source, declared))


def _opened(source: Any, declared: dict[str, Any]) -> PrivateTable:
    if isinstance(source, PrivateTable):
        return source.declare(**declared) if declared else source
    if isinstance(source, (str, Path)):
        return open_table(str(source), declared)
    return opening.table(source, **declared)
