"""A number of every piece into which bands, numbers and prefixes cut a column."""

from __future__ import annotations

import re
from decimal import Decimal, localcontext
from itertools import pairwise
from typing import TYPE_CHECKING

from sfumato.risk.attacks.cells import Cell
from sfumato.risk.attacks.stretches import point

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.risk.attacks.stretches import Span

__all__ = ["around", "ends_of", "is_numeric", "numbers_between"]

_BEGINNING = re.compile(r"(-?)(\d+)(\.\d*)?")
_FRACTION = re.compile(r"\.\d|\d\.|[eE]")
_DIGITS = re.compile(r"\d+")


def is_numeric(prefix: str) -> bool:
    """Tell whether a number can begin so."""
    return _BEGINNING.fullmatch(prefix) is not None


def numbers_between(parts: Sequence[Cell], prefixes: Sequence[str]) -> Iterator[Cell]:
    """Yield numbers: one at least of every piece into which bands and prefixes cut them.

    Parameters
    ----------
    parts
        The bands and the numbers of a column.
    prefixes
        What some of its values begin with.
    """
    beginnings = [each for each in prefixes if is_numeric(each)]
    widths = _widths([each.text for each in parts], beginnings)
    ends = ends_of([each.numbers for each in parts if each.numbers])
    longest = max([0, *widths, *(each.adjusted() + 2 for each in ends)])
    with localcontext(prec=_precision(ends, [*beginnings, "1" * longest])):
        for prefix in beginnings:
            ends |= _ends_of_prefix(prefix, longest)
        found = around(ends, whole=not any("." in each for each in beginnings))
        cells = [_written(each, width) for each in found for width in widths]
    yield from (cell for cell in cells if cell is not None)
    yield from (Cell(f"{each}0", numbers=point(f"{each}0")) for each in beginnings if "." in each)


def _widths(texts: Sequence[str], prefixes: Sequence[str]) -> list[int]:
    """Return how long the codes of a column are that begin with 0; 0 for numbers as they are."""
    plain = [each.replace("..", " ") for each in texts]
    if any(_FRACTION.search(each) for each in plain):
        return [0]
    runs = {run for each in plain for run in _DIGITS.findall(each)}
    lengths = sorted({len(run) for run in runs})
    if any(run[0] == "0" and len(run) > 1 for run in runs):
        return lengths if len(lengths) == 1 else [0, *lengths]
    return [0, *lengths] if any(each.startswith("0") for each in prefixes) else [0]


def _precision(ends: set[Decimal], texts: Sequence[str]) -> int:
    """Return how many digits are enough to add and halve such numbers exactly."""
    exponents = [abs(int(each.as_tuple().exponent)) for each in ends]
    digits = [len(each.as_tuple().digits) for each in ends]
    return max([0, *exponents]) + max([0, *digits]) + max(map(len, texts)) + 28


def _ends_of_prefix(prefix: str, longest: int) -> set[Decimal]:
    """Return where numbers that begin with a prefix begin and end."""
    found = _BEGINNING.fullmatch(prefix)
    if found is None:
        return set()
    sign, digits, fraction = -1 if found[1] else 1, found[2], found[3]
    if fraction is not None:
        low = Decimal(f"{digits}{fraction}0")
        return {sign * low, sign * (low + Decimal(10) ** (1 - len(fraction)))}
    ends = set()
    for zeros in range(max(longest - len(digits), 0) + 1):
        low = int(digits) * 10**zeros
        ends |= {Decimal(sign * low), Decimal(sign * (low + 10**zeros - 1))}
    return ends


def ends_of(spans: Sequence[Span]) -> set[Decimal]:
    """Return where stretches begin and end."""
    return {end for span in spans for end, _ in span if end.is_finite()}


def around(ends: set[Decimal], *, whole: bool = True) -> list[Decimal]:
    """Return the ends and a number between any two of them; whole ones if all ends are."""
    if whole and all(end == end.to_integral_value() for end in ends):
        return sorted({near for end in ends for near in (end - 1, end, end + 1)})
    ordered = sorted(ends)
    between = [(low + high) / 2 for low, high in pairwise(ordered)]
    return sorted({*ordered, *between, ordered[0] - 1, ordered[-1] + 1})


def _written(number: Decimal, width: int) -> Cell | None:
    """Return a number, as a code of so many digits where it is one; None if it cannot be."""
    text = f"{number:f}".zfill(width)
    if width and (number < 0 or len(text) > width):
        return None
    return Cell(text, numbers=((number, 0), (number, 0)))
