"""How far apart two tables are: the figures, and the sentences that say them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sfumato.application.report import ExactReport
from sfumato.printing.wording import counted, figure, listed, setting
from sfumato.translation import mark, said, tr

__all__ = ["DivergenceReport"]

_NAMES = {1: mark("Kullback-Leibler divergence"), math.inf: mark("max divergence")}


@dataclass(frozen=True, kw_only=True)
class DivergenceReport(ExactReport):
    """How far apart two tables are, each way.

    Attributes
    ----------
    p_from_q, q_from_p
        The Rényi divergence D(P‖Q) and D(Q‖P); at order 1 Kullback–Leibler.
    max_p_from_q, max_q_from_p
        The max divergence each way, δ-approximate.
    statistical_distance
        The greatest difference of probability that any event shows.
    delta
        The share that the max divergence may leave out.
    rows
        How many rows P has, and Q.
    outcomes
        How many combinations occur in either.
    only_in_p, only_in_q
        How many combinations occur in one and not in the other.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.application import measure_divergence
    >>> p, q = pd.DataFrame({"x": ["a", "b"]}), pd.DataFrame({"x": ["a", "c"]})
    >>> report = measure_divergence(p, q)
    >>> report.statistical_distance, report.p_from_q, report.only_in_p
    (0.5, inf, 1)
    """

    p_from_q: float
    q_from_p: float
    max_p_from_q: float
    max_q_from_p: float
    statistical_distance: float
    delta: float
    rows: tuple[int, int]
    outcomes: int
    only_in_p: int
    only_in_q: int

    def findings(self) -> list[str]:
        """Return the report as sentences, the answer first.

        Examples
        --------
        >>> import pandas as pd
        >>> from sfumato.application import measure_divergence
        >>> p, q = pd.DataFrame({"x": ["a", "b"]}), pd.DataFrame({"x": ["a", "a"]})
        >>> measure_divergence(p, q).lines()[0]
        'how far apart P and Q are in x'
        """
        return [self._headline(), *self._table(), *self._details(), *super().findings()]

    def _headline(self) -> str:
        return tr("how far apart P and Q are in {columns}", columns=listed(self.columns))

    def _table(self) -> list[str]:
        name = said(
            _NAMES.get(self.order)
            or tr("Rényi divergence of order {order}", order=setting(self.order))
        )
        slack = tr(" leaving out {delta}", delta=setting(self.delta)) if self.delta else ""
        asked = (f"{name} ({self.unit})", figure(self.p_from_q), figure(self.q_from_p))
        rows = [
            ("", tr("P from Q"), tr("Q from P")),
            *([] if self.order == math.inf and not self.delta else [asked]),
            (
                tr("max divergence{slack} ({unit})", slack=slack, unit=self.unit),
                figure(self.max_p_from_q),
                figure(self.max_q_from_p),
            ),
            (tr("statistical distance"), figure(self.statistical_distance), ""),
        ]
        width = max(len(first) for first, _, _ in rows)
        return [
            f"{first:<{width}}  {second:>12}  {third:>12}".rstrip() for first, second, third in rows
        ]

    def _details(self) -> list[str]:
        p_rows, q_rows = self.rows
        summary = tr(
            "{rows} in P, {q_rows:,} in Q; {outcomes}, of which {only_in_p:,} only in P "
            "and {only_in_q:,} only in Q",
            rows=counted(p_rows, "row"),
            q_rows=q_rows,
            outcomes=counted(self.outcomes, "outcome"),
            only_in_p=self.only_in_p,
            only_in_q=self.only_in_q,
        )
        return [summary, *self._reasons()]

    def _reasons(self) -> list[str]:
        """Say why a divergence is infinite or negative."""
        both = (("P", "Q", self.max_p_from_q), ("Q", "P", self.max_q_from_p))
        endless = [
            tr("infinity: {a} has outcomes that {b} never shows", a=a, b=b)
            for a, b, v in both
            if v == math.inf
        ]
        below = [
            tr("negative: less that share, no event is likelier in {a}", a=a)
            for a, _, v in both
            if v < 0
        ]
        return endless + below
