"""What was released: noisy sums, choices, groups, and what was found on the way."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sfumato.audit.certificate.parts import Part, refute
from sfumato.audit.certificate.reading import loaded

__all__ = ["Content", "declared_value", "plain_value", "read_content"]

_FIELDS = ("version", "keys", "sums", "limits", "bounds", "sampled", "cells", "seeded")
_LONGEST = 4000
#: Without an exponent, which could stand for more digits than there is memory.
_FRACTION = re.compile(r"-?[0-9]+(/[1-9][0-9]*)?")


@dataclass(frozen=True)
class Content:
    """What was released, and nothing else.

    Parameters
    ----------
    keys
        The groups.
    sums
        What was measured, with noise, in fine steps: one column a measurement, one number a group.
    cells
        What was chosen or counted in cells, group by group.
    limits, bounds
        What was chosen and found privately, by name.
    sampled
        The answers of functions, by name.
    seeded
        Whether the noise came from a seed.
    """

    keys: tuple[tuple[Any, ...], ...]
    sums: tuple[tuple[int, ...], ...]
    cells: tuple[tuple[int, ...], ...]
    limits: dict[str, int]
    bounds: dict[str, tuple[Fraction, Fraction]]
    sampled: dict[str, float]
    seeded: bool


def read_content(text: str) -> Content:
    """Return what was released; a text in any other form is refused."""
    document = loaded(text)
    part = Part(document, "content").record(*_FIELDS)
    if json.dumps(document, sort_keys=True, separators=(",", ":")) != text:
        refute("content is not in the form in which sfumato writes it")
    if part["version"].whole() != 1:
        refute("content is of another version than this program reads")
    return Content(
        keys=tuple(tuple(map(plain_value, row.list())) for row in part["keys"].list()),
        sums=_columns(part["sums"]),
        cells=_columns(part["cells"]),
        limits={name: _limit(each) for name, each in part["limits"].items()},
        bounds={name: _bounds(each) for name, each in part["bounds"].items()},
        sampled={name: _number(each) for name, each in part["sampled"].items()},
        seeded=part["seeded"].flag(),
    )


def plain_value(part: Part) -> Any:
    """Return a value of an answer; a date with the word for it, so that it is no text."""
    if isinstance(part.value, dict):
        kind = "date" if "date" in part.value else "timestamp"
        return kind, part.record(kind)[kind].text()
    if isinstance(part.value, list):
        refute("{name} is no value", name=part.name)
    return part.value


def declared_value(value: Any, kind: Any) -> Any:
    """Return a value of a column of a type as an answer has it."""
    return (kind, value) if kind in ("date", "timestamp") else value


def _columns(part: Part) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(map(_whole, column.list())) for column in part.list())


def _whole(part: Part) -> int:
    text = part.text()
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(text) < _LONGEST):
        refute("{name} is not a whole number", name=part.name)
    if str(int(text)) != text:
        refute("{name} is not a whole number as sfumato writes it", name=part.name)
    return int(text)


def _limit(part: Part) -> int:
    most, left_out, at_most = _several(part, 3)
    if not 0 <= _number(left_out) <= _number(at_most) <= 1:
        refute("{name} leaves out what is no share", name=part.name)
    return most.whole(1)


def _bounds(part: Part) -> tuple[Fraction, Fraction]:
    low, high, left_out, at_most, seen = _several(part, 5)
    seen.flag()
    if not (0 <= _number(left_out) <= 1 and 0 <= _number(at_most) <= 1):
        refute("{name} leaves out what is no share", name=part.name)
    ends = _fraction(low), _fraction(high)
    if not ends[0] < ends[1]:
        refute("{name} is not two numbers, the lower one first", name=part.name)
    return ends


def _fraction(part: Part) -> Fraction:
    text = part.text()
    if len(text) > _LONGEST or not _FRACTION.fullmatch(text):
        refute("{name} is no number", name=part.name)
    found = Fraction(text)
    if str(found) != text:
        refute("{name} is not a number as sfumato writes it", name=part.name)
    return found


def _number(part: Part) -> float:
    if type(part.value) not in (int, float) or not math.isfinite(part.value):
        refute("{name} is no number", name=part.name)
    return float(part.value)


def _several(part: Part, count: int) -> list[Part]:
    found = part.list()
    if len(found) != count:
        refute(
            "{name} has {count} parts, and not {expected}",
            name=part.name,
            count=len(found),
            expected=count,
        )
    return found
