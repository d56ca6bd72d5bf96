"""Arithmetic at the ends of what a double can hold, on thousands of numbers made to be nasty."""

from __future__ import annotations

import math
import os
import struct
from random import Random
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from sfumato.tables.expressions import col, compile_expression
from tests.engines import ENGINES

if TYPE_CHECKING:
    from sfumato.tables import PrivateTable
    from tests.engines import Engines

COUNT = 60_000 if os.environ.get("SFUMATO_TEST_PROFILE") == "sweep" else 2_000
LEAST, MOST = 5e-324, 1.7976931348623157e308
ENDS = [0.0, -0.0, LEAST, MOST, -MOST, 2.2250738585072014e-308, 1.0, math.inf, -math.inf]
POWERS = [-1074, -1060, -538, -500, -512, 500, 512, 1020, 1023, 0]
TYPES = {"n": "integer", "a": "number", "b": "number"}
a, b = col("a"), col("b")
#: What must be the same to the last bit, and what is the business of a library of functions.
EXACT = {
    "sum": a + b,
    "difference": a - b,
    "quotient": a / b,
    "remainder": a % b,
    "round": a.round(),
}
NEAR = {"product": a * b, "power": a**b, "exp": a.exp(), "both": a * b + a, "digits": a.round(3)}


def nasty(random: Random) -> float:
    kind = random.random()
    if kind < 0.5:
        (found,) = struct.unpack("d", random.randbytes(8))
        return float(found)
    if kind < 0.7:
        edge = random.choice([1, 1 - 2**-53, 1 + 2**-52, 0.75])
        return math.ldexp(edge, random.randint(-1073, 1023)) * random.choice([1, -1])
    if kind < 0.8:
        return random.choice(ENDS)
    return math.ldexp(random.random(), random.choice(POWERS)) * random.choice([1, -1])


def partner(value: float, random: Random) -> float:
    """A number whose product or quotient with another is at the end of all numbers."""
    if random.random() < 0.6 or value == 0 or not math.isfinite(1 / value):
        return nasty(random)
    scaled, power = math.frexp(1 / value)
    power += random.choice([1023, 1024, -1073, -1074, 0])
    return math.ldexp(scaled, max(min(power, 1024), -1073))


def numbers() -> pa.Table:
    random = Random(7)  # noqa: S311
    first = [nasty(random) for _ in range(COUNT)]
    second = [partner(each, random) for each in first]
    return pa.table({"n": list(range(COUNT)), "a": first, "b": second})


def answers(table: PrivateTable) -> pa.Table:
    source = table.source
    asked = {
        name: compile_expression(each, source.table, TYPES) for name, each in (EXACT | NEAR).items()
    }
    return source.fetch(source.table.select(n=source.table["n"], **asked)).sort_by("n")


def near(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=1e-12, abs_tol=LEAST)


@pytest.mark.parametrize("engine", ENGINES[1:])
def test_the_ends_of_all_doubles_are_the_same_everywhere(engines: Engines, engine: str) -> None:
    rows = numbers()
    ours, theirs = (answers(engines.held(each, rows, unit="row")) for each in (engine, "duckdb"))
    for name in EXACT:
        assert ours[name].to_pylist() == theirs[name].to_pylist(), name
    for name in NEAR:
        pairs = zip(ours[name].to_pylist(), theirs[name].to_pylist(), strict=True)
        assert all(near(*each) for each in pairs), name
    for name in (*EXACT, *NEAR):
        assert 0 < ours[name].null_count < COUNT
