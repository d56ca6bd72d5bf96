"""Random questions to a private table, typed: every function, cast and aggregate of the language.

The functions are read off the language's own table, so that a new one is met by itself.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa

import sfumato as sf
from sfumato.tables.expressions import Case, Cast, Column, Expression, FunctionCall, col, lit
from sfumato.tables.expressions.functions import DOUBLES, FUNCTIONS, OneOfTypes, Text, Whole
from sfumato.tables.expressions.guards import CASTS
from tests.totality.cells import NAME, PERSON, TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from sfumato.tables import PrivateTable, Query
    from sfumato.tables.expressions.functions import Parameter, Signature

KINDS = ("integer", "number", "text", "boolean", "date", "timestamp")
_LITERALS: dict[str, list[Any]] = {
    "integer": [0, 1, -1, 2, 7, 2**53 + 1, 2**63 - 1, -(2**63), 3652058, None],
    "number": [0.0, -0.0, 0.5, -2.5, 1.0, 1e300, 5e-324, 2.0**62, 1e22, 100.0, None],
    "text": ["", "a", "abc", "1", "2024-02-29", "%", "x" * 50, "nan", None],
    "boolean": [True, False, None],
    "date": [dt.date(1, 1, 1), dt.date(9999, 12, 31), dt.date(2000, 2, 29), None],
    "timestamp": [dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31, 23, 59, 59, 999999), None],
}
_PATTERNS = ["%", "_", "a%", r"\%a", "%1_", ""]
_EDGES = [-5, 0, 2.5, 4, 100]


@dataclass(frozen=True)
class Question:
    """One question, asked of any private table with the columns of ``cells``.

    Attributes
    ----------
    ask
        Makes it of a table.
    met
        How often each function, cast and aggregate is in it, over columns.
    """

    ask: Callable[[PrivateTable], Query]
    met: Counter[str]


class Writer:
    """Writes random questions."""

    def __init__(self, random: Random, *, columns: frozenset[str], people: bool) -> None:
        self._random = random
        self._people = people
        self._columns = {name: kind for name, kind in TYPES.items() if name in columns}

    def question(self) -> Question:
        """A question: steps, groups and one or two aggregates."""
        met: Counter[str] = Counter()
        steps = [self._step(met) for _ in range(self._random.choice([0, 1, 1, 1, 2]))]
        group, ask = self._grouped(met), self._aggregates(met)
        after = met["group_by"] > 0 and not met["histogram"] and self._random.random() < 0.3

        def asked(table: PrivateTable) -> Query:
            for step in steps:
                table = step(table)
            query = group(table, ask())
            return query.having("a0", ">", 0) if after else query

        return Question(asked, met)

    def expression(self, kind: str, depth: int) -> Expression:
        """An expression of a type, at most so deep."""
        choice = self._random.random()
        if depth == 0 or choice < 0.12:
            return self._leaf(kind)
        if choice < 0.25:
            return self._cast(kind, depth)
        if choice < 0.33:
            condition = self.expression("boolean", depth - 1)
            values = [self.expression(kind, depth - 1) for _ in range(2)]
            return Case(((condition, values[0]),), values[1])
        name, form = self._random.choice(_forms()[kind])
        return self._call(name, form, kind, depth)

    def _depth(self) -> int:
        return self._random.choice([1, 1, 2, 2, 3])

    def _leaf(self, kind: str) -> Expression:
        names = [name for name, each in self._columns.items() if each == kind]
        if names and self._random.random() < 0.88:
            return col(self._random.choice(names))
        return lit(self._random.choice(_LITERALS[kind]))

    def _cast(self, kind: str, depth: int) -> Expression:
        start = self._random.choice([one for one, to in CASTS if to == kind])
        return Cast(self.expression(start, depth - 1), kind)

    def _call(self, name: str, form: Signature, kind: str, depth: int) -> Expression:
        count = len(form.parameters) + (self._random.randrange(3) if form.repeats else 0)
        parts = [self._argument(each, depth) for each in form.parameters_for(count)]
        if name.startswith(("less", "greater", "between")) and form.parameters[0] == "text":
            # A column of texts that is put in order is cast, which says that letters are meant.
            parts = [Cast(each, "text") if isinstance(each, Column) else each for each in parts]
        return FunctionCall(name, tuple(parts))

    def _argument(self, parameter: Parameter, depth: int) -> Expression:
        if isinstance(parameter, Whole):
            return lit(self._random.choice([parameter.least, min(parameter.most, 3)]))
        if isinstance(parameter, Text):
            return lit(self._random.choice(_PATTERNS))
        if isinstance(parameter, OneOfTypes):
            return lit(self._random.choice(parameter.words))
        kind = {"piece": "text"}.get(parameter, "number" if parameter in DOUBLES else parameter)
        if kind == "number" and self._random.random() < 0.2:
            kind = "integer"
        return self.expression(kind, depth - 1)

    def _step(self, met: Counter[str]) -> Callable[[PrivateTable], PrivateTable]:
        choice = self._random.random()
        if choice < 0.6:
            condition = self._aimed(self.expression("boolean", self._depth()))
            met.update(functions(condition))
            return lambda table: table.filter(condition)
        if choice < 0.8:
            derived = self.expression(self._random.choice(KINDS), self._depth())
            met.update(functions(derived))
            return lambda table: table.with_columns(extra=derived).filter(
                col("extra").is_not_null()
            )
        if choice < 0.9 or not self._people:
            met["join"] += 1
            return lambda table: table.join(_public(), on={"s": "letter"}, how="left")
        met["per_person"] += 1
        return self._per_person(met)

    def _aimed(self, condition: Expression) -> Expression:
        """A condition, often one about the one person alone."""
        who = self._random.choice([col("name") == NAME, col("id") == PERSON, lit(value=True)])
        choice = self._random.random()
        if choice < 0.4:
            return condition
        if choice < 0.7:
            return who & condition
        return Case(((who, condition),), lit(value=False))

    def _per_person(self, met: Counter[str]) -> Callable[[PrivateTable], PrivateTable]:
        value = self.expression(self._random.choice(["number", "integer"]), 2)
        met.update(functions(value))
        made = _MADE[self._random.choice(["sum", "mean", "minimum", "maximum"])]
        return lambda table: _again(table, made(value))

    def _grouped(self, met: Counter[str]) -> Callable[[PrivateTable, dict[str, Any]], Query]:
        choice = self._random.random()
        if choice < 0.6:
            return lambda table, asked: table.agg(**asked)
        kind = self._random.choice(["integer", "text", "boolean", "date"])
        key = self.expression(kind, 2)
        met.update(functions(key))
        met["group_by"] += 1
        values = [each for each in _LITERALS[kind] if each is not None][:3]

        def group(table: PrivateTable, asked: dict[str, Any]) -> Query:
            keyed = table.with_columns(key=key).declare(keys={"key": values})
            return keyed.group_by("key").agg(**asked)

        return group

    def _aggregates(self, met: Counter[str]) -> Callable[[], dict[str, Any]]:
        made = [self._aggregate(met) for _ in range(self._random.choice([1, 1, 1, 2]))]
        return lambda: {f"a{place}": each() for place, each in enumerate(made)}

    def _aggregate(self, met: Counter[str]) -> Callable[[], Any]:
        name = self._random.choice([*_AGGREGATES, "count", "count"])
        kind = self._random.choice(_AGGREGATES[name])
        value = self.expression(kind, self._depth())
        met.update(functions(value))
        met[name] += 1
        if name == "covariance":
            other = self.expression("number", 2)
            return lambda: sf.tables.covariance(value, other, bounds=(-4, 9), other_bounds=(-4, 9))
        if name == "top_k":
            values = [each for each in _LITERALS[kind] if each is not None][:3]
            return lambda: sf.tables.top_k(value, 1, values=values)
        return lambda: _MADE[name](value)


_AGGREGATES: dict[str, tuple[str, ...]] = {
    "count": KINDS,
    "sum": ("number", "integer", "boolean"),
    "mean": ("number", "integer", "boolean"),
    "variance": ("number", "integer"),
    "covariance": ("number",),
    "median": ("number", "integer"),
    "minimum": ("number", "integer"),
    "maximum": ("number", "integer"),
    "histogram": ("number", "integer"),
    "top_k": ("text", "integer", "boolean"),
}
_MADE: dict[str, Callable[[Expression], Any]] = {
    "count": sf.count,
    "sum": lambda value: sf.sum(value, bounds=(-4, 9)),
    "mean": lambda value: sf.mean(value, bounds=(-4, 9)),
    "variance": lambda value: sf.variance(value, bounds=(-4, 9)),
    "median": lambda value: sf.median(value, bounds=(-4, 9)),
    "minimum": lambda value: sf.minimum(value, bounds=(-4, 9)),
    "maximum": lambda value: sf.maximum(value, bounds=(-4, 9)),
    "histogram": lambda value: sf.histogram(value, _EDGES),
}


@cache
def _forms() -> dict[str, list[tuple[str, Signature]]]:
    """The forms of functions by the type they give; those of doubles are as likely as three."""
    found: dict[str, list[tuple[str, Signature]]] = {kind: [] for kind in KINDS}
    for name, forms in FUNCTIONS.items():
        for form in forms:
            result = str(form.parameters[0]) if form.result == "same" else form.result
            kind = {"piece": "text"}.get(result, "number" if result in DOUBLES else result)
            of_doubles = any(each in DOUBLES for each in form.parameters)
            found[kind] += [(name, form)] * (3 if of_doubles else 1)
    return found


@cache
def _public() -> Any:
    return sf.public(pa.table({"letter": ["a", "b"], "beside": [1.5, 2.5]}))


def _again(table: PrivateTable, aggregate: Any) -> PrivateTable:
    """One row a person, with the columns that questions use made anew."""
    same = {name: sf.minimum(col(name)) for name in ("i", "x", "d")}
    made = table.per_person(extra=aggregate, **same)
    missing = {
        name: lit(_LITERALS[kind][0]) for name, kind in TYPES.items() if name not in {"id", *same}
    }
    return made.with_columns(**missing)


def functions(expression: Expression) -> Iterator[str]:
    """The functions and casts in an expression that are of a column, however deep."""
    if not expression.columns():
        return
    if isinstance(expression, FunctionCall):
        yield expression.function
    if isinstance(expression, Cast):
        yield f"cast to {expression.type}"
    if isinstance(expression, Case):
        yield "case"
    for part in expression.parts:
        yield from functions(part)


def all_met() -> frozenset[str]:
    """What a sweep must have met."""
    casts = (f"cast to {kind}" for _, kind in CASTS)
    more = ("case", "join", "per_person", "group_by", *_AGGREGATES)
    return frozenset([*FUNCTIONS, *casts, *more])
