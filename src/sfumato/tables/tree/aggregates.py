"""What can be asked of a group of rows, and what is done to the answer.

The latter is post-processing of what was released, and costs nothing.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.errors import InputError, UnknownNameError
from sfumato.refusal import Call

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.tables.expressions import Expression


#: A lower and an upper bound; "auto" where they are to be found privately, None where declared.
Bounds = "tuple[Fraction, Fraction] | str | None"
_HALF = Fraction(1, 2)

#: What a released column can be compared with.
Compared = bool | int | float | str | dt.date | dt.datetime
_SIGNS = {"<": lt, "<=": le, ">": gt, ">=": ge, "=": eq, "==": eq, "<>": ne, "!=": ne}


@dataclass(frozen=True)
class Aggregate:
    """One number, or a few, about the rows of a group."""

    #: What it is called in plans and in SQL.
    word: ClassVar[str]

    @property
    def operands(self) -> tuple[Expression, ...]:
        """What it is computed of, row by row."""
        return ()

    def answer_columns(self, name: str) -> tuple[str, ...]:
        """Return the columns of the answer, for a name: one of that name, or a few."""
        return (name,)

    def __str__(self) -> str:
        return f"{self.word}({', '.join(map(str, self.operands)) or '*'})"


@dataclass(frozen=True)
class Count(Aggregate):
    """How many rows there are, or how many in which a column is not missing."""

    of: Expression | None = None

    word = "count"

    @property
    def operands(self) -> tuple[Expression, ...]:
        """The column that must not be missing, if any."""
        return () if self.of is None else (self.of,)


@dataclass(frozen=True)
class People(Aggregate):
    """How many different people own the rows."""

    word = "people"


@dataclass(frozen=True)
class OfColumn(Aggregate):
    """An aggregate of one column of numbers.

    Parameters
    ----------
    of
        The column.
    bounds
        To which its values are clamped; None for those declared.
    """

    of: Expression
    bounds: tuple[Fraction, Fraction] | str | None = None

    @property
    def operands(self) -> tuple[Expression, ...]:
        """The column."""
        return (self.of,)


@dataclass(frozen=True)
class Sum(OfColumn):
    """The sum of a column."""

    word = "sum"


@dataclass(frozen=True)
class Mean(OfColumn):
    """The mean of a column.

    Parameters
    ----------
    rows
        The number of rows that have a value, where that is public; None where it is secret.
    """

    rows: int | None = None

    word = "mean"

    def __str__(self) -> str:
        return super().__str__() + ("" if self.rows is None else f" over {self.rows:,} rows")


@dataclass(frozen=True)
class Variance(OfColumn):
    """The variance of a column, with the number of rows as its divisor."""

    word = "variance"


@dataclass(frozen=True)
class Deviation(OfColumn):
    """The standard deviation of a column: the root of the variance."""

    word = "std"


@dataclass(frozen=True)
class Covariance(Aggregate):
    """The covariance of two columns, over the rows that have both."""

    of: Expression
    other: Expression
    bounds: tuple[Fraction, Fraction] | str | None = None
    other_bounds: tuple[Fraction, Fraction] | str | None = None

    word = "covariance"

    @property
    def operands(self) -> tuple[Expression, ...]:
        """Both columns."""
        return (self.of, self.other)


def check_aggregates(
    aggregates: Mapping[str, Any], word: str, *, unnamed: Sequence[Any] = ()
) -> None:
    """Refuse what is no aggregate or has no name, and none at all."""
    if unnamed:
        first = unnamed[0]
        what = str(first) if isinstance(first, Aggregate) else f"a {type(first).__name__}"
        raise InputError(
            "E-AGGREGATE-UNNAMED",
            "{word} takes aggregates by name, and {what} has none",
            "write {word}(n={call})",
            word=word,
            what=what,
            call=Call("count"),
        )
    if not aggregates:
        raise InputError(
            "E-ARGUMENT-EMPTY",
            "{word} takes at least one aggregate",
            "write {word}(n={call})",
            word=word,
            call=Call("count"),
        )
    for name, each in aggregates.items():
        if not isinstance(each, Aggregate):
            raise InputError(
                "E-ARGUMENT-TYPE",
                "{word} takes aggregates, and {name!r} is {kind}",
                "write {word}({name}={call}) or {word}({name}={example})",
                word=word,
                name=name,
                kind=type(each).__name__,
                call=Call("count"),
                example=Call("mean", "age"),
            )


@dataclass(frozen=True)
class Quantiles(OfColumn):
    """The values below which shares of the rows lie.

    Parameters
    ----------
    ranks
        The shares, in order.
    confidence
        That of the confidence intervals; None for none.
    """

    ranks: tuple[Fraction, ...] = (_HALF,)
    confidence: Fraction | None = None

    word = "quantiles"

    def answer_columns(self, name: str) -> tuple[str, ...]:
        """Return a column for each: its name, and the share in percent."""
        return tuple(f"{name}_q{float(100 * rank):.12g}" for rank in self.ranks)

    def __str__(self) -> str:
        return f"{self.word}({', '.join([str(self.of), *(f'{float(r):g}' for r in self.ranks)])})"


@dataclass(frozen=True)
class Quantile(Quantiles):
    """The value below which a share of the rows lies."""

    word = "quantile"

    def answer_columns(self, name: str) -> tuple[str, ...]:
        """Return its name."""
        return (name,)


@dataclass(frozen=True)
class Median(Quantile):
    """The value below which half of the rows lie."""

    word = "median"

    def __str__(self) -> str:
        return f"{self.word}({self.of})"


@dataclass(frozen=True)
class Extremum(OfColumn):
    """A value near one end of a column."""


@dataclass(frozen=True)
class Minimum(Extremum):
    """A value near the least one."""

    word = "minimum"


@dataclass(frozen=True)
class Maximum(Extremum):
    """A value near the greatest one."""

    word = "maximum"


@dataclass(frozen=True)
class Histogram(Aggregate):
    """How many rows lie between edges."""

    of: Expression
    edges: tuple[Fraction, ...]

    word = "histogram"

    @property
    def operands(self) -> tuple[Expression, ...]:
        """The column."""
        return (self.of,)

    @property
    def bounds(self) -> tuple[Fraction, Fraction]:
        """The outer edges."""
        return self.edges[0], self.edges[-1]

    def answer_columns(self, name: str) -> tuple[str, ...]:
        """Return a column for each bin: its name, and its edges."""
        ends = [_shown(edge) for edge in self.edges]
        return tuple(f"{name}_{low}_to_{high}" for low, high in pairwise(ends))

    @property
    def labels(self) -> tuple[str, ...]:
        """What each bin is called."""
        return bin_labels(self.edges)


@dataclass(frozen=True)
class TopK(Aggregate):
    """The values that most rows have.

    Parameters
    ----------
    of
        The column.
    count
        How many values; None for the mode alone, in a column of the aggregate's name.
    values
        The values to choose from; None for those declared.
    method
        "permute_and_flip" or "exponential".
    """

    of: Expression
    count: int | None
    values: tuple[Any, ...] | None
    method: str

    word = "top_k"

    @property
    def operands(self) -> tuple[Expression, ...]:
        """The column."""
        return (self.of,)

    def answer_columns(self, name: str) -> tuple[str, ...]:
        """Return a column for each, numbered."""
        if self.count is None:
            return (name,)
        return tuple(f"{name}_{place + 1}" for place in range(self.count))

    def __str__(self) -> str:
        return f"mode({self.of})" if self.count is None else f"top_k({self.of}, {self.count})"


def bin_labels(edges: Sequence[Fraction]) -> tuple[str, ...]:
    """Return what each bin is called; the first and the last take in what lies beyond the edges."""
    ends = list(map(_shown, edges))
    inner = [f"{low} to {high}" for low, high in pairwise(ends)]
    if len(inner) < 2:
        return ("all",) * len(inner)
    return (f"below {ends[1]}", *inner[1:-1], f"{ends[-2]} or more")


def _shown(edge: Fraction) -> str:
    return str(edge.numerator) if edge.denominator == 1 else repr(float(edge))


@dataclass(frozen=True)
class SortBy:
    """Order the rows of the answer by one of its columns."""

    name: str
    descending: bool = False

    def __str__(self) -> str:
        return f"order by {self.name}" + (", greatest first" if self.descending else "")


@dataclass(frozen=True)
class Head:
    """Keep the first rows of the answer."""

    count: int

    def __str__(self) -> str:
        return f"the first {self.count}"


@dataclass(frozen=True)
class Having:
    """Keep the rows of the answer in which a released column compares to a value of its type."""

    name: str
    sign: str
    value: Compared

    def __post_init__(self) -> None:
        if self.sign not in _SIGNS:
            raise UnknownNameError(kind="sign", name=self.sign, known=_SIGNS)

    def holds(self, value: Any) -> bool:
        """Tell whether it is so of a value, which a missing one is not."""
        try:
            return value is not None and bool(_SIGNS[self.sign](value, self.value))
        except TypeError:
            return False

    def __str__(self) -> str:
        return f"having {self.name} {self.sign} {self.value}"


@dataclass(frozen=True)
class NonNegative:
    """Show what cannot be below 0, counts and sums of what is not, as 0 where noise made it so."""

    def __str__(self) -> str:
        return "not below 0"


#: What is done to released rows.
After = SortBy | Head | Having | NonNegative
