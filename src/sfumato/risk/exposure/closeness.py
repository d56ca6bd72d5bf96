"""How far the sensitive values of a class are from those of everybody."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data import array_of, asked_names
from sfumato.errors import InputError
from sfumato.printing import NotPrivate, listed, rounded
from sfumato.risk.exposed import Exposed, one_name, read_exposed
from sfumato.risk.exposure.classes import cells_of, check_rows, keys, opened
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterable

    import ibis.expr.types as ir
    from numpy.typing import NDArray

    Whole = NDArray[Any]

    from sfumato.data import Source


_DIGITS = 12


@dataclass(frozen=True)
class Closeness(NotPrivate):
    """How far the sensitive values of an equivalence class are from those of the whole table.

    Attributes
    ----------
    sensitive, quasi
        The sensitive attribute, and the quasi-identifiers.
    t
        The greatest distance of any class, from 0 (as in the whole table) to 1.
    ordered
        Whether values have an order, so that near ones are nearer than far ones.

    Examples
    --------
    >>> from sfumato.risk import t_closeness
    >>> found = t_closeness("examples/hospital-a.csv", quasi="sex", sensitive="diagnosis")
    >>> round(found.t, 6), found.ordered
    (0.555556, False)
    """

    sensitive: str
    quasi: tuple[str, ...]
    t: float
    ordered: bool

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.risk import t_closeness
        >>> print(t_closeness("examples/hospital-a.csv", quasi="sex", sensitive="diagnosis"))
        t = 0.5556: so far is diagnosis in any equivalence class on sex from the whole table
        the distance is half the sum of differences of shares: every two values are as far apart
        not private: exact figures, for the data owner
        """
        how = (
            tr("the distance is what must be moved, and how far, in the order of the values")
            if self.ordered
            else tr(
                "the distance is half the sum of differences of shares: every two values are "
                "as far apart"
            )
        )
        so_far = tr(
            "t = {t}: so far is {sensitive} in any equivalence class on {quasi} from the "
            "whole table",
            t=rounded(self.t, ROUND_CEILING),
            sensitive=self.sensitive,
            quasi=listed(self.quasi),
        )
        return [so_far, how]

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import t_closeness
        >>> found = t_closeness("examples/hospital-a.csv", quasi="sex", sensitive="diagnosis")
        >>> found.figures()["distance"]
        'equal'
        """
        return {
            "sensitive": self.sensitive,
            "quasi": list(self.quasi),
            "t": self.t,
            "distance": "ordered" if self.ordered else "equal",
        }


def t_closeness(
    data: Any,
    *,
    quasi: str | Iterable[str],
    sensitive: str,
    ordered: str | Iterable[str] | None = None,
) -> Closeness:
    """Measure how far the sensitive values of a class are from those of everybody, by one query.

    The earth mover's distance with equal distances for categories, and with the distance of ranks
    for numbers and dates :cite:p:`li2007`; a missing value is a value of its own, below all others.

    Parameters
    ----------
    data
        As in ``k_anonymity``.
    quasi
        The columns that somebody may know of a person from elsewhere.
    sensitive
        The column that nobody should learn.
    ordered
        The sensitive column's name if its values have an order.  By default numbers and dates
        have one, and text has none; the cells of a CSV are text.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.risk import t_closeness
    >>> people = pd.DataFrame({
    ...     "zip": ["476**"] * 3 + ["4790*"] * 3 + ["476*"] * 3,
    ...     "salary": [3, 4, 5, 6, 11, 8, 7, 9, 10]})
    >>> t_closeness(people, quasi="zip", sensitive="salary").t  # the paper's example
    0.375
    """
    exposed = read_exposed(opened(data), quasi=quasi, sensitive=one_name(sensitive))
    source, (name,) = exposed.source, exposed.sensitive
    if name in ordered_columns(exposed, ordered):
        cells = cells_of(source.table, (*exposed.quasi, name))
        return closeness_of(source, cells, quasi=exposed.quasi, sensitive=name, ordered=True)
    (found,) = source.ask(_of_table, exposed.quasi, name)
    return _made(_read(found, source), exposed.quasi, name, ordered=False)


def ordered_columns(exposed: Exposed, asked: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return which sensitive columns have an order: those that are named, or typed so."""
    if asked is None:
        table = exposed.source.table
        return tuple(name for name in exposed.sensitive if _has_order(table[name].type()))
    names = asked_names(asked, "ordered")
    exposed.source.check_columns(names)
    for name in names:
        if name not in exposed.sensitive:
            raise InputError(
                "E-COLUMN-NOT-SENSITIVE",
                "the column {name!r} is named as ordered, but not as sensitive",
                "name it so",
                name=name,
            )
    return names


def _has_order(kind: Any) -> bool:
    return bool((kind.is_numeric() and not kind.is_boolean()) or kind.is_temporal())


def closeness_of(
    source: Source, cells: ir.Table, *, quasi: tuple[str, ...], sensitive: str, ordered: bool
) -> Closeness:
    """Return the closeness of cells that have the sensitive value as their last key."""
    classes = keys(0, len(quasi))
    secret = f"key{len(quasi)}"
    if ordered:
        t = greatest_ordered_distance(source, cells, classes, secret, sensitive)
    else:
        (found,) = source.fetch(_greatest_equal_distance(cells, classes, secret)).to_pylist()
        t = _read(found, source)
    return _made(t, quasi, sensitive, ordered=ordered)


def _made(t: float, quasi: tuple[str, ...], sensitive: str, *, ordered: bool) -> Closeness:
    return Closeness(sensitive, quasi, round(t, _DIGITS), ordered)


def _read(found: dict[str, Any], source: Source) -> float:
    check_rows(source, {1: 1} if found["everybody"] else {})
    return float(found["t"]) / float(found["everybody"])


