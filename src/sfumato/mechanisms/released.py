"""A value that was released: it may be used freely, and it says what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import numpy as np

from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy import compose

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sfumato.privacy import Guarantee, Relation
    from sfumato.privacy.events import Event

__all__ = ["Released"]

T = TypeVar("T")
U = TypeVar("U")


class Releasing(Protocol[U]):
    """What ``then`` asks of a mechanism."""

    @property
    def relation(self) -> Relation:
        """Which tables are neighbours."""

    def release(self, value: Any, **options: Any) -> Released[U]:
        """Return a protected value."""


@dataclass(frozen=True)
class Released(Generic[T]):
    """What a mechanism gave out, with what was done and what is promised for it.

    Everything computed from it alone keeps the promise: ``map`` is post-processing and costs
    nothing (row M-POST-1).  A later mechanism may read it: ``then`` adds up what both cost
    (row M-COMP-1).  It reads as its value where a number or an array is expected.

    Parameters
    ----------
    value
        What was released.
    event
        What was done to the private data, by public parameters.
    guarantee
        What is promised to everybody in the data.
    seeded
        Whether the noise came from a seed: then it can be drawn again, and nothing is private.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.sampling import SeededSource
    >>> count = sf.DiscreteLaplace(epsilon=1).release(42, source=SeededSource(3))
    >>> count.map(lambda people: max(people, 0)).guarantee == count.guarantee
    True
    """

    value: T
    event: Event
    guarantee: Guarantee
    seeded: bool = False

    def map(self, function: Callable[[T], U]) -> Released[U]:
        """Return what a function makes of the value; the promise stays (post-processing).

        Parameters
        ----------
        function
            Of the released value alone: it must not look at the private data again.

        Examples
        --------
        >>> import sfumato as sf
        >>> share = sf.DiscreteLaplace(epsilon=1).release(42).map(lambda people: people / 100)
        >>> print(share.guarantee)
        1-DP (add or remove one row)
        """
        return Released(function(self.value), self.event, self.guarantee, self.seeded)

    def then(
        self,
        mechanism: Releasing[U],
        query: Callable[[T], Any],
        **options: Any,
    ) -> Released[tuple[T, U]]:
        """Ask a second question, which may depend on this answer; both are charged.

        Adaptive composition :cite:p:`dwork2014`: the mechanism and its parameters are
        fixed beforehand, the query is chosen after seeing the value.  For parameters that
        depend on earlier answers, admit each step by a filter of :mod:`sfumato.privacy`.

        Parameters
        ----------
        mechanism
            What protects the second answer.
        query
            Computes the second private value, given the first released one.
        options
            Passed to the mechanism's ``release``.

        Examples
        --------
        >>> import sfumato as sf
        >>> ages = [23, 35, 56, 61]
        >>> count = sf.DiscreteLaplace(epsilon=1)
        >>> first = count.release(len(ages))
        >>> both = first.then(count, lambda n: sum(age > 10 * n for age in ages))
        >>> both.guarantee.epsilon(delta=0)
        2.0
        """
        if self.guarantee.relation != mechanism.relation:
            message = (
                f"answers for “{self.guarantee.relation}” and “{mechanism.relation}” cannot be "
                "added up; give both mechanisms the same relation"
            )
            raise InputError(message)
        second = mechanism.release(query(self.value), **options)
        together = compose(self.event, second.event, relation=mechanism.relation)
        return Released(
            (self.value, second.value), together.event, together, self.seeded or second.seeded
        )

    def __float__(self) -> float:
        number: Any = self.value
        return float(number)

    def __int__(self) -> int:
        number: Any = self.value
        return int(number)

    def __bool__(self) -> bool:
        return bool(self.value)

    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[Any]:
        return np.array(self.value, dtype=dtype, copy=copy)

    def __str__(self) -> str:
        return f"{shown(self.value)}{_mark(self)}, {self.guarantee}"

    def __repr__(self) -> str:
        return f"Released({shown(self.value)}{_mark(self)}, {self.guarantee})"

    def _repr_html_(self) -> str:
        return f"<code>{escape(str(self))}</code>"


def _mark(released: Released[Any]) -> str:
    return " NOT PRIVATE, drawn from a seed" if released.seeded else ""
