"""A value that was released: it may be used freely, and it says what it cost."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Protocol, TypeVar

import numpy as np

from sfumato.errors import InputError
from sfumato.numeric import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from sfumato.privacy import Guarantee, Relation
    from sfumato.privacy.events import Event
    from sfumato.sampling import BitSource


T = TypeVar("T")
U = TypeVar("U")


class Releasing(Protocol[U]):
    """What ``then`` asks of a mechanism."""

    @property
    def relation(self) -> Relation:
        """Which tables are neighbours."""

    def release(self, value: Any, *, source: BitSource | None = None) -> Released[U]:
        """Return a protected value."""


@dataclass(frozen=True, eq=False)
class Released(Generic[T]):
    """What a mechanism gave out, with what was done and what is guaranteed for it.

    Everything computed from it alone keeps the guarantee: ``map`` is post-processing and costs
    nothing.  A later mechanism may read it: ``then`` adds up what both cost.  It is compared,
    rounded, indexed and read by numpy as its value; for sums and products write ``value`` or
    ``map``.

    Parameters
    ----------
    value
        What was released.
    event
        What was done to the private data, by public parameters.
    guarantee
        What is guaranteed to everybody in the data.
    seeded
        Whether the noise came from a seed: then it can be drawn again, and nothing is private.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.sampling import SeededSource
    >>> count = sf.mechanisms.DiscreteLaplace(epsilon=1).release(42, source=SeededSource(3))
    >>> count.map(lambda people: max(people, 0)).guarantee == count.guarantee
    True
    """

    value: T
    event: Event
    guarantee: Guarantee
    seeded: bool = False

    def map(self, function: Callable[[T], U]) -> Released[U]:
        """Return what a function makes of the value; the guarantee stays (post-processing).

        Parameters
        ----------
        function
            Of the released value alone: it must not look at the private data again.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.mechanisms import DiscreteLaplace
        >>> share = DiscreteLaplace(epsilon=1).release(42).map(lambda people: people / 100)
        >>> print(share.guarantee)
        1-DP (add or remove one row)
        """
        return Released(function(self.value), self.event, self.guarantee, self.seeded)

    def then(
        self,
        mechanism: Releasing[U],
        query: Callable[[T], Any],
        *,
        source: BitSource | None = None,
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
        source
            Where random bits come from, as for ``release``.

        Examples
        --------
        >>> import sfumato as sf
        >>> ages = [23, 35, 56, 61]
        >>> count = sf.mechanisms.DiscreteLaplace(epsilon=1)
        >>> first = count.release(len(ages))
        >>> both = first.then(count, lambda n: sum(age > 10 * n for age in ages))
        >>> both.guarantee.epsilon(delta=0)
        2.0
        """
        from sfumato.privacy import compose

        if not hasattr(mechanism, "release") or not callable(query):
            raise InputError(
                "E-ARGUMENT-TYPE",
                "then takes a mechanism and a query, a function of the released value",
                "write first.then(sf.mechanisms.DiscreteLaplace(epsilon=1), lambda value: …)",
            )
        if self.guarantee.relation != mechanism.relation:
            raise InputError(
                "E-RELATION-OTHER",
                "answers for “{relation}” and “{other_relation}” cannot be added up",
                "give both mechanisms the same relation",
                relation=self.guarantee.relation,
                other_relation=mechanism.relation,
            )
        second = mechanism.release(query(self.value), source=source)
        together = compose(self.event, second.event, relation=mechanism.relation)
        return Released(
            (self.value, second.value), together.event, together, self.seeded or second.seeded
        )

    def __float__(self) -> float:
        return float(_plain(self))

    def __int__(self) -> int:
        return int(_plain(self))

    def __bool__(self) -> bool:
        return bool(_plain(self))

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, Released):
            return _plain(self) == other
        mine, theirs = ((each.event, each.guarantee, each.seeded) for each in (self, other))
        return mine == theirs and _same(_plain(self), _plain(other))

    def __ne__(self, other: object) -> Any:
        return not self == other if isinstance(other, Released) else _plain(self) != other

    __hash__ = None  # type: ignore[assignment]

    def __lt__(self, other: Any) -> Any:
        return _plain(self) < _plain(other)

    def __le__(self, other: Any) -> Any:
        return _plain(self) <= _plain(other)

    def __gt__(self, other: Any) -> Any:
        return _plain(self) > _plain(other)

    def __ge__(self, other: Any) -> Any:
        return _plain(self) >= _plain(other)

    def __round__(self, digits: int | None = None) -> Any:
        return round(_plain(self), digits)

    def _no_arithmetic(self, _other: Any) -> NoReturn:
        raise InputError(
            "E-RELEASE-NOT-A-NUMBER",
            "a release is not calculated with",
            "write released.map(lambda value: 2 * value) to keep the guarantee with the "
            "result, or released.value",
        )

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _no_arithmetic
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __pow__ = _no_arithmetic

    def __len__(self) -> int:
        return len(_plain(self))

    def __getitem__(self, place: Any) -> Any:
        return _plain(self)[place]

    def __iter__(self) -> Iterator[Any]:
        return iter(_plain(self))

    def __format__(self, form: str) -> str:
        return format(_plain(self), form) if form else str(self)

    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[Any]:
        if copy:
            return np.array(self.value, dtype=dtype)
        view = np.asarray(self.value, dtype=dtype).view()
        view.flags.writeable = False
        return view

    def __str__(self) -> str:
        return f"{_said(self.value)}{_mark(self)}, {_guaranteed(self.guarantee)}"

    def __repr__(self) -> str:
        return f"Released({_said(self.value)}{_mark(self)}, {_guaranteed(self.guarantee)})"

    def _repr_html_(self) -> str:
        return f"<code>{escape(str(self))}</code>"


def _mark(released: Released[Any]) -> str:
    return " NOT PRIVATE, drawn from a seed" if released.seeded else ""


def _same(one: Any, other: Any) -> bool:
    """Tell whether two values are equal, arrays and tuples of arrays included."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(np.array_equal(one, other))


def _said(value: Any) -> str:
    """Say a value in one line, the middle of a long array left out."""
    if not isinstance(value, np.ndarray):
        return shown(value)
    listed = np.array2string(value, threshold=12, edgeitems=4, separator=", ", max_line_width=10**6)
    return " ".join(listed.split())


def _plain(other: Any) -> Any:
    return other.value if isinstance(other, Released) else other


def _guaranteed(guarantee: Guarantee) -> str:
    """Say the ε of a composition that is purely private, before what it is made of."""
    from sfumato.privacy import Composition

    whole = guarantee.epsilon(delta=0) if isinstance(guarantee, Composition) else math.inf
    return str(guarantee) if math.isinf(whole) else f"{whole:.6g}-DP by {guarantee}"