def _of_table(table: ir.Table, quasi: tuple[str, ...], sensitive: str) -> ir.Table:
    cells = cells_of(table, (*quasi, sensitive))
    return _greatest_equal_distance(cells, keys(0, len(quasi)), f"key{len(quasi)}")


def _greatest_equal_distance(cells: ir.Table, classes: list[str], secret: str) -> ir.Table:
    """Return the query for the sum of what a class has above its share of each value, at most.

    Whole numbers until the last division, so that the order of rows has no say in the digits.
    """
    import ibis

    placed = _beside_totals(cells, classes, secret)
    above = placed.mass * placed.everybody - placed.rows * placed.whole
    by_class = placed.group_by([*classes, "rows"]).agg(
        above=ibis.greatest(above, 0).sum(), everybody=placed.everybody.max()
    )
    return by_class.agg(
        t=(by_class.above / by_class.rows).max(), everybody=by_class.everybody.max()
    )


def _beside_totals(cells: ir.Table, classes: list[str], secret: str) -> ir.Table:
    """Return each cell with the rows of its class, of its value, and of the whole table."""
    total = cells.mass.sum()
    by_class = cells.group_by(**{f"class_{name}": cells[name] for name in classes}).agg(rows=total)
    by_value = cells.group_by(value=cells[secret]).agg(whole=total)
    everybody = by_value.whole.sum().as_scalar()
    joined = cells.join(by_value, cells[secret].identical_to(by_value.value)).join(
        by_class, [cells[name].identical_to(by_class[f"class_{name}"]) for name in classes]
    )
    return joined.select(*classes, "mass", "rows", "whole", everybody=everybody)


def greatest_ordered_distance(
    source: Source, cells: ir.Table, classes: list[str], secret: str, column: str
) -> float:
    """Return the greatest distance of a class from the whole table, in ranks of the values.

    The engine ranks the values and lists the ranks and counts of each class; no value leaves it.
    """
    import ibis

    value = _as_number(source, cells, secret, column)
    ranked = cells.mutate(rank=ibis.dense_rank().over(order_by=[value.notnull(), value]))
    lists = ranked.group_by(classes).agg(
        ranks=ranked["rank"].collect(order_by=ranked["rank"]),
        masses=ranked.mass.collect(order_by=ranked["rank"]),
    )
    found = source.fetch(lists.select("ranks", "masses"))
    check_rows(source, {1: found.num_rows} if found.num_rows else {})
    ranks, masses = (found[name].combine_chunks() for name in ("ranks", "masses"))
    distances = ordered_distances(
        array_of(ranks.flatten()), array_of(masses.flatten()), array_of(ranks.value_lengths())
    )
    return float(distances.max())


def _as_number(source: Source, cells: ir.Table, secret: str, column: str) -> ir.Value:
    """Return the values as what they are ordered by; text is read as numbers, or refused."""
    value = cells[secret]
    if not value.type().is_string():
        return value
    number = value.strip().try_cast("float64")
    unread = cells.mass.sum(where=value.notnull() & number.isnull())
    rows = source.fetch(cells.agg(rows=unread)).to_pylist()[0]["rows"]
    if rows:
        raise InputError(
            "E-CELLS-UNREADABLE",
            "the column {column!r} is named as ordered, and {rows:,} of its cells are no numbers",
            "leave it out of the ordered columns, or write numbers in it",
            column=column,
            rows=int(rows),
        )
    return number


def ordered_distances(
    ranks: Whole, masses: Whole, lengths: Whole, table: Whole | None = None
) -> NDArray[np.float64]:
    """Return the distance of each class from a table, for the ranks of its values in order.

    It is the mean over the steps from one value of the table to the next of how much must cross
    the step: |share of the class up to here - share of the table up to here| :cite:p:`li2007`.
    Between two values of a class its own share stands still, so that a stretch is summed at once:
    up to where the table's share passes it, and from there.

    Parameters
    ----------
    ranks, masses
        The values of the first class by rank, from 0, and how many rows have each; then those of
        the next.
    lengths
        How many values each class has.
    table
        How many rows of the table have each rank, or what share of them; all classes together
        where nothing is said.
    """
    whole = np.bincount(ranks, weights=masses) if table is None else table
    held = whole > 0
    last = np.count_nonzero(held) - 1
    if last < 1:
        return np.zeros(lengths.size)
    # A value that the table does not have has crossed all steps below it, and none above.
    starts = np.minimum(np.cumsum(held) - held, last)[ranks]
    shares = np.cumsum(whole[held]) / whole.sum()
    summed = np.concatenate([[0.0], np.cumsum(shares)])
    firsts = np.cumsum(lengths) - lengths
    own = _own_shares(masses, lengths, firsts)
    ends = np.append(starts[1:], last + 1)
    ends[(firsts + lengths - 1)] = last + 1
    passed = np.clip(np.searchsorted(shares, own, side="right"), starts, ends)
    below = own * (passed - starts) - (summed[passed] - summed[starts])
    above = (summed[ends] - summed[passed]) - own * (ends - passed)
    crossing = np.add.reduceat(below + above, firsts) + summed[starts[firsts]]
    distances: NDArray[np.float64] = np.maximum(crossing, 0) / last
    return distances


def _own_shares(masses: Whole, lengths: Whole, firsts: Whole) -> NDArray[np.float64]:
    """Return for each value of a class the share of the class up to it."""
    before = np.cumsum(masses) - masses
    so_far = np.cumsum(masses) - np.repeat(before[firsts], lengths)
    shares: NDArray[np.float64] = so_far / np.repeat(np.add.reduceat(masses, firsts), lengths)
    return shares
