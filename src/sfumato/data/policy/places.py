"""Where what was spent on a table is kept."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from sfumato.data.policy.wording import refusal
from sfumato.errors import InputError
from sfumato.translation import mark

__all__ = ["LedgerPlace"]

_PASSWORD = re.compile(r"://[^/@]*:[^/@]*@|password=", re.IGNORECASE)


@dataclass(frozen=True)
class LedgerPlace:
    """Which book of which ledger keeps account of a table; None where it is not declared.

    Parameters
    ----------
    path
        The path of a file, or ``postgresql://user@host/database`` without a password.
    book
        The name of the book in it.
    analyst
        Who asks, where nobody else is named.

    Examples
    --------
    >>> from sfumato.data.policy import LedgerPlace
    >>> LedgerPlace(path="ledger.db", book="patients").analyst is None
    True
    """

    path: str | None = None
    book: str | None = None
    analyst: str | None = None

    def __post_init__(self) -> None:
        if isinstance(self.path, Path):
            object.__setattr__(self, "path", str(self.path))
        for each in fields(self):
            given = getattr(self, each.name)
            if given is not None and not _is_name(given):
                raise refusal(
                    given, what=each.name, allowed=mark("text"), write=_EXAMPLES[each.name]
                )
        if self.path is not None and _PASSWORD.search(self.path):
            raise InputError(
                "E-ADDRESS-PASSWORD",
                "path has a password in it, which a policy should not",
                "write postgresql://user@host/database and keep the password in PGPASSWORD",
            )

    def inside(self, folder: Path) -> LedgerPlace:
        """Return the place with a path that no longer depends on where the policy lies.

        Examples
        --------
        >>> from pathlib import Path
        >>> from sfumato.data.policy import LedgerPlace
        >>> LedgerPlace(path="ledger.db").inside(Path("clinic")).path == str(
        ...     Path("clinic") / "ledger.db")
        True
        """
        if self.path is None or "://" in self.path or self.path.startswith("~"):
            return self
        return LedgerPlace(str(folder / self.path), self.book, self.analyst)


_EXAMPLES = {"path": '"ledger.db"', "book": '"patients"', "analyst": '"ada"'}


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()
