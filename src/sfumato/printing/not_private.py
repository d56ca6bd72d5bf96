"""What every result of exact figures about people wears: it is not private."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Literal

from sfumato.printing.printed import Printed

__all__ = ["NOT_PRIVATE", "NotPrivate"]

NOT_PRIVATE = "not private: exact figures, for the data owner"


class NotPrivate(Printed):
    """Exact figures about people: for the data owner only, and it says so wherever it is shown.

    Examples
    --------
    >>> from sfumato.printing.not_private import NotPrivate
    >>> class Rows(NotPrivate):
    ...     def findings(self):
    ...         return ["3 rows"]
    ...     def figures(self):
    ...         return {"rows": 3}
    >>> print(Rows())
    3 rows
    not private: exact figures, for the data owner
    >>> Rows().private, Rows().as_dict()
    (False, {'private': False, 'rows': 3})
    """

    private: ClassVar[Literal[False]] = False

    @abstractmethod
    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first."""

    @abstractmethod
    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON."""

    def lines(self) -> list[str]:
        """Return the findings, and that they are not private.

        Examples
        --------
        >>> import pandas as pd
        >>> from sfumato.application import measure_entropy
        >>> measure_entropy(pd.DataFrame({"coin": ["heads"]}), columns="coin").lines()[-1]
        'not private: exact figures, for the data owner'
        """
        return [*self.findings(), NOT_PRIVATE]

    def as_dict(self) -> dict[str, Any]:
        """Return the figures ready for JSON, and that they are not private.

        Examples
        --------
        >>> import pandas as pd
        >>> from sfumato.application import measure_entropy
        >>> measure_entropy(pd.DataFrame({"coin": ["heads"]}), columns="coin").as_dict()["private"]
        False
        """
        return {"private": self.private, **self.figures()}
