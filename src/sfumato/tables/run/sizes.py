"""How much each person has: rows or groups, and what their rows add up to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.data.measured import PERSON

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

    from sfumato.tables.plan.keys import Keys
    from sfumato.tables.plan.measurements import Measurement
    from sfumato.tables.run.rows import EngineRows

_WIDE = "decimal(38, 0)"


def people_sizes(
    rows: EngineRows,
    keys: Keys,
    measurements: Sequence[Measurement],
    *,
    once: bool,
    keep: bool = False,
) -> tuple[ir.Table, dict[Measurement, str]]:
    """Return one row a person, and the column with the size of each measurement.

    That is what the rows add up to, each in size, where the measurement is limited by value, and
    otherwise the number of rows, or of groups.

    Parameters
    ----------
    once
        Whether groups are counted and not rows.
    keep
        Whether the engine keeps the table until the rows are closed, for whoever asks again.
    """
    by_value = tuple(dict.fromkeys(each for each in measurements if each.weighing == "value"))
    columns = dict.fromkeys(measurements, "size")
    columns |= {each: f"size{place}" for place, each in enumerate(by_value)}
    name = (keys, by_value, once)
    if name not in rows.kept:
        table = _sizes(rows, keys, by_value, once=once)
        if not keep:
            return table, columns
        rows.keep(name, table)
    return rows.kept[name], columns


def _sizes(
    rows: EngineRows, keys: Keys, by_value: Sequence[Measurement], *, once: bool
) -> ir.Table:
    owned = rows.grouped(keys, by_value)
    owned = owned.distinct() if once else owned
    added = {
        f"size{place}": owned[f"add{place}"].abs().sum().cast(_WIDE)
        for place in range(len(by_value))
    }
    return owned.group_by(PERSON).agg(size=owned.count(), **added)
