"""Sets of values of a feature: an interval, what lies outside one, or some keys."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Among", "Between", "Outside", "Region"]

_MOST_LISTED = 4


class Region(Protocol):
    """A set of values, fixed before the draws that are tested.

    Examples
    --------
    >>> from sfumato.audit.blackbox.regions import Between, Region
    >>> region: Region = Between(-1.0, 1.0)
    """

    def holds(self, column: NDArray[Any]) -> NDArray[np.bool_]:
        """Tell for each value whether it is in the set; NaN never is.

        Examples
        --------
        >>> import numpy as np
        >>> from sfumato.audit.blackbox.regions import Between
        >>> Between(0.0, 1.0).holds(np.array([0.0, 1.0, np.nan]))
        array([False,  True, False])
        """

    def said_of(self, subject: str) -> str:
        """Return the event that the subject lies in the set, in words.

        Examples
        --------
        >>> from sfumato.audit.blackbox.regions import Between
        >>> Between(0.0, 1.0).said_of("the output")
        'the output is above 0 and at most 1'
        """


@dataclass(frozen=True)
class Between:
    """All numbers above ``low`` and up to ``high``; infinite ends are no ends.

    Examples
    --------
    >>> import math
    >>> from sfumato.audit.blackbox.regions import Between
    >>> Between(-math.inf, 0.5).said_of("the output")
    'the output is at most 0.5'
    """

    low: float
    high: float

    def holds(self, column: NDArray[Any]) -> NDArray[np.bool_]:
        """Tell for each number whether it lies between the ends.

        Examples
        --------
        >>> import numpy as np
        >>> from sfumato.audit.blackbox.regions import Between
        >>> Between(0.0, 1.0).holds(np.array([0.5, 2.0]))
        array([ True, False])
        """
        above = column >= self.low if self.low == -math.inf else column > self.low
        return np.asarray(above & (column <= self.high))

    def said_of(self, subject: str) -> str:
        """Return the event in words.

        Examples
        --------
        >>> import math
        >>> from sfumato.audit.blackbox.regions import Between
        >>> Between(1.0, math.inf).said_of("the sum")
        'the sum is above 1'
        """
        ends = []
        if self.low > -math.inf:
            ends.append(f"above {self.low:.10g}")
        if self.high < math.inf:
            ends.append(f"at most {self.high:.10g}")
        return f"{subject} is {' and '.join(ends) or 'a number'}"


@dataclass(frozen=True)
class Outside:
    """All numbers up to ``low`` or above ``high``.

    Examples
    --------
    >>> from sfumato.audit.blackbox.regions import Outside
    >>> Outside(-1.0, 1.0).said_of("the output")
    'the output is at most -1 or above 1'
    """

    low: float
    high: float

    def holds(self, column: NDArray[Any]) -> NDArray[np.bool_]:
        """Tell for each number whether it lies outside.

        Examples
        --------
        >>> import numpy as np
        >>> from sfumato.audit.blackbox.regions import Outside
        >>> Outside(0.0, 1.0).holds(np.array([0.5, 2.0]))
        array([False,  True])
        """
        return np.asarray((column <= self.low) | (column > self.high))

    def said_of(self, subject: str) -> str:
        """Return the event in words.

        Examples
        --------
        >>> from sfumato.audit.blackbox.regions import Outside
        >>> Outside(0.0, 2.0).said_of("the sum")
        'the sum is at most 0 or above 2'
        """
        return f"{subject} is at most {self.low:.10g} or above {self.high:.10g}"


@dataclass(frozen=True)
class Among:
    """Some keys, or all but some, with their names in words.

    Examples
    --------
    >>> from sfumato.audit.blackbox.regions import Among
    >>> Among((1, 2), ("'yes'", "'no'")).said_of("the output")
    "the output is 'yes' or 'no'"
    """

    keys: tuple[int, ...]
    names: tuple[str, ...]
    inside: bool = True

    def holds(self, column: NDArray[Any]) -> NDArray[np.bool_]:
        """Tell for each key whether it is among them.

        Examples
        --------
        >>> import numpy as np
        >>> from sfumato.audit.blackbox.regions import Among
        >>> Among((1,), ("one",), inside=False).holds(np.array([1, 2]))
        array([False,  True])
        """
        return np.isin(column, np.array(self.keys, dtype=np.int64), invert=not self.inside)

    def said_of(self, subject: str) -> str:
        """Return the event in words: the first names, and how many more there are.

        Examples
        --------
        >>> from sfumato.audit.blackbox.regions import Among
        >>> Among((1, 2), ("NaN", "None"), inside=False).said_of("the output")
        'the output is neither NaN nor None'
        """
        names, more = list(dict.fromkeys(self.names))[:_MOST_LISTED], len(self.keys) - _MOST_LISTED
        if more > 0:
            names.append(f"{more:,} more like these")
        if not self.inside:
            return f"{subject} is {'neither' if len(names) > 1 else 'not'} {' nor '.join(names)}"
        raised = [name for name in names if name.startswith("raised ")]
        plain = [name for name in names if name not in raised]
        return f"{subject} " + " or ".join(([f"is {' or '.join(plain)}"] if plain else []) + raised)
