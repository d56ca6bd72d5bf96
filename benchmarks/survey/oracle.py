"""One protocol of one library: what a person does, and what is made of all reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True)
class Oracle:
    """A report of one answer, and the shares of all choices from many reports."""

    report: Callable[[int], Any]
    shares: Callable[[Sequence[Any]], Any]
