"""The sweep: random questions, asked of neighbouring tables on every storage.

Whether a question is answered, what is said if it is not, and what it costs may not depend on one
person's rows.  What was planned is answered.  And of the same rows every storage of a family gives
the same sums.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from sfumato.data.engines.duck import BorrowedDuckDB
from sfumato.errors import SfumatoError
from sfumato.tables.run.execution import queries_of
from tests.totality.cells import neighbours
from tests.totality.questions import Writer
from tests.totality.storages import PEOPLE, ROWS, held_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pyarrow as pa

    from sfumato.tables import PrivateTable
    from tests.totality.questions import Question
    from tests.totality.storages import Storage

    Rows = Callable[[Random], tuple[pa.Table, pa.Table]]
    Agree = Callable[[Any, Any], bool]

_COMPLAINT = "the rows cannot be read"
_EPSILON = 1


def are_same(one: Any, other: Any) -> bool:
    """Whether sums are the same to the last bit, be they NaN."""
    return repr(one) == repr(other)


@dataclass(frozen=True)
class Outcome:
    """What came of a question: what is said or what it costs, and the sums before noise."""

    told: str
    failed: bool = False
    sums: Any = field(default=None, compare=False)


@dataclass
class Found:
    """What a sweep found: how often what was met, and where outcomes differ."""

    pairs: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    met: Counter[str] = field(default_factory=Counter)
    differing: list[str] = field(default_factory=list)

    def add(self, other: Found) -> None:
        """Add what another sweep found."""
        self.pairs.update(other.pairs)
        self.answered.update(other.answered)
        self.met.update(other.met)
        self.differing += other.differing


@dataclass(frozen=True)
class Pair:
    """Two neighbouring tables on one storage."""

    storage: Storage
    place: int
    tables: tuple[PrivateTable, PrivateTable]

    @property
    def columns(self) -> frozenset[str]:
        return held_columns(self.tables[0])


def sweep(
    storages: Sequence[Storage],
    *,
    seed: int,
    tables: int,
    questions: int,
    people: bool = False,
    rows: Rows = neighbours,
    agree: Agree = are_same,
) -> Found:
    """Ask so many questions of so many pairs of tables, all of them held by every storage.

    Parameters
    ----------
    people
        Whether a person owns several rows, which are bounded together; the questions are longer.
    rows
        What makes two neighbouring tables.
    agree
        When sums of two storages are the same.

    Notes
    -----
    The words of a question are written once for a family of storages, which takes longer than to
    ask it.  A frame has words of its own, so that one pair of tables is asked of frames.
    """
    found = Found()
    random = Random(seed)  # noqa: S311 - questions are no secret
    declared = PEOPLE if people else ROWS
    with tempfile.TemporaryDirectory() as folder:
        made = [rows(random) for _ in range(tables)]
        families = _families(storages, made, declared, Path(folder))
        pairs = [pair for family in families.values() for pair in family]
        common = frozenset.intersection(*(each.columns for each in pairs))
        writer = Writer(random, columns=common, people=people)
        for _ in range(questions):
            question = writer.question()
            for family in families.values():
                _compare(question, family, found, agree)
    return found


def _families(
    storages: Sequence[Storage],
    tables: list[tuple[pa.Table, pa.Table]],
    declared: dict[str, Any],
    folder: Path,
) -> dict[str, list[Pair]]:
    """Every storage with every pair of tables, those of a family together."""
    families: dict[str, list[Pair]] = {}
    for storage in storages:
        for place, rows in enumerate(tables if storage.is_file else tables[:1]):
            own = folder / f"{storage.name} {place}"
            held = [
                storage.hold(each, _made(own / str(n)), declared) for n, each in enumerate(rows)
            ]
            pair = Pair(storage, place, (held[0], held[1]))
            families.setdefault(storage.family, []).append(pair)
    return families


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def _compare(question: Question, family: list[Pair], found: Found, agree: Agree) -> None:
    """Ask both tables of each pair, and hold sums of the same rows against each other."""
    asked = Asked(question, family[0].tables[0])
    sums: dict[int, tuple[str, Any]] = {}
    for pair in family:
        before, after = (asked.of(table) for table in pair.tables)
        name = pair.storage.name
        found.pairs[name] += 1
        if before != after or after.failed:
            found.differing.append(f"{name}: {before.told} / {after.told}: {asked}")
        elif after.sums is not None:
            found.answered[name] += 1
            found.met.update(question.met)
            first, expected = sums.setdefault(pair.place, (name, after.sums))
            if not agree(after.sums, expected):
                found.differing.append(f"{first}, {name} add up otherwise: {asked}")


class Asked:
    """A question in the words of a family of storages, which are written once."""

    def __init__(self, question: Question, table: PrivateTable) -> None:
        self.question = question
        self._table = table
        self._refused = ""
        self._queries: list[Any] = []
        self._statements: list[str] | None = None
        try:
            plan = question.ask(table).plan(epsilon=_EPSILON)
            self._cost = str(plan.guarantee)
            self._queries = [query for _, query in queries_of(plan)]
        except SfumatoError as error:
            self._refused = f"{type(error).__name__}: {error}"

    def of(self, table: PrivateTable) -> Outcome:
        """What comes of it on a table."""
        if self._refused:
            return Outcome(self._refused)
        try:
            sums = self._sums(table)
        except SfumatoError as error:
            return Outcome(f"{self._cost}, {type(error).__name__}: {error}", failed=True)
        return Outcome(self._cost, sums=sums)

    def _sums(self, table: PrivateTable) -> list[Any]:
        if not self._has_common_words(table):
            plan = self.question.ask(table).plan(epsilon=_EPSILON)
            found = (table.source.fetch(query).to_pylist() for _, query in queries_of(plan))
            return [sorted((tuple(row.values()) for row in each), key=repr) for each in found]
        if self._statements is None:
            engine = self._table.source.engine
            self._statements = [engine.sql(query) for query in self._queries]
        return [_rows(table, each) for each in self._statements]

    def _has_common_words(self, table: PrivateTable) -> bool:
        """Whether all tables of the family are asked by one statement; public rows have names."""
        is_named = table.source.path or isinstance(table.source.engine, BorrowedDuckDB)
        return bool(is_named) and not self.question.met["join"]

    def __str__(self) -> str:
        said = self._refused or str(self.question.ask(self._table))
        return said[:600]


def _rows(table: PrivateTable, sql: str) -> list[Any]:
    """The lines of a statement, as the engine of a table is asked."""
    engine: Any = table.source.engine
    run = engine._backend.con.execute  # noqa: SLF001 - a statement is written once for a family
    found = engine.guarded(lambda: run(sql).fetchall(), _COMPLAINT)
    return sorted(found, key=repr)
