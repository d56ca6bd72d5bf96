"""What every engine is: it runs queries, and what it has to say of a cell stays inside."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    import ibis.expr.types as ir
    import pyarrow as pa

    from sfumato.refusal import Given

    #: Answers a query that was made ready, with its lines by the names of the columns.
    Prepared = Callable[[], list[dict[str, Any]]]

__all__ = ["Engine"]


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
