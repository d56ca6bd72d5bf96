"""What the classes of a table should be, and which of them are not."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal

from sfumato.errors import InputError, UnknownNameError
from sfumato.refusal import Argument

__all__ = ["DiversityName", "Targets", "check_targets"]

#: How diversity is counted.
DiversityName = Literal["distinct", "entropy"]

_DIVERSITIES = ("distinct", "entropy")


@dataclass(frozen=True)
class Targets:
    """What every equivalence class should be.

    Attributes
    ----------
    k
        Rows at least.
    l
        Different sensitive values at least; None for no such wish.
    t
        How far its sensitive values may be from those of the whole table; None for no such wish.
    diversity
        How different values are counted: "distinct", or "entropy".

    Examples
    --------
    >>> from sfumato.risk import Targets
    >>> print(Targets(5, l=2, t=0.3))
    k = 5, l = 2, t = 0.3
    """

    k: int
    l: float | None = None  # noqa: E741
    t: float | None = None
    diversity: DiversityName = "distinct"

    def __str__(self) -> str:
        parts = [f"k = {self.k:,}"]
        if self.l is not None:
            parts.append(f"{'entropy ' if self.diversity == 'entropy' else ''}l = {self.l:g}")
        if self.t is not None:
            parts.append(f"t = {self.t:g}")
        return ", ".join(parts)


def check_targets(targets: Targets, *, has_sensitive: bool) -> None:
    """Refuse targets that no table can have."""
    _check_k(targets.k)
    if targets.diversity not in _DIVERSITIES:
        raise UnknownNameError(kind="diversity", name=targets.diversity, known=_DIVERSITIES)
    if targets.l is not None and not (_is_number(targets.l) and 1 <= targets.l < float("inf")):
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{argument} counts different sensitive values, 1 or more",
            "it was {l!r:.60}",
            l=targets.l,
            argument=Argument("l"),
        )
    if targets.t is not None and not (_is_number(targets.t) and 0 <= targets.t <= 1):
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{argument} is a distance from 0 to 1",
            "{t!r:.60} is not",
            t=targets.t,
            argument=Argument("t"),
        )
    for name, target in (("l", targets.l), ("t", targets.t)):
        if target is not None and not has_sensitive:
            raise InputError(
                "E-SENSITIVE-MISSING",
                "{name} is about a sensitive column, and none is named",
                "name one, such as {sensitive}",
                name=Argument(name),
                sensitive=Argument("sensitive", "diagnosis"),
            )


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _check_k(k: int) -> None:
    if type(k) is not int or k < 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{argument} counts the rows of the smallest equivalence class, 1 or more",
            "it was {k!r:.60}",
            k=k,
            argument=Argument("k"),
        )
