"""What every engine is: it runs queries, and what it has to say of a cell stays inside.

A cell may hold a gigabyte, and functions of texts fail long before: PostgreSQL's need up to eight
bytes for each of it, of one gigabyte in all, and Spark's some dozens.  So a longer text is null
where an expression takes it; ids of people are told apart as they are.
"""

from __future__ import annotations

import logging
import os
from abc import ABC, abstractmethod
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from decimal import Decimal
from importlib import metadata
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.errors import EngineError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    import ibis.expr.schema as sch
    import ibis.expr.types as ir
    import pyarrow as pa

    from sfumato.refusal import Given

    Prepared = Callable[[], list[dict[str, Any]]]


#: Who is told how far a scan is, as a share from 0 to 1.
_WATCHER: ContextVar[Callable[[float], None] | None] = ContextVar("watcher", default=None)
_EVERY = 0.1
#: In bytes.
LONGEST_TEXT = 1_000_000
_LOG = logging.getLogger("sfumato")


@contextmanager
def watching(tell: Callable[[float], None]) -> Iterator[None]:
    """Tell how far each scan in the block is, as a share from 0 to 1.

    Parameters
    ----------
    tell
        Called now and then, from another thread, while a scan runs.
    """
    token = _WATCHER.set(tell)
    try:
        yield
    finally:
        _WATCHER.reset(token)


