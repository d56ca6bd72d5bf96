"""Any function of rows as an aggregate, answered by sample and aggregate.

One person's rows are in one block, and move the answer of that block alone.  They leave the engine
for nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data import whole_numbers
from sfumato.errors import InputError
from sfumato.refusal import Argument
from sfumato.tables.column import types
from sfumato.tables.expressions import Column, col, type_of
from sfumato.tables.plan.cells import BOUNDED_RANGE, PURE, choice_epsilon
from sfumato.tables.plan.partition_selection import Keys
from sfumato.tables.plan.steps import PrivateStep
from sfumato.tables.tree.aggregates import Aggregate
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import ibis.expr.types as ir
    import pyarrow as pa
    from numpy.typing import NDArray

    from sfumato.mechanisms import Released, SampleAndAggregate
    from sfumato.privacy.events import Event
    from sfumato.tables.column import KnownColumn
    from sfumato.tables.expressions import Expression
    from sfumato.tables.plan.steps import Share
    from sfumato.tables.run.rows import EngineRows
    from sfumato.tables.tree.rows import Question

_CONFIDENCE = 0.95
_WHO = "who"


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

    @property
    def code(self) -> str:
        """The function's name and its code, which are the same in another process."""
        code = getattr(self.function, "__code__", None)
        written = "" if code is None else f"{code.co_code.hex()} {code.co_consts!r}"
        name = getattr(self.function, "__qualname__", type(self.function).__name__)
        return f"{name} {written}"

    @property
    def code_digest(self) -> str:
        """The SHA-256 of that, which says nothing else of it."""
        return sha256(self.code.encode("utf-8", "surrogatepass")).hexdigest()

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


@dataclass(frozen=True, eq=False)
class BlockSample(PrivateStep):
    """Release the mean or the median of a function's answers on blocks of people.

    Parameters
    ----------
    name
        The column of the answer.
    asked
        The function, its bounds, and how many blocks there are.
    frame
        The kind of frame that a block is.
    """

    name: str
    asked: Sampled
    frame: str

    def mechanism(self, function: Callable[[Any], Any] | None = None) -> SampleAndAggregate:
        """Return what answers it, by the function or by another in its place."""
        return self.asked.mechanism(self._epsilon, function)

    @property
    def event(self) -> Event:
        """What is charged for it."""
        return self.mechanism().event

    def reach(self, confidence: Any) -> float:
        """Return how far the answer is from the aggregate of the blocks' answers, for the noise.

        Of a median only the rank is known to be near, so that its value may be anywhere between
        the bounds.
        """
        low, high = self.asked.bounds
        if self.asked.aggregate == "median":
            return float(high - low)
        return self.mechanism().error(confidence=confidence)

    @property
    def expected(self) -> str:
        """How far off the answer will be, in words, with a confidence of 95 % for the noise."""
        reach = self.mechanism().error(confidence=_CONFIDENCE)
        if self.asked.aggregate == "median":
            return tr(
                "± {reach:,.0f} in rank among {blocks:,} blocks",
                reach=reach,
                blocks=self.asked.blocks,
            )
        return f"± {reach:.4g}"

    @property
    def _epsilon(self) -> Fraction:
        ratio = BOUNDED_RANGE if self.asked.aggregate == "median" else PURE
        return choice_epsilon(self.share, Fraction(1), ratio=ratio)

    def __str__(self) -> str:
        of = f"{self.asked.called}({', '.join(self.asked.columns)})"
        over = tr("over {blocks:,} blocks", blocks=self.asked.blocks)
        return tr(
            "release the {aggregate} of {of} {over}: {share}",
            aggregate=self.asked.aggregate,
            of=of,
            over=over,
            share=self.share,
        )


def added_up(aggregates: Sequence[tuple[str, Aggregate]]) -> list[tuple[str, Aggregate]]:
    """Return the aggregates that are made of sums over rows."""
    return [(name, each) for name, each in aggregates if not isinstance(each, Sampled)]


def sampled_in(query: Question, columns: Mapping[str, KnownColumn]) -> dict[str, Sampled]:
    """Return the functions that a query asks for, by name; refuse those it cannot have."""
    found = {name: each for name, each in query.aggregates if isinstance(each, Sampled)}
    if found and query.keys:
        raise InputError(
            "E-AGGREGATE-NOT-HERE",
            "sample_aggregate is computed of all rows together, not for each group",
            "ask for it without group_by, of a group at a time, as in filter(sf.col('sex') == 'F')",
        )
    for each in found.values():
        _check_columns(each, columns)
        _check_installed(_frame(each, query))
    return found


