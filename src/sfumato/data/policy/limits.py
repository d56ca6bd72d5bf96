"""How much of one person counts."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from numbers import Integral
from typing import Any, Literal

from sfumato.data.policy.bounds import AUTO
from sfumato.data.policy.wording import refusal
from sfumato.refusal import Argument, text

__all__ = ["Limits"]

_GREATEST = 10**9


@dataclass(frozen=True)
class Limits:
    """How much of one person counts; None where it is not declared.

    Parameters
    ----------
    rows
        The most rows of a person over all groups, or "auto" to choose it privately.
    groups
        The most groups that a person is in.
    rows_per_group
        The most rows of a person in one group.

    Examples
    --------
    >>> from sfumato.data.policy import Limits
    >>> Limits(rows=50, groups=5)
    Limits(rows=50, groups=5, rows_per_group=None)
    """

    rows: int | Literal["auto"] | None = None
    groups: int | None = None
    rows_per_group: int | None = None

    def __post_init__(self) -> None:
        for each in fields(self):
            given = getattr(self, each.name)
            if given is not None and not (each.name == "rows" and _is_auto(given)):
                object.__setattr__(self, each.name, _read_limit(given, each.name))

    def with_changes(self, changes: Limits) -> Limits:
        """Return these limits, with those that ``changes`` declares in their place.

        Examples
        --------
        >>> from sfumato.data.policy import Limits
        >>> Limits(rows=50, groups=5).with_changes(Limits(groups=2))
        Limits(rows=50, groups=2, rows_per_group=None)
        """
        declared = {each.name: getattr(changes, each.name) for each in fields(changes)}
        return replace(self, **{name: each for name, each in declared.items() if each is not None})

    @property
    def are_declared(self) -> bool:
        """Whether any is declared.

        Examples
        --------
        >>> from sfumato.data.policy import Limits
        >>> Limits().are_declared, Limits(rows=1).are_declared
        (False, True)
        """
        return self != Limits()


def _is_auto(value: Any) -> bool:
    return isinstance(value, str) and value == AUTO


def _read_limit(value: Any, name: str) -> int:
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or not 1 <= value <= _GREATEST:
        allowed = text("a whole number from 1 to {greatest:,}", greatest=_GREATEST)
        if name == "rows":
            allowed = text('{whole}, or "auto"', whole=allowed)
        raise refusal(value, what=Argument(name), allowed=allowed, write="5")
    return int(value)
