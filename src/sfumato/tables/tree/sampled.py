"""Any function of rows as an aggregate, answered by sample and aggregate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.refusal import Argument
from sfumato.tables.expressions import col
from sfumato.tables.tree.aggregates import Aggregate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

    from sfumato.mechanisms import SampleAndAggregate
    from sfumato.tables.expressions import Expression

_FRAMES = ("pandas", "polars", "arrow")


@dataclass(frozen=True, eq=False)
class Sampled(Aggregate):
    """A function of rows, computed on blocks of people and aggregated privately.

    Parameters
    ----------
    function
        Takes a frame with the rows of a block, and returns one number.
    columns
        The columns of the frame.
    bounds
        Between which its answers are taken.
    blocks
        How many blocks there are.
    aggregate
        "mean" or "median" of the answers.
    default
        The answer of a block on which the function fails, or in which there is nobody.
    frame
        The kind of frame; None for the kind that the table came in.
    """

    function: Callable[[Any], Any]
    columns: tuple[str, ...]
    bounds: tuple[Fraction, Fraction]
    blocks: int
    aggregate: str
    default: Fraction
    frame: str | None = None

    word = "sample_aggregate"

    @property
    def operands(self) -> tuple[Expression, ...]:
        """The columns."""
        return tuple(map(col, self.columns))

    def mechanism(
        self, epsilon: Any, function: Callable[[Any], Any] | None = None
    ) -> SampleAndAggregate:
        """Return what answers it, for a list of people, by the function or another in its place."""
        from sfumato.mechanisms import SampleAndAggregate

        return SampleAndAggregate(
            function or self.function,
            epsilon=epsilon,
            bounds=self.bounds,
            blocks=self.blocks,
            aggregate=self.aggregate,
            default=self.default,
        )

    @property
    def called(self) -> str:
        """The name of the function."""
        return str(getattr(self.function, "__name__", type(self.function).__name__))

    def __str__(self) -> str:
        return f"{self.word}({self.called}, {', '.join(self.columns)})"


def sample_aggregate(
    function: Callable[[Any], Any],
    *,
    columns: Sequence[str],
    bounds: tuple[Any, Any],
    blocks: int,
    aggregate: str = "mean",
    default: Any = None,
    frame: str | None = None,
) -> Sampled:
    """Ask for any function of rows, by its answers on disjoint blocks of people.

    Each person goes to one block at random, with all of their rows, so that one person changes
    the answer of one block, however many rows they have.  The answers of the blocks are taken
    between the bounds, and their mean or median is released with noise.  See
    ``SampleAndAggregate`` for the theorem.

    The rows of the named columns leave the engine for this process, where the function runs;
    for no other aggregate do they.  It must look at its block alone, and keep nothing between two
    calls.  How long it runs, what it prints, warns or writes is not hidden.

    Parameters
    ----------
    function
        Takes a frame with the rows of a block in an order that tells nothing, and returns one
        finite number.
    columns
        The columns of the frame, those derived included.  Their types are those of the private
        table, whatever the rows of a block are; missing values are kept.
    bounds
        Between which the answers of the blocks are taken, known without looking at the data.
    blocks
        How many blocks there are: more of them for less noise, fewer for better answers of each.
    aggregate
        "mean" or "median" of the answers.
    default
        The answer of a block on which the function fails, or in which there is nobody; the
        middle of the bounds unless said otherwise.
    frame
        "pandas", "polars" or "arrow"; left out, the kind of frame that the table came in, Arrow
        for a file.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.tables import sample_aggregate
    >>> def slope(block):
    ...     return block["age"].cov(block["cost"]) / block["age"].var()
    >>> print(sample_aggregate(slope, columns=["age", "cost"], bounds=(-10, 10), blocks=50))
    sample_aggregate(slope, age, cost)
    """
    from sfumato.mechanisms import SampleAndAggregate

    names = _read_columns(columns)
    _check_frame(frame)
    _check_one_pair(bounds)
    checked = SampleAndAggregate(
        function, epsilon=1, bounds=bounds, blocks=blocks, aggregate=aggregate, default=default
    )
    return Sampled(
        function=function,
        columns=names,
        bounds=checked.bounds[0],
        blocks=checked.blocks,
        aggregate=checked.aggregate,
        default=checked.default[0],
        frame=frame,
    )


def _read_columns(columns: Any) -> tuple[str, ...]:
    given = [columns] if isinstance(columns, str) else columns
    if not isinstance(given, (list, tuple)) or not all(isinstance(each, str) for each in given):
        raise InputError(
            "E-ARGUMENT-TYPE", "columns must be a list of names, such as columns=['age', 'cost']"
        )
    if not given or len(set(given)) < len(given):
        raise InputError(
            "E-COLUMN-TWICE",
            "columns must name at least one column, and each once",
            "write columns=['age']",
        )
    return tuple(given)


def _check_one_pair(bounds: Any) -> None:
    if isinstance(bounds, (list, tuple)) and any(isinstance(end, (list, tuple)) for end in bounds):
        raise InputError(
            "E-BOUNDS-FORM",
            "sample_aggregate takes one pair of bounds, for one number",
            "ask for several numbers one by one, each with its own bounds, such as {bounds}",
            bounds=Argument("bounds", (-10, 10)),
        )


def _check_frame(frame: Any) -> None:
    if frame is not None and (not isinstance(frame, str) or frame not in _FRAMES):
        raise InputError(
            "E-ARGUMENT-CHOICE",
            "frame must be 'pandas', 'polars' or 'arrow', not {frame!r:.40}",
            "leave it out",
            frame=frame,
        )