def sampling(name: str, asked: Sampled, query: Question, share: Share) -> BlockSample:
    """Return the step that answers a function."""
    return BlockSample(share, name, asked, _frame(asked, query))


def _frame(asked: Sampled, query: Question) -> str:
    return asked.frame or query.table.frame


def _check_columns(asked: Sampled, columns: Mapping[str, KnownColumn]) -> None:
    known = types(columns)
    for each in asked.operands:
        if type_of(each, known) == "other":
            raise InputError(
                "E-AGGREGATE-TYPE",
                "sample_aggregate cannot take {each}, which is of a type of its own",
                each=each,
            )


def _check_installed(frame: str) -> None:
    if find_spec("pyarrow" if frame == "arrow" else frame) is None:
        raise InputError(
            "E-FRAME-MISSING",
            "{frame} is not installed",
            "pip install {frame}, or write frame='arrow'",
            frame=frame,
        )


def release_sample(rows: EngineRows, step: BlockSample, *, source: Any) -> Released[float]:
    """Return the private aggregate of a function's answers on blocks of people."""
    gathered = gather(rows, step.asked, step.frame)
    mechanism = step.mechanism(lambda people: step.asked.function(gathered.block(people)))
    released: Released[float] = mechanism.release(np.arange(gathered.people), source=source)
    return released


@dataclass(frozen=True, eq=False)
class Gathered:
    """The rows of some columns, those of a person side by side, in an order of their own.

    The people are in the order of their ids, and the rows of one in the order of their values.
    So whoever else is there, some people have the same rows in the same order.

    Parameters
    ----------
    rows
        The columns that were asked for.
    starts
        Where the rows of each person start, and where the last of them end.
    frame
        The kind of frame that a block is.
    """

    rows: pa.Table = field(repr=False)
    starts: NDArray[np.int64]
    frame: str

    @property
    def people(self) -> int:
        """How many people there are."""
        return len(self.starts) - 1

    def block(self, people: NDArray[np.int64]) -> Any:
        """Return the rows of some people as a frame made of their values alone."""
        import pyarrow as pa

        counts = self.starts[people + 1] - self.starts[people]
        before = np.cumsum(counts) - counts
        places = np.repeat(self.starts[people] - before, counts) + np.arange(counts.sum())
        taken = self.rows.take(pa.array(places))
        columns = [pa.array(each.to_pylist(), type=each.type) for each in taken.columns]
        return _FRAMES[self.frame](pa.table(columns, names=taken.column_names))


def gather(rows: EngineRows, asked: Sampled, frame: str) -> Gathered:
    """Fetch the rows that a function is computed on."""
    import pyarrow as pa

    parts = {f"value{place}": rows.value(Column(name)) for place, name in enumerate(asked.columns)}
    answer = rows.source.fetch(_in_order(rows.grouped(Keys(), (), **parts), list(parts)))
    columns = {
        name: _one_zero(answer[part]) for name, part in zip(asked.columns, parts, strict=True)
    }
    who = whole_numbers(answer[_WHO])
    starts = np.append(np.flatnonzero(np.diff(who, prepend=-1)), len(who))
    return Gathered(pa.table(columns), starts, frame)


def _in_order(owned: ir.Table, values: list[str]) -> ir.Table:
    """Return the rows with the number of their person, in order of it and of the values."""
    import ibis

    person = [name for name in owned.columns if name not in values]
    rank = ibis.dense_rank() if person else ibis.row_number()
    who = rank.over(ibis.window(order_by=person or values))
    ranked = owned.mutate(**{_WHO: who.cast("int64")})
    return ranked.select([_WHO, *values]).order_by([_WHO, *values])


def _one_zero(column: Any) -> Any:
    """Return numbers in which 0 has one sign, so that rows of equal values are alike."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.add(column, 0.0) if pa.types.is_floating(column.type) else column


def _pandas(block: pa.Table) -> Any:
    import pandas as pd
    import pyarrow as pa

    kept = {pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()}
    return block.to_pandas(types_mapper=kept.get, date_as_object=False)


def _polars(block: pa.Table) -> Any:
    import polars as pl

    return pl.from_arrow(block)


_FRAMES: dict[str, Callable[[pa.Table], Any]] = {
    "pandas": _pandas,
    "polars": _polars,
    "arrow": lambda block: block,
}
