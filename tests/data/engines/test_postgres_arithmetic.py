"""What PostgreSQL is told of arithmetic raises on no number, however that came to be.

Guards are left out where constants of a query show that nothing can happen, and what is of
constants alone PostgreSQL works out when it plans, also in a branch that is never taken.
"""

from __future__ import annotations

import datetime as dt
import operator
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from sfumato.data.engines.postgres.ranges import ANY, Range, range_of
from sfumato.tables.expressions import FunctionCall, coalesce, col, lit, when
from tests.tables.engines.answering import differing
from tests.tables.engines.forms import every_form, with_constants
from tests.tables.engines.specials import (
    BESIDE,
    INTEGERS,
    LEAST,
    MOST,
    NUMBERS,
    TEXTS,
    TYPES,
    specials,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.tables.expressions import Expression
    from tests.engines import Engines

pytestmark = pytest.mark.full

x, y, b, i = (col(name) for name in "xybi")
OPERATORS: dict[str, Callable[[Expression, Expression], Expression]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
    "**": operator.pow,
    "//": operator.floordiv,
}
#: How a number can come to be, so that a guard might think too little of it.
SHAPES: dict[str, Callable[[Expression], Expression]] = {
    "its negative": operator.neg,
    "its size": abs,
    "digits of it": lambda e: e.round(2),
    "held on one side": lambda e: FunctionCall("clip", (e, lit(None), lit(1.0))),
    "held close to 0": lambda e: e.clip(-1e-200, 1e-200),
    "or else": lambda e: coalesce(e, 1.0),
    "the least": lambda e: FunctionCall("least", (e, lit(1.0))),
    "the greatest": lambda e: FunctionCall("greatest", (e, lit(1.0))),
    "chosen": lambda e: when(b, e).otherwise(1.0),
    "chosen elsewhere": lambda e: when(b, 1.0).otherwise(e),
    "chosen nowhere else": lambda e: when(b, 1.0).when(e > 0, e).otherwise(None),
    "beside a whole number": lambda e: when(b, i).otherwise(e),
    "a sum": lambda e: e + 1,
    "a product": lambda e: e * 0.5,
    "a quotient": lambda e: e / 3,
    "a root": lambda e: abs(e).sqrt(),
    "true or false": lambda e: (e > 0).cast("number"),
}
CONSTANTS = [each for each in NUMBERS if each is not None and abs(each) <= MOST]


@pytest.mark.parametrize("shape", SHAPES)
def test_no_number_overflows_however_it_came_to_be(engines: Engines, shape: str) -> None:
    rows, made = specials(), SHAPES[shape]
    asked = [
        each
        for apply in OPERATORS.values()
        for each in (apply(made(x), y), apply(y, made(x)), apply(made(x), made(y)))
    ]
    assert differing(engines.source("postgres", rows), rows, TYPES, asked) == {}


@pytest.mark.parametrize("name", OPERATORS)
def test_no_constant_makes_planning_fail(engines: Engines, name: str) -> None:
    rows, apply = specials(1), OPERATORS[name]
    asked = [each for c in CONSTANTS for each in (apply(x, lit(c)), apply(lit(c), x))]
    asked += [apply(lit(c), lit(d)) for c, d in product([LEAST, 1e-300, 1e300, -MOST], repeat=2)]
    assert differing(engines.source("postgres", rows), rows, TYPES, asked) == {}


#: Constants of each type, in turns.
WRITTEN: dict[str, list[Any]] = {
    "i": [each for each in INTEGERS if each is not None],
    "x": CONSTANTS,
    "s": [each for each in TEXTS if each is not None],
    "b": [True, False],
    "d": [dt.date.min, dt.date.max, dt.date(2024, 2, 29), dt.date(1, 1, 2)],
    "m": [dt.datetime.min, dt.datetime.max, dt.datetime(2024, 2, 29, 23, 59, 59, 999_999)],
}


@pytest.mark.parametrize("turn", [1, 4, 11])
def test_no_function_of_constants_makes_planning_fail(engines: Engines, turn: int) -> None:
    rows = specials(1).slice(0, 2)
    forms = list(every_form({k: v for k, v in TYPES.items() if k != "n"}).values())
    asked = []
    for place, each in enumerate(forms):
        some = turn * place
        first = {name: values[some % len(values)] for name, values in WRITTEN.items()}
        other = {BESIDE[name]: v[(some // 2 + 1) % len(v)] for name, v in WRITTEN.items()}
        asked.append(with_constants(each, first | other))
    assert differing(engines.source("postgres", rows), rows, TYPES, asked) == {}


def test_what_vanishes_is_not_taken_for_nothing() -> None:
    small = Range(0.0, 1e-200, sure=True)
    assert not small.product_is_calm(small)
    assert not small.quotient_is_calm(Range(0.0, 1e200, 1e200, sure=True))
    nothing = Range(0.0, 0.0, float("inf"), sure=True)
    assert nothing.product_is_calm(small)
    assert not nothing.product_is_calm(ANY)


def test_a_choice_reaches_as_far_as_what_it_is_elsewhere() -> None:
    import ibis

    rows = ibis.table({"a": "float64", "b": "boolean"}, name="rows")
    one, column = ibis.literal(1.0), rows.a
    below = {one.op(): Range(1.0, 1.0, 1.0, sure=True), column.op(): ANY}
    chosen = ibis.cases((rows.b, one), else_=column).op()
    assert range_of(chosen, below).size == float("inf")
    alone = ibis.cases((rows.b, one)).op()
    assert range_of(alone, below) == Range(1.0, 1.0, 1.0)
