"""How many sensitive values an equivalence class still leaves possible."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from typing import TYPE_CHECKING, Any

from sfumato.printing import NotPrivate, for_json, listed, rounded
from sfumato.risk.exposed import one_name, read_exposed
from sfumato.risk.exposure.classes import cells_of, check_rows, keys, opened
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterable

    import ibis.expr.types as ir

    from sfumato.data import Source


# The order in which an engine adds up has a say in digits far below these alone.
_DIGITS = 9


@dataclass(frozen=True)
class Diversity(NotPrivate):
    """How diverse a sensitive column is within the classes, at the worst of them.

    Attributes
    ----------
    sensitive, quasi
        The sensitive attribute, and the quasi-identifiers.
    distinct
        Every class has so many different values at least: distinct l-diversity.
    entropy
        Some class is as uncertain as so many equally likely values: entropy l-diversity.
    ratio
        In some class the most common value occurs so many times as often as all others together;
        recursive (c, 2)-diversity holds for every c above it.  Infinite where a class has one
        value only.
    one_value_rows
        How many rows are in classes with one value only: who finds them learns it.

    Examples
    --------
    >>> from sfumato.risk import l_diversity
    >>> quasi = ["age", "sex", "zip", "smoker"]
    >>> found = l_diversity(
    ...     "examples/hospital-a-generalised.csv", quasi=quasi, sensitive="diagnosis")
    >>> found.distinct, round(found.entropy, 6), found.ratio
    (2, 1.889882, 2.0)
    """

    sensitive: str
    quasi: tuple[str, ...]
    distinct: int
    entropy: float
    ratio: float
    one_value_rows: int

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.risk import l_diversity
        >>> print(l_diversity("examples/hospital-a.csv", quasi="sex", sensitive="diagnosis"))
        l = 4: every equivalence class on sex has 4 different values of diagnosis or more
        entropy l = 3.789, recursive (c, 2)-diversity for every c above 0.6667
        not private: exact figures, for the data owner
        """
        values = tr("value") if self.distinct == 1 else tr("different values")
        least = tr(
            "l = {distinct}: every equivalence class on {quasi} has {least:,} "
            "{values} of {sensitive} or more",
            distinct=self.distinct,
            quasi=listed(self.quasi),
            least=self.distinct,
            values=values,
            sensitive=self.sensitive,
        )
        return [
            least,
            tr(
                "entropy l = {entropy}, {recursive}",
                entropy=rounded(self.entropy, ROUND_FLOOR),
                recursive=self.recursive,
            ),
            *self._given_away(),
        ]

    @property
    def recursive(self) -> str:
        """Recursive (c, l)-diversity at l = 2, in words.

        Examples
        --------
        >>> from sfumato.risk import l_diversity
        >>> l_diversity("examples/hospital-a.csv", quasi="age", sensitive="diagnosis").recursive
        'recursive (c, 2)-diversity for no c'
        """
        if math.isinf(self.ratio):
            return tr("recursive (c, 2)-diversity for no c")
        return tr(
            "recursive (c, 2)-diversity for every c above {ratio}",
            ratio=rounded(self.ratio, ROUND_CEILING),
        )

    def _given_away(self) -> list[str]:
        if not self.one_value_rows:
            return []
        rows = (
            tr("1 row is")
            if self.one_value_rows == 1
            else tr("{one_value_rows:,} rows are", one_value_rows=self.one_value_rows)
        )
        return [
            tr(
                "{rows} in an equivalence class where everybody has the same {sensitive}",
                rows=rows,
                sensitive=self.sensitive,
            )
        ]

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import l_diversity
        >>> found = l_diversity("examples/hospital-a.csv", quasi="age", sensitive="diagnosis")
        >>> found.figures()["recursive_c_above"], found.figures()["one_value_rows"]
        ('Infinity', 9)
        """
        return {
            "sensitive": self.sensitive,
            "quasi": list(self.quasi),
            "distinct_l": self.distinct,
            "entropy_l": self.entropy,
            "recursive_c_above": for_json(self.ratio),
            "one_value_rows": self.one_value_rows,
        }


def l_diversity(data: Any, *, quasi: str | Iterable[str], sensitive: str) -> Diversity:
    """Measure how diverse a sensitive column is in each equivalence class, by one query.

    Distinct, entropy and recursive (c, 2)-diversity :cite:p:`machanavajjhala2007`; a missing value
    is a value of its own.

    Parameters
    ----------
    data
        As in ``k_anonymity``.
    quasi
        The columns that somebody may know of a person from elsewhere.
    sensitive
        The column that nobody should learn.

    Examples
    --------
    >>> from sfumato.risk import l_diversity
    >>> found = l_diversity("examples/hospital-a.csv", quasi="age", sensitive="diagnosis")
    >>> found.distinct, found.one_value_rows
    (1, 9)
    """
    exposed = read_exposed(opened(data), quasi=quasi, sensitive=one_name(sensitive))
    (secret,) = exposed.sensitive
    (found,) = exposed.source.ask(_of_table, exposed.quasi, secret)
    return _read(found, exposed.source, quasi=exposed.quasi, sensitive=secret)


def diversity_of(
    source: Source, cells: ir.Table, *, quasi: tuple[str, ...], sensitive: str
) -> Diversity:
    """Return the diversity of cells that have the sensitive value as their last key."""
    (found,) = source.fetch(_of_cells(cells, len(quasi))).to_pylist()
    return _read(found, source, quasi=quasi, sensitive=sensitive)


def _read(
    found: dict[str, Any], source: Source, *, quasi: tuple[str, ...], sensitive: str
) -> Diversity:
    check_rows(source, {1: found["distinct"]} if found["distinct"] else {})
    return Diversity(
        sensitive=sensitive,
        quasi=quasi,
        distinct=int(found["distinct"]),
        entropy=round(math.exp(max(0.0, found["entropy"])), _DIGITS),
        ratio=_odds(float(found["share"])),
        one_value_rows=int(found["alone"] or 0),
    )


def _odds(share: float) -> float:
    """Return how often the commonest value occurs for each time that another does."""
    return math.inf if share == 1 else round(share / (1 - share), _DIGITS)


def _of_table(table: ir.Table, quasi: tuple[str, ...], sensitive: str) -> ir.Table:
    return _of_cells(cells_of(table, (*quasi, sensitive)), len(quasi))


def _of_cells(cells: ir.Table, known: int) -> ir.Table:
    """Return the worst over classes, each by its values, its size, its commonest, and Σ n log n."""
    mass = cells.mass
    classes = cells.group_by(keys(0, known)).agg(
        values=cells.count(), rows=mass.sum(), most=mass.max(), logs=(mass * mass.ln()).sum()
    )
    rows, values = classes.rows, classes["values"]
    return classes.agg(
        distinct=values.min(),
        entropy=(rows.ln() - classes.logs / rows).min(),
        share=(classes.most / rows).max(),
        alone=rows.sum(where=values == 1),
    )
