"""Quadratic bounds on a log density from a point all the way to infinity."""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, fmpq

__all__ = ["Curve", "Envelope"]


@dataclass(frozen=True)
class Curve:
    """The function ``start - fall * s - bend * s**2 / 2`` of the distance ``s >= 0``.

    ``fall`` and ``bend`` are rationals, so that growth and decay are decided exactly.

    Examples
    --------
    >>> from flint import arb, fmpq
    >>> Curve(arb(1), fmpq(-2), fmpq(1)).greatest()
    3.00000000000000
    """

    start: arb
    fall: fmpq
    bend: fmpq

    def weighted(self, own: fmpq, other: Curve, others: fmpq) -> Curve:
        """Return ``own * self + others * other``.

        Examples
        --------
        >>> from flint import arb, fmpq
        >>> line = Curve(arb(0), fmpq(1), fmpq(0))
        >>> line.weighted(fmpq(2), line, fmpq(-1)).fall
        1
        """
        return Curve(
            own * self.start + others * other.start,
            own * self.fall + others * other.fall,
            own * self.bend + others * other.bend,
        )

    def minus(self, other: Curve) -> Curve:
        """Return the difference of two curves.

        Examples
        --------
        >>> from flint import arb, fmpq
        >>> line = Curve(arb(0), fmpq(1), fmpq(0))
        >>> line.minus(line).fall
        0
        """
        return self.weighted(fmpq(1), other, fmpq(-1))

    def greatest(self) -> arb:
        """Return the supremum over ``s >= 0``, infinity where there is no bound.

        Examples
        --------
        >>> from flint import arb, fmpq
        >>> float(Curve(arb(1), fmpq(-1), fmpq(0)).greatest())
        inf
        """
        if self.bend < 0 or (self.bend == 0 and self.fall < 0):
            return arb.pos_inf()
        if self.fall >= 0:
            return self.start
        return self.start + self.fall * self.fall / (2 * self.bend)

    def least(self) -> arb:
        """Return the infimum over ``s >= 0``.

        Examples
        --------
        >>> from flint import arb, fmpq
        >>> float(Curve(arb(1), fmpq(1), fmpq(0)).least())
        -inf
        """
        return -Curve(-self.start, -self.fall, -self.bend).greatest()

    @property
    def decays(self) -> bool:
        """Whether ``exp`` of the curve has an integral bounded by ``exp(start) / fall``.

        Examples
        --------
        >>> from flint import arb, fmpq
        >>> Curve(arb(0), fmpq(1), fmpq(0)).decays
        True
        """
        return bool(self.bend >= 0 and self.fall > 0)

    @property
    def diverges(self) -> bool:
        """Whether ``exp`` of the curve has an infinite integral.

        Examples
        --------
        >>> from flint import arb, fmpq
        >>> Curve(arb(0), fmpq(0), fmpq(0)).diverges
        True
        """
        return bool(self.bend < 0 or (self.bend == 0 and self.fall <= 0))


@dataclass(frozen=True)
class Envelope:
    """Two curves between which a log density runs, from a point to infinity.

    Examples
    --------
    >>> from flint import arb, fmpq
    >>> line = Curve(arb(0), fmpq(1), fmpq(0))
    >>> Envelope(line, line).lower == line
    True
    """

    lower: Curve
    upper: Curve
