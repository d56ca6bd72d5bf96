"""What is done to released rows: post-processing, which costs nothing."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from sfumato.errors import UnknownNameError

#: What a released column can be compared with.
Compared = bool | int | float | str | dt.date | dt.datetime

_SIGNS = ("<", "<=", ">", ">=", "=", "==", "<>", "!=")


@dataclass(frozen=True)
class SortBy:
    """Order the rows of the answer by one of its columns."""

    name: str
    descending: bool = False

    def __str__(self) -> str:
        return f"order by {self.name}" + (", greatest first" if self.descending else "")


@dataclass(frozen=True)
class Head:
    """Keep the first rows of the answer."""

    count: int

    def __str__(self) -> str:
        return f"the first {self.count}"


@dataclass(frozen=True)
class Having:
    """Keep the rows of the answer in which a released column compares to a value of its type."""

    name: str
    sign: str
    value: Compared

    def __post_init__(self) -> None:
        if self.sign not in _SIGNS:
            raise UnknownNameError(kind="sign", name=self.sign, known=_SIGNS)

    def __str__(self) -> str:
        return f"having {self.name} {self.sign} {self.value}"


@dataclass(frozen=True)
class NonNegative:
    """Show what cannot be below 0, counts and sums of what is not, as 0 where noise made it so."""

    def __str__(self) -> str:
        return "not below 0"


#: What is done to released rows.
After = SortBy | Head | Having | NonNegative
