"""How uncertain some columns are: the figures, and the sentences that say them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sfumato.application.report import ExactReport
from sfumato.printing.wording import counted, listed, rounded, setting
from sfumato.translation import mark, said, tr

__all__ = ["EntropyReport"]

_NAMES = {
    0: mark("Hartley entropy"),
    1: mark("entropy"),
    2: mark("collision entropy"),
    math.inf: mark("min-entropy"),
}


@dataclass(frozen=True, kw_only=True)
class EntropyReport(ExactReport):
    """How uncertain some columns are, perhaps once others are known.

    Attributes
    ----------
    value
        The entropy of ``columns``; given ``given``, where columns are given.
    rows, outcomes
        How many rows were counted, and how many combinations of ``columns`` they show.
    given
        The columns that are known.
    groups
        How many combinations of ``given`` occur.
    prior
        The entropy of ``columns`` while nothing is known.
    learned
        What knowing ``given`` takes off it; at order 1 the mutual information.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.application import measure_entropy
    >>> report = measure_entropy(pd.DataFrame({"coin": ["heads", "tails"]}), columns=["coin"])
    >>> report.value, report.unit, report.outcomes
    (1.0, 'bits', 2)
    """

    value: float
    rows: int
    outcomes: int
    given: tuple[str, ...] = ()
    groups: int | None = None
    prior: float | None = None
    learned: float | None = None

    def findings(self) -> list[str]:
        """Return the report as sentences, the answer first.

        Examples
        --------
        >>> import pandas as pd
        >>> from sfumato.application import measure_entropy
        >>> print(measure_entropy(pd.DataFrame({"coin": ["heads", "tails"]}), columns="coin"))
        entropy of coin: 1.000 bits
        as uncertain as a choice among 2 equally likely outcomes
        2 rows, 2 outcomes
        each row is one observation
        not private: exact figures, for the data owner
        """
        choices = f"{self.base**self.value:.4g}"
        return [
            self._headline(),
            tr("as uncertain as a choice among {choices} equally likely outcomes", choices=choices),
            *self._what_was_learned(),
            self._counts(),
            *super().findings(),
        ]

    def _headline(self) -> str:
        name = said(
            _NAMES.get(self.order)
            or tr("Rényi entropy of order {order}", order=setting(self.order))
        )
        known = tr(" given {given}", given=listed(self.given)) if self.given else ""
        return tr(
            "{name} of {columns}{known}: {value} {unit}",
            name=name,
            columns=listed(self.columns),
            known=known,
            value=rounded(self.value),
            unit=self.unit,
        )

    def _what_was_learned(self) -> list[str]:
        if self.prior is None or self.learned is None:
            return []
        sentence = tr(
            "knowing {given} lowers the uncertainty about {columns} from {prior} to "
            "{value} {unit}, by {learned}",
            given=listed(self.given),
            columns=listed(self.columns),
            prior=rounded(self.prior),
            value=rounded(self.value),
            unit=self.unit,
            learned=rounded(self.learned),
        )
        return [sentence]

    def _counts(self) -> str:
        counts = f"{counted(self.rows, 'row')}, {counted(self.outcomes, 'outcome')}"
        if self.groups is None:
            return counts
        return tr(
            "{counts}; {groups}",
            counts=counts,
            groups=counted(self.groups, "equivalence class"),
        )
