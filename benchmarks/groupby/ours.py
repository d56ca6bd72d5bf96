"""Ours: the limits declared, or chosen privately; the keys declared, or found privately."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from benchmarks.groupby.task import (
    DELTA,
    EPSILON,
    GROUPS,
    HIGH,
    LOW,
    MOST_GROUPS,
    MOST_ROWS_EACH,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.groupby.task import Answer

KEYS = {"keys": {"grp": list(range(GROUPS))}}
LIMITS = {"limits": {"groups": MOST_GROUPS, "rows_per_group": MOST_ROWS_EACH}}
#: What is declared of the table, and what the answer may cost beside ε.
WAYS: dict[str, tuple[dict[str, Any], dict[str, float]]] = {
    "declared": (KEYS | LIMITS, {}),
    "chosen": (KEYS, {}),
    "unknown": (LIMITS, {"delta": DELTA}),
}


def asker(way: str) -> Callable[[str], Answer]:
    """Return a function of a file: the private answer."""
    declared, cost = WAYS[way]
    return partial(_answer, import_module("sfumato"), declared, cost)


def _answer(package: Any, declared: dict[str, Any], cost: dict[str, float], path: str) -> Answer:
    table = package.table(path, unit="person", bounds={"x": (LOW, HIGH)}, **declared)
    asked = {"n": package.count(), "s": package.sum("x"), "m": package.mean("x")}
    release = table.group_by("grp").agg(**asked).release(epsilon=EPSILON, **cost)
    return list(zip(*(release[name] for name in ("grp", *asked)), strict=True))
