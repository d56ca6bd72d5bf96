"""Statistics that add up one contribution a row: counts, sums, histograms, linear queries.

One row adds a vector φ(row) from a bounded set V.  With *reach* the length of the longest vector
of V and *spread* the greatest distance between two of them, the sensitivity for one change is

=====================  =================================================================
add or remove a row    reach
substitute a row       spread
add or remove a person k · reach, for k rows of a person that count
substitute a person    k · max(reach, spread): none to k rows give way to none to k others
=====================  =================================================================

and c times as much for c changes.  Each is attained, by c k equal changes of the longest kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.mechanisms.base import ONE_ROW
from sfumato.mechanisms.sensitivity.declared import Norm, Sensitivity, read_norm
from sfumato.mechanisms.sensitivity.statistic import (
    Statistic,
    read_rows_per_person,
)
from sfumato.mechanisms.sensitivity.tables import (
    Bounds,
    Lengths,
    clipped_to_norm,
    read_any_rows,
    read_cells,
    read_column,
    read_table,
    total,
)
from sfumato.numeric import read_count, shown
from sfumato.privacy import AddRemove, Person, Relation, read_positive, read_relation

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction


def additive(
    compute: Callable[[list[Any]], Any],
    *,
    reach: Lengths,
    spread: Lengths,
    relation: Any,
    rows_per_person: Any,
    basis: str,
    read: Callable[[Any], list[Any]] = read_column,
) -> Statistic[Any]:
    """Return a statistic that adds up contributions, with the sensitivity of the table above."""
    known = read_relation(relation)
    most = read_rows_per_person(known, rows_per_person)
    longest = _longest(known, reach, spread)
    owned = "" if most is None else f", {most} {'row' if most == 1 else 'rows'} a person"
    square = (known.count * (most or 1)) ** 2
    sensitivity = Sensitivity(
        l1_squared=square * longest.l1_squared,
        l2_squared=square * longest.l2_squared,
        relation=known,
        basis=f"derived: {basis}{owned}",
    )
    return Statistic(sensitivity, most, compute, read)


def _longest(relation: Relation, reach: Lengths, spread: Lengths) -> Lengths:
    if isinstance(relation, AddRemove):
        return reach
    return reach.longest(spread) if isinstance(relation.unit, Person) else spread


def row_count(*, relation: Relation = ONE_ROW, rows_per_person: Any = None) -> Statistic[int]:
    """Return the number of rows, as a statistic; of a frame too.

    Parameters
    ----------
    relation
        Which tables are neighbours.  When rows are substituted the count is public: 0.
    rows_per_person
        How many rows of each person count, where the relation protects people.

    Notes
    -----
    Proof: :doc:`/proofs/sensitivity`.

    Examples
    --------
    >>> from sfumato.mechanisms.sensitivity import row_count
    >>> count = row_count()
    >>> count(["a", "b"])
    2
    >>> print(count.sensitivity)
    1 in L1, 1 in L2 (add or remove one row), derived: number of rows
    """
    return additive(
        len,
        reach=Lengths.of([1]),
        spread=Lengths.of([0]),
        relation=relation,
        rows_per_person=rows_per_person,
        basis="number of rows",
        read=read_any_rows,
    )


def clipped_sum(
    lower: Any, upper: Any, *, relation: Relation = ONE_ROW, rows_per_person: Any = None
) -> Statistic[Fraction]:
    """Return the sum of a column that is clipped to two bounds, as a statistic.

    Adding or removing a row moves it by max(abs(lower), abs(upper)): the offset counts, not the
    width alone.  Substituting a row moves it by upper - lower.

    Parameters
    ----------
    lower, upper
        Public bounds, not read off the data.
    relation
        Which tables are neighbours.
    rows_per_person
        How many rows of each person count, where the relation protects people.

    Notes
    -----
    Proof: :doc:`/proofs/sensitivity`.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.mechanisms.sensitivity import clipped_sum
    >>> clipped_sum(100, 101).sensitivity.l1
    Fraction(101, 1)
    >>> clipped_sum(100, 101, relation=sf.privacy.Substitute()).sensitivity.l1
    Fraction(1, 1)
    """
    bounds = Bounds.between(lower, upper)
    return additive(
        lambda rows: total([bounds.clip(each) for each in rows]),
        reach=Lengths.of([bounds.reach]),
        spread=Lengths.of([bounds.width]),
        relation=relation,
        rows_per_person=rows_per_person,
        basis=f"sum of values clipped to {bounds}",
    )


def clipped_vector_sum(
    *,
    bound: Any,
    dimension: Any,
    norm: Norm = "l2",
    relation: Relation = ONE_ROW,
    rows_per_person: Any = None,
) -> Statistic[tuple[Fraction, ...]]:
    """Return the sum of vectors, each shrunk to a norm of at most ``bound``, as a statistic.

    Parameters
    ----------
    bound
        The length that longer rows are shrunk to.  The shrunk row is rational and never longer.
    dimension
        How many cells a row has.
    norm
        The norm that is clipped.  Where it is L2, the L1 sensitivity is √dimension as much.
    relation
        Which tables are neighbours.
    rows_per_person
        How many rows of each person count, where the relation protects people.

    Notes
    -----
    Proof: :doc:`/proofs/sensitivity`.

    Examples
    --------
    >>> from sfumato.mechanisms.sensitivity import clipped_vector_sum
    >>> total = clipped_vector_sum(bound=5, dimension=2)
    >>> [int(each) for each in total([(6, 8), (1, 1)])]
    [4, 5]
    >>> print(total.sensitivity)
    √50 in L1, 5 in L2 (add or remove one row), \
derived: sum of 2-vectors clipped to an L2 norm of 5
    """
    longest, width = read_positive(bound, "bound"), read_count(dimension, "dimension")
    measured = read_norm(norm)
    reach = Lengths(longest**2 * (width if measured == "l2" else 1), longest**2)
    return additive(
        lambda rows: _vector_sum(rows, longest, width, measured),
        reach=reach,
        spread=Lengths(4 * reach.l1_squared, 4 * reach.l2_squared),
        relation=relation,
        rows_per_person=rows_per_person,
        basis=f"sum of {width}-vectors clipped to an {measured.upper()} norm of {shown(longest)}",
        read=read_table,
    )


def _vector_sum(rows: list[Any], bound: Fraction, width: int, norm: Norm) -> tuple[Fraction, ...]:
    clipped = [clipped_to_norm(read_cells(row, width), bound, norm) for row in rows]
    return tuple(total([row[place] for row in clipped]) for place in range(width))