@contextmanager
def told(percent: Callable[[], float]) -> Iterator[None]:
    """Tell the watcher, if there is one, what ``percent`` says while the block runs."""
    tell = _WATCHER.get()
    if tell is None:
        yield
        return
    done = Event()
    teller = Thread(target=_telling, args=(percent, tell, done), daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


def _telling(percent: Callable[[], float], tell: Callable[[float], None], done: Event) -> None:
    while not done.wait(_EVERY):
        share = percent() / 100
        if share >= 0:
            tell(min(share, 1.0))


class Engine(ABC):
    """Runs queries on tables that it holds, all with the same outcome as every other engine.

    What an operation means is what it means to the embedded engine; another engine rewrites
    those that mean something else to it.  An error, which may quote a cell, becomes a constant
    sentence.
    """

    #: What users call it.
    title: ClassVar[str]
    #: What sqlglot calls its SQL.
    name: ClassVar[str]

    def __init__(self) -> None:
        self._process = os.getpid()

    def check_process(self) -> None:
        """Refuse to work in a process that was forked from the one that opened the table."""
        if os.getpid() != self._process:
            raise InputError(
                "E-PROCESS-FORKED",
                "the table was opened in another process, which forked this one",
                "open it here as well",
            )

    def sees(self, other: Engine) -> bool:
        """Tell whether a query can read the tables of another engine beside those of this."""
        return self is other

    def reading(self) -> AbstractContextManager[None]:
        """See one moment of the tables until the block ends, in all queries.

        What one answer tells of a table is then of the same rows.
        """
        return nullcontext()

    def check(self, query: ir.Table) -> None:  # noqa: B027
        """Refuse a query that the engine has no way to answer, by name; nothing is run."""

    @abstractmethod
    def fetch(self, query: ir.Table, *, complaint: Given) -> pa.Table:
        """Run a query and return its result; whoever watches is told how far it is."""

    def prepared(self, query: ir.Table, *, complaint: Given) -> Prepared:
        """Return what answers a query of numbers, in lines, as often as it is called.

        What can be done beforehand is done, but nothing is run.
        """
        return lambda: self.fetch(query, complaint=complaint).to_pylist()

    @abstractmethod
    def batches(self, query: ir.Table, *, rows: int, complaint: Given) -> Iterator[pa.RecordBatch]:
        """Run a query and yield its result in parts of at most so many rows, never all of it."""

    @abstractmethod
    def keep(self, query: ir.Table, *, complaint: Given) -> ir.Table:
        """Return a table that holds what a query gives, at best computed once, until forgotten."""

    @abstractmethod
    def forget(self, kept: ir.Table) -> None:
        """Let go of a table that was kept."""

    @abstractmethod
    def sql(self, query: ir.Table) -> str:
        """Return a query as the engine would be told it."""


def failed(engine: str, error: Exception, *packages: str) -> EngineError:
    """Return what is said of an engine that failed at a question, and log it as a bug of ours.

    Parameters
    ----------
    engine
        What users call it.
    error
        What it raised, of which only the kind is told.
    packages
        Whose versions are told.
    """
    versions = ", ".join(f"{each} {metadata.version(each)}" for each in ("sfumato", *packages))
    _LOG.error("a bug in sfumato: %s failed with %s (%s)", engine, type(error).__name__, versions)
    return EngineError(engine)


def unreadable(complaint: Given) -> InputError:
    """Return the error about a table that cannot be read."""
    return InputError("E-TABLE-UNREADABLE", "{complaint}", complaint=complaint)


def guarded(action: Callable[[], Any], instead: Callable[[Exception], BaseException | None]) -> Any:
    """Run ``action``; what it raises is replaced by what is to be said instead, if anything."""
    failure: BaseException
    try:
        return action()
    except InputError:
        raise
    except RecursionError:
        failure = InputError(
            "E-QUESTION-TOO-LARGE",
            "the query nests too deep for the engine",
            "write it less nested",
        )
    except Exception as error:
        said = instead(error)
        if said is None:
            raise
        failure = said
    # Raised out here, so that it does not carry the engine's own error as its context.
    raise failure


def worded(write: Callable[[], str], unable: InputError) -> str:
    """Return a query as it is written for an engine; what Ibis cannot write is refused."""
    from ibis.common.exceptions import IbisError

    sql: str = guarded(write, lambda error: unable if isinstance(error, IbisError) else None)
    return sql


def arrow_of(rows: Sequence[Sequence[Any]], schema: sch.Schema) -> pa.Table:
    """Return rows as a table."""
    import pyarrow as pa

    fields = schema.to_pyarrow()
    columns = list(zip(*rows, strict=True)) or [()] * len(fields)
    arrays = [
        pa.array(_converted(column, field.type), field.type)
        for column, field in zip(columns, fields, strict=True)
    ]
    return pa.table(arrays, schema=fields)


def _converted(column: Sequence[Any], kind: pa.DataType) -> list[Any]:
    import pyarrow as pa

    convert: Callable[[Any], Any] | None = None
    if pa.types.is_integer(kind):
        convert = int
    elif pa.types.is_floating(kind):
        convert = float
    elif pa.types.is_decimal(kind):
        convert = Decimal
    elif pa.types.is_string(kind):
        convert = str
    if convert is None:
        return list(column)
    return [None if each is None else convert(each) for each in column]


def check_unfolded(query: ir.Table, *, most: int, title: str) -> None:
    """Refuse columns that are derived of each other so often that an engine would not end."""
    sizes = query.op().map(_size)
    if any(isinstance(each, int) and each > most for each in sizes.values()):
        raise InputError(
            "E-QUESTION-TOO-LARGE",
            "the columns that the query derives build on each other so often that {title} "
            "could take hours over it",
            "derive them in fewer steps, or ask a file or a frame",
            title=title,
        )


def _size(node: Any, found: Mapping[Any, Any], **of: Any) -> int | dict[str, int]:
    """Return of how many operations a value is, written out; of a table those of each column.

    What is added up, or kept apart by LIMIT, is not written out.
    """
    import ibis.expr.operations as ops

    if isinstance(node, ops.Field):
        return int(of["rel"][node.name])
    if not isinstance(node, ops.Relation):
        return 1 + sum(_inside(each, found) for each in node.args)
    if isinstance(node, (ops.Project, ops.JoinChain)):
        return dict(of["values"])
    if isinstance(node, (ops.Filter, ops.Distinct, ops.JoinReference)):
        return dict(of["parent"])
    return dict.fromkeys(node.schema, 1)


def _inside(argument: Any, found: Mapping[Any, Any]) -> int:
    """Return of how many operations an argument is; one that is no value counts for none."""
    import ibis.expr.operations as ops

    if isinstance(argument, tuple):
        return sum(_inside(each, found) for each in argument)
    return int(found[argument]) if isinstance(argument, ops.Value) else 0


def capital(letter: str) -> str:
    """Return the one letter that stands for a letter in capitals, where several would."""
    if letter == "ß":
        return "ẞ"
    return next((each for each in (letter.upper(), letter.title()) if len(each) == 1), letter)
