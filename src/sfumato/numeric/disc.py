"""Complex arrays with a proven radius: floating-point arithmetic that knows how wrong it is.

A :class:`Disc` holds an array of midpoints and an array of radii; every operation returns discs
that contain the exact result for all points of the given ones.  The proof rests on one assumption
about the platform, which a test checks against ball arithmetic: numpy's real ``exp``, ``expm1``,
``log``, ``log1p``, ``arctan2`` and ``hypot`` of doubles, and ``sin`` and ``cos`` up to 1e22, are
within 4 units in the last place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.numeric.exact import Ln

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from numpy.typing import ArrayLike, NDArray

    from sfumato.numeric.ball import Enclosure

    Reals = NDArray[np.float64]


_UNIT = 2.0**-53
#: Makes up for the rounding of the radii themselves.
_SLACK = 1 + 2.0**-30
#: Above what underflow can lose in one operation.
_TINY = 1e-300
_LOG3 = float(np.log(3.0))
#: What overflows is unbounded, which its radius says.
_quietly = np.errstate(all="ignore")


class Disc:
    """Numbers known up to a radius, elementwise over numpy arrays.

    Parameters
    ----------
    mid
        The midpoints, real or complex.
    rad
        The radii: how far the true numbers may lie from the midpoints.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.numeric import Disc
    >>> tenth = Disc.of(Fraction(1, 10))
    >>> total = tenth + tenth + tenth
    >>> bool(abs(Fraction(float(total.mid)) - Fraction(3, 10)) <= total.rad)
    True
    """

    __array_ufunc__ = None
    __slots__ = ("mid", "rad")

    def __init__(self, mid: ArrayLike, rad: ArrayLike = 0.0) -> None:
        self.mid: NDArray[Any] = np.asarray(mid)
        self.rad: Reals = np.asarray(rad, dtype=float)

    @classmethod
    def of(cls, value: Fraction | Ln | float) -> Disc:
        """Return a disc around one exact number.

        Examples
        --------
        >>> from sfumato.numeric import Disc, Ln
        >>> disc = Disc.of(Ln(2))
        >>> float(disc.mid), bool(disc.rad < 1e-15)
        (0.6931471805599453, True)
        """
        mid = float(value)
        exact = not isinstance(value, Ln) and mid == value
        return cls(mid, 0.0 if exact else abs(mid) * 2 * _UNIT + _TINY)

    @classmethod
    def stack(cls, values: Sequence[Fraction | Ln | float]) -> Disc:
        """Return a column of discs, one a row, around exact numbers.

        Examples
        --------
        >>> from fractions import Fraction
        >>> from sfumato.numeric import Disc
        >>> Disc.stack([Fraction(1), Fraction(1, 3)]).mid.shape
        (2, 1)
        """
        mid = np.array(values, dtype=float).reshape(-1, 1)
        return cls(mid, np.abs(mid) * 2 * _UNIT + _TINY)

    @classmethod
    def within(cls, enclosure: Enclosure) -> Disc:
        """Return a disc around an enclosure.

        Examples
        --------
        >>> from sfumato.numeric import Disc, Enclosure
        >>> disc = Disc.within(Enclosure(1.0, 2.0))
        >>> float(disc.mid), float(disc.rad) >= 0.5
        (1.5, True)
        """
        mid = enclosure.lower / 2 + enclosure.upper / 2
        return cls(mid, (enclosure.upper - enclosure.lower + abs(mid) * 4 * _UNIT) * _SLACK)

    @classmethod
    def joined(cls, parts: Sequence[Disc]) -> Disc:
        """Return the discs of all parts in one row.

        Examples
        --------
        >>> from sfumato.numeric import Disc
        >>> Disc.joined([Disc(1.0), Disc([2.0, 3.0])]).mid.tolist()
        [1.0, 2.0, 3.0]
        """
        mids = [np.atleast_1d(part.mid) for part in parts]
        rads = [np.broadcast_to(part.rad, mid.shape) for part, mid in zip(parts, mids, strict=True)]
        return cls(np.concatenate(mids), np.concatenate(rads))

    def __getitem__(self, index: Any) -> Disc:
        return Disc(self.mid[index], np.broadcast_to(self.rad, self.mid.shape)[index])

    @property
    def size(self) -> Reals:
        """Upper bounds on the absolute values.

        Examples
        --------
        >>> from sfumato.numeric import Disc
        >>> float(Disc(3 + 4j, 1.0).size) >= 6
        True
        """
        return np.asarray((np.abs(self.mid) + self.rad) * _SLACK)

    @property
    def least(self) -> Reals:
        """Lower bounds on the absolute values.

        Examples
        --------
        >>> from sfumato.numeric import Disc
        >>> float(Disc(3 + 4j, 1.0).least) <= 4
        True
        """
        return np.asarray(np.maximum(np.abs(self.mid) / _SLACK - self.rad * _SLACK, 0.0))

    def __neg__(self) -> Disc:
        return Disc(-self.mid, self.rad)

    def __add__(self, other: Disc | ArrayLike) -> Disc:
        other = _disc(other)
        mid = self.mid + other.mid
        return Disc(mid, (self.rad + other.rad + np.abs(mid) * _UNIT) * _SLACK)

    __radd__ = __add__

    def __sub__(self, other: Disc | ArrayLike) -> Disc:
        return self + (-_disc(other))

    def __rsub__(self, other: Disc | ArrayLike) -> Disc:
        return -self + other

    def __mul__(self, other: Disc | ArrayLike) -> Disc:
        other = _disc(other)
        mid = self.mid * other.mid
        carried = self.rad * np.abs(other.mid) + other.rad * np.abs(self.mid) + self.rad * other.rad
        return Disc(mid, (carried + np.abs(mid) * 4 * _UNIT) * _SLACK + _TINY)

    __rmul__ = __mul__

    @_quietly
    def reciprocal(self) -> Disc:
        """Return 1/z; a disc that holds 0 has an infinite radius.

        Examples
        --------
        >>> from sfumato.numeric import Disc
        >>> float(Disc(2.0).reciprocal().mid)
        0.5
        """
        least = self.least
        mid = 1 / self.mid
        carried = self.rad / least / np.abs(self.mid)
        rad = (carried + np.abs(mid) * 16 * _UNIT) * _SLACK + _TINY
        return Disc(mid, np.where((least > 0) & np.isfinite(mid), rad, np.inf))

    @_quietly
    def __truediv__(self, other: Disc | ArrayLike) -> Disc:
        return self * _disc(other).reciprocal()

    @_quietly
    def __rtruediv__(self, other: Disc | ArrayLike) -> Disc:
        return self.reciprocal() * other

    @_quietly
    def exp(self) -> Disc:
        """Return e to the power.

        Examples
        --------
        >>> from sfumato.numeric import Disc
        >>> float(Disc(0.0).exp().mid)
        1.0
        """
        size = np.exp(self.mid.real)
        rad = (_grown(self) + size * 24 * _UNIT) * _SLACK + _TINY
        return Disc(size * _turn(self.mid), rad)

    @_quietly
    def expm1(self) -> Disc:
        """Return e to the power, less 1, without cancellation.

        Examples
        --------
        >>> from sfumato.numeric import Disc
        >>> float(Disc(1e-20).expm1().mid)
        1e-20
        """
        mid = complex_expm1(self.mid)
        return Disc(mid, (_grown(self) + np.abs(mid) * 128 * _UNIT) * _SLACK + _TINY)

    def log1p(self) -> Disc:
        """Return ln(1 + z), to be read through ``exp``: see :meth:`log`.

        Examples
        --------
        >>> from sfumato.numeric import Disc
        >>> float(Disc(1e-20).log1p().mid)
        1e-20
        """
        plain = (1 + self).log()
        size = np.abs(self.mid)
        good = (size <= 0.5) & (self.rad < 0.125)
        near = np.where(good, self.mid, 0.0)
        mid: NDArray[Any] = 0.5 * np.log1p(near.real * (2 + near.real) + near.imag**2)
        if np.iscomplexobj(near):
            mid = mid + 1j * np.arctan2(near.imag, 1 + near.real)
        carried = -np.log1p(-np.minimum(2 * self.rad, 0.25))
        rad = (carried + 32 * _UNIT * size) * _SLACK
        return Disc(np.where(good, mid, plain.mid), np.where(good, rad, plain.rad))

    def log(self) -> Disc:
        """Return ln z, to be read through ``exp``: e^ln z holds z, also where z may be 0.

        The disc guarantees that z = e^mid (1 + x) with abs(x) at most e^rad - 1.  This survives
        sums and whole multiples, and is what ``exp`` gives back.

        Examples
        --------
        >>> from sfumato.numeric import Disc
        >>> float(Disc(1.0).log().mid)
        0.0
        """
        size = np.abs(self.mid)
        sure = self.rad < size / 2
        with np.errstate(divide="ignore", invalid="ignore"):
            real = np.where(sure, np.log(size), np.log(size + self.rad + _TINY))
            carried = np.where(sure, -np.log1p(-self.rad / size), _LOG3)
        mid = real + 1j * np.angle(self.mid) if np.iscomplexobj(self.mid) else real
        return Disc(mid, (carried + (8 + 8 * np.abs(mid)) * _UNIT) * _SLACK)

    def sum(self, axis: int = -1) -> Disc:
        """Return the sum along an axis.

        Examples
        --------
        >>> from sfumato.numeric import Disc
        >>> float(Disc([1.0, 2.0]).sum().mid)
        3.0
        """
        count = self.mid.shape[axis]
        rounding = count * _UNIT * np.abs(self.mid).sum(axis=axis)
        rad = np.broadcast_to(self.rad, self.mid.shape).sum(axis=axis) * (1 + count * _UNIT)
        return Disc(self.mid.sum(axis=axis), (rad + rounding) * _SLACK)


def complex_expm1(z: NDArray[Any]) -> NDArray[Any]:
    """Return e^z - 1 for real or complex z, to within 128 units of its size.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.numeric import complex_expm1
    >>> complex_expm1(np.array([1e-20j])).imag.tolist()
    [1e-20]
    """
    grown = np.expm1(z.real)
    if not np.iscomplexobj(z):
        return np.asarray(grown)
    result = np.empty_like(z)
    result.real = grown * np.cos(z.imag) - 2 * np.sin(z.imag / 2) ** 2
    result.imag = (grown + 1) * np.sin(z.imag)
    return result


def _disc(value: Disc | ArrayLike) -> Disc:
    if isinstance(value, int) and abs(value) >> 53:
        return Disc.of(value)
    return value if isinstance(value, Disc) else Disc(value)


def _grown(disc: Disc) -> Reals:
    """Return how far e^z can lie from e^mid: e^(Re mid) (e^rad - 1), where rad may be huge."""
    near = np.exp(disc.mid.real) * np.expm1(np.minimum(disc.rad, 1.0))
    with np.errstate(over="ignore"):
        return np.where(disc.rad <= 1, near, np.exp(disc.mid.real + disc.rad))


def _turn(mid: NDArray[Any]) -> NDArray[Any] | float:
    if not np.iscomplexobj(mid):
        return 1.0
    return np.asarray(np.cos(mid.imag) + 1j * np.sin(mid.imag))
