"""Who is at risk: the smallest equivalence classes, and what they give away."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.printing import NotPrivate, counted, named
from sfumato.risk.attacks.render import shown
from sfumato.risk.exposure.classes import keys
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    import ibis.expr.types as ir

    from sfumato.risk.exposed import Exposed


@dataclass(frozen=True)
class AtRisk(NotPrivate):
    """A small equivalence class.

    Attributes
    ----------
    values
        What they have in common, by column.
    rows
        How many they are.
    given_away
        The sensitive values that all of them share, by column: who finds one of them learns it.

    Examples
    --------
    >>> from sfumato.risk import risk
    >>> first = risk("examples/hospital-a.csv", quasi="age", sensitive="diagnosis").at_risk[0]
    >>> first.values, first.rows, first.given_away
    ({'age': '52'}, 1, {'diagnosis': 'diabetes'})
    """

    values: Mapping[str, Any]
    rows: int
    given_away: Mapping[str, Any]

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> print(risk("examples/hospital-a.csv", quasi="age", sensitive="diagnosis").at_risk[0])
        age 52: 1 row, gives away diagnosis diabetes
        not private: exact figures, for the data owner
        """
        gives = tr("gives") if self.rows == 1 else tr("all give")
        secret = (
            tr(", {gives} away {given_away}", gives=gives, given_away=_said(self.given_away))
            if self.given_away
            else ""
        )
        return [f"{_said(self.values)}: {counted(self.rows, 'row')}{secret}"]

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> risk("examples/hospital-a.csv", quasi="age").at_risk[0].figures()
        {'values': {'age': '52'}, 'rows': 1, 'given_away': {}}
        """
        return {
            "values": {name: _plain(value) for name, value in self.values.items()},
            "rows": self.rows,
            "given_away": {name: _plain(value) for name, value in self.given_away.items()},
        }


def list_people(exposed: Exposed, cells: ir.Table, *, below: int, most: int) -> tuple[AtRisk, ...]:
    """Return the classes smaller than ``below``, the smallest first, and not more than ``most``."""
    if not most:
        return ()
    known = keys(0, len(exposed.quasi))
    secret = keys(len(known), len(known) + len(exposed.sensitive))
    small = _classes(cells, known, secret)
    query = small.filter(small.rows < below).order_by(["rows", *known]).limit(most)
    lines = exposed.source.fetch(query).to_pylist()
    return tuple(
        AtRisk(
            values={name: line[key] for name, key in zip(exposed.quasi, known, strict=True)},
            rows=int(line["rows"]),
            given_away={
                name: line[f"least_{key}"]
                for name, key in zip(exposed.sensitive, secret, strict=True)
                if line[f"one_{key}"]
            },
        )
        for line in lines
    )


def _classes(cells: ir.Table, known: list[str], secret: list[str]) -> ir.Table:
    """Return the classes with their rows, and of each sensitive column whether it has one value."""
    ones = {f"one_{key}": _is_one_value(cells, key) for key in secret}
    least = {f"least_{key}": cells[key].min() for key in secret}
    return cells.group_by(known).agg(rows=cells.mass.sum(), **ones, **least)


def _is_one_value(cells: ir.Table, key: str) -> ir.BooleanValue:
    """Tell whether a column has one value, where a missing one is a value of its own."""
    missing = cells[key].isnull()
    return cells[key].nunique() + missing.any().cast("int64") == 1


def shown_cell(value: Any) -> str:
    """Return a cell for reading; an empty one is said to be so."""
    return shown("" if value is None else str(value))


def _said(values: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{named([name])} {named([shown_cell(each)])}" for name, each in values.items()
    )


def _plain(value: Any) -> Any:
    """Return a cell as JSON has it: a text, a number, true, false or null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return value if value is None or isinstance(value, (str, int)) else str(value)
