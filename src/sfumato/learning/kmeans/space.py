"""The box that points lie in, by declared bounds, and the whole numbers that stand for them.

A value between its bounds is a whole number of steps from the middle, at most 2^bits either way.
All that is added up of points is added up in steps, so that it is exact in any order, on any
machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log2
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import InputError
from sfumato.learning.kmeans.threads import in_blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Reals = NDArray[np.float64]
    Whole = NDArray[np.int64]

__all__ = ["Space", "space_of"]

#: Every whole number up to here is exact in double precision.
_EXACT_BITS = 53
#: More steps would gain nothing, and three bytes hold so many.
_MOST_BITS = 22
_FEWEST_BITS = 4


@dataclass(frozen=True, eq=False)
class Space:
    """A box, and how fine its grid is.

    Parameters
    ----------
    low, high
        The bounds of each coordinate.
    bits
        A coordinate has 2^bits steps from the middle to either bound.
    reach
        How far centres may lie from the middle, in half widths of the box.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.learning.kmeans.space import space_of
    >>> space = space_of(np.array([0.0, 0.0]), np.array([10.0, 1.0]))
    >>> whole = space.whole(np.array([[5.0, 2.0], [np.nan, 0.5]]))
    >>> (whole / space.unit).tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    >>> space.real(np.array([[space.unit, 0]])).tolist()
    [[10.0, 0.5]]
    """

    low: Reals
    high: Reals
    bits: int
    reach: int = 1

    @property
    def dimensions(self) -> int:
        """How many coordinates there are.

        Examples
        --------
        >>> import numpy as np
        >>> from sfumato.learning.kmeans.space import space_of
        >>> space_of(np.zeros(3), np.ones(3)).dimensions
        3
        """
        return len(self.low)

    @property
    def unit(self) -> int:
        """How many steps there are from the middle to a bound.

        Examples
        --------
        >>> import numpy as np
        >>> from sfumato.learning.kmeans.space import space_of
        >>> space_of(np.zeros(3), np.ones(3)).unit == 2**22
        True
        """
        return 1 << self.bits

    @property
    def middle(self) -> Reals:
        """What a missing value counts as.

        Examples
        --------
        >>> import numpy as np
        >>> from sfumato.learning.kmeans.space import space_of
        >>> space_of(np.array([0.0]), np.array([110.0])).middle.tolist()
        [55.0]
        """
        return self.low / 2 + self.high / 2

    @property
    def scale(self) -> Reals:
        """How many steps there are in one of each coordinate's own units.

        Examples
        --------
        >>> import numpy as np
        >>> from sfumato.learning.kmeans.space import space_of
        >>> space_of(np.array([-1.0]), np.array([1.0])).scale.tolist() == [2.0**22]
        True
        """
        return self.unit / (self.high / 2 - self.low / 2)

    def whole(self, values: Reals) -> Reals:
        """Return points in steps: between the bounds, what is missing in the middle.

        They are whole numbers, held as floats because those multiply faster.

        Examples
        --------
        >>> import numpy as np
        >>> from sfumato.learning.kmeans.space import space_of
        >>> space = space_of(np.array([0.0]), np.array([1.0]))
        >>> (space.whole(np.array([[np.inf], [0.0]])) / space.unit).tolist()
        [[1.0], [-1.0]]
        """
        steps = np.empty(values.shape)
        in_blocks(
            len(values),
            lambda rows: self._fill(steps[rows], values[rows]),
            width=self.dimensions,
        )
        return steps

    def _fill(self, steps: Reals, values: Reals) -> None:
        """Write values in steps; no value decides whether numpy has something to say."""
        with np.errstate(all="ignore"):
            np.copyto(steps, values)
            np.copyto(steps, self.middle, where=np.isnan(steps))
            np.clip(steps, self.low, self.high, out=steps)
            steps -= self.middle
            steps *= self.scale
            np.clip(steps, -self.unit, self.unit, out=steps)
            steps += 0.5
            np.floor(steps, out=steps)

    def real(self, steps: Reals | Whole) -> Reals:
        """Return what lies so many steps from the middle, in the coordinates' own units.

        Examples
        --------
        >>> import numpy as np
        >>> from sfumato.learning.kmeans.space import space_of
        >>> space = space_of(np.array([0.0]), np.array([110.0]))
        >>> space.real(np.array([[-space.unit]])).tolist()
        [[0.0]]
        """
        return self.middle + np.asarray(steps, dtype=np.float64) / self.scale

    def held(self, steps: Reals) -> Whole:
        """Return centres as whole steps, none further from the middle than the reach.

        Examples
        --------
        >>> import numpy as np
        >>> from sfumato.learning.kmeans.space import space_of
        >>> space = space_of(np.zeros(1), np.ones(1))
        >>> (space.held(np.array([[1e12]])) == space.unit).all()
        np.True_
        """
        most = self.reach * self.unit
        return np.clip(np.floor(steps + 0.5), -most, most).astype(np.int64)


def space_of(low: Reals, high: Reals, *, reach: int = 1) -> Space:
    """Return the space between bounds, as fine as products of its numbers stay exact.

    For x within the box and c within the reach, 2x·c - |c|² and |x - c|² are at most
    (1 + reach)²·d·2^(2·bits), which is at most 2^53.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.learning.kmeans.space import space_of
    >>> space_of(np.zeros(1000), np.ones(1000)).bits
    20
    """
    room = _EXACT_BITS - ceil(log2((1 + reach) ** 2 * len(low)))
    if room < 2 * _FEWEST_BITS:
        message = f"{len(low):,} coordinates are too many to add points up exactly; give fewer"
        raise InputError(message)
    return Space(low, high, min(_MOST_BITS, room // 2), reach)
