"""Averages over a public number of rows: means, variances, covariances.

They are defined for substitution only.  When rows are added or removed the number of rows is
secret too, and dividing by it, or choosing the noise by it, gives it away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.mechanisms.sensitivity.declared import Sensitivity
from sfumato.mechanisms.sensitivity.statistic import Statistic
from sfumato.mechanisms.sensitivity.tables import Bounds, read_cells, read_column, read_table, total
from sfumato.numeric import read_count, shown
from sfumato.privacy import Person, Relation, Substitute, read_relation
from sfumato.refusal import Argument, Bare

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction


_ONE_SUBSTITUTION = Substitute()


@dataclass(frozen=True)
class _PublicSize:
    """So many rows, of which so many may be substituted."""

    size: int
    relation: Relation

    @property
    def changed(self) -> int:
        return min(self.relation.count, self.size)

    @property
    def unequal_pairs(self) -> int:
        """The most pairs of rows that substitution can turn from equal to unequal: a (n - a)."""
        moved = min(self.changed, self.size // 2)
        return moved * (self.size - moved)

    def statistic(
        self,
        compute: Callable[[list[Any]], Fraction],
        sensitivity: Fraction,
        basis: str,
        read: Callable[[Any], list[Any]] = read_column,
    ) -> Statistic[Fraction]:
        rows = "row" if self.size == 1 else "rows"
        claim = Sensitivity(
            l1=sensitivity,
            relation=self.relation,
            basis=f"derived: {basis} over {self.size} {rows}",
        )
        return Statistic(claim, None, lambda table: compute(self._checked(table)), read)

    def _checked(self, rows: list[Any]) -> list[Any]:
        if len(rows) != self.size:
            raise InputError(
                "E-LENGTHS-DIFFER",
                "the table must have {size} rows, as size= says, not {count}",
                "where the number of rows is secret, release sum and count",
                size=self.size,
                count=len(rows),
            )
        return rows


def _read_public_size(size: Any, relation: Any) -> _PublicSize:
    known = read_relation(relation)
    if not isinstance(known, Substitute):
        raise InputError(
            "E-SENSITIVITY-UNKNOWN",
            "a mean over rows that are added or removed has a secret number of rows",
            "release sum and count, or write {relation} where the number is public",
            relation=Argument("relation", Bare("sf.privacy.Substitute()")),
        )
    if isinstance(known.unit, Person):
        raise InputError(
            "E-SENSITIVITY-UNKNOWN",
            "a mean over a public number of rows is for rows as privacy units: people own several",
            "release sum and count, or write {relation} where each person owns one row",
            relation=Argument("relation", Bare("sf.privacy.Substitute()")),
        )
    return _PublicSize(read_count(size, "size"), known)


def clipped_mean(
    lower: Any, upper: Any, *, size: Any, relation: Relation = _ONE_SUBSTITUTION
) -> Statistic[Fraction]:
    """Return the mean of a column clipped to two bounds, over a public number of rows.

    Its sensitivity is (upper - lower) / size.

    Parameters
    ----------
    lower, upper
        Public bounds, not read off the data.
    size
        The public number of rows, n.
    relation
        A substitution of rows.

    Notes
    -----
    Proof: :doc:`/proofs/sensitivity`.

    Examples
    --------
    >>> from sfumato.mechanisms.sensitivity import clipped_mean
    >>> share = clipped_mean(0, 1, size=4)
    >>> share([1, 0, 0, 1])
    Fraction(1, 2)
    >>> print(share.sensitivity)
    1/4 in L1, 1/4 in L2 (substitute one row), derived: mean of values clipped to [0, 1] over 4 rows
    """
    bounds, public = Bounds.between(lower, upper), _read_public_size(size, relation)
    return public.statistic(
        lambda rows: _mean([bounds.clip(each) for each in rows]),
        bounds.width * public.changed / public.size,
        f"mean of values clipped to {bounds}",
    )


def clipped_variance(
    lower: Any, upper: Any, *, size: Any, relation: Relation = _ONE_SUBSTITUTION
) -> Statistic[Fraction]:
    """Return the variance of a clipped column over a public number of rows.

    Parameters
    ----------
    lower, upper
        Public bounds, not read off the data.
    size
        The public number of rows, n; the sum of squared deviations is divided by it.
    relation
        A substitution of rows.

    Notes
    -----
    The sensitivity is (upper - lower)² (n-1)/n², and for m substitutions (upper - lower)² a(n-a)/n²
    with a = min(m, ⌊n/2⌋).  It is attained.  Proof: :doc:`/proofs/sensitivity`.

    Examples
    --------
    >>> from sfumato.mechanisms.sensitivity import clipped_variance
    >>> spread = clipped_variance(0, 10, size=4)
    >>> spread([0, 0, 10, 10])
    Fraction(25, 1)
    >>> spread.sensitivity.l1
    Fraction(75, 4)
    """
    bounds, public = Bounds.between(lower, upper), _read_public_size(size, relation)
    return public.statistic(
        lambda rows: _covariance([(bounds.clip(each),) * 2 for each in rows]),
        bounds.width**2 * public.unequal_pairs / public.size**2,
        f"variance of values clipped to {bounds}",
    )


def clipped_covariance(
    first: Any, second: Any, *, size: Any, relation: Relation = _ONE_SUBSTITUTION
) -> Statistic[Fraction]:
    """Return the covariance of two clipped columns over a public number of rows.

    Parameters
    ----------
    first, second
        The public bounds of either column, as ``(lower, upper)``.
    size
        The public number of rows, n; the sum of products of deviations is divided by it.
    relation
        A substitution of rows.

    Notes
    -----
    With both widths w and v the sensitivity is w v (n-1)/n², and for m substitutions
    w v (a(n-a) + ⌊m²/4⌋)/n² with a = min(m, ⌊n/2⌋).  It is attained.  Proof:
    :doc:`/proofs/sensitivity`.

    Examples
    --------
    >>> from sfumato.mechanisms.sensitivity import clipped_covariance
    >>> joint = clipped_covariance((0, 1), (0, 10), size=4)
    >>> joint([(0, 0), (1, 10), (0, 0), (1, 10)])
    Fraction(5, 2)
    >>> joint.sensitivity.l1
    Fraction(15, 8)
    """
    one, other = _read_ends(first, "first"), _read_ends(second, "second")
    public = _read_public_size(size, relation)
    pairs = public.unequal_pairs + public.changed**2 // 4
    return public.statistic(
        lambda rows: _covariance(
            [(one.clip(x), other.clip(y)) for x, y in (read_cells(row, 2) for row in rows)]
        ),
        one.width * other.width * pairs / public.size**2,
        f"covariance of values clipped to {one} and {other}",
        read_table,
    )


def _read_ends(bounds: Any, name: str) -> Bounds:
    if not isinstance(bounds, (tuple, list)) or len(bounds) != 2:
        raise InputError(
            "E-BOUNDS-FORM",
            "{name} must be two bounds, not {bounds}",
            "write {example}",
            name=Argument(name),
            bounds=shown(bounds),
            example=Argument(name, (0, 110)),
        )
    return Bounds.between(*bounds)


def _mean(values: list[Fraction]) -> Fraction:
    return total(values) / len(values)


def _covariance(pairs: list[tuple[Fraction, Fraction]]) -> Fraction:
    products = _mean([one * other for one, other in pairs])
    return products - _mean([one for one, _ in pairs]) * _mean([other for _, other in pairs])
