"""How uncertain is a table, and how far apart are two: figures, and sentences that say them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato import information
from sfumato.application.report import ExactReport
from sfumato.data import (
    Source,
    asked_names,
    count_groups,
    count_nested,
    count_pairs,
    open_source,
    open_sources,
)
from sfumato.errors import InputError
from sfumato.numeric import check_base, check_order, check_probability
from sfumato.printing import counted, figure, listed, rounded, setting
from sfumato.translation import mark, said, tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from sfumato.data import Counts, NestedCounts, PairedCounts


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
            "{counts}; {groups}", counts=counts, groups=counted(self.groups, "equivalence class")
        )


_MEASURE_NAMES = {1: mark("Kullback-Leibler divergence"), math.inf: mark("max divergence")}


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
            _MEASURE_NAMES.get(self.order)
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


_ROUNDING = 1e-13
_MOST_EXACT = 100_000
_WEIGHT_NAMES = {"count", "counts", "freq", "frequency", "n", "p", "probability", "weight"}


def measure_entropy(
    data: Any,
    *,
    columns: str | Iterable[str],
    given: str | Iterable[str] = (),
    order: float = 1,
    base: float = 2,
    weights: str | None = None,
) -> EntropyReport:
    """Measure how uncertain columns of a table are, perhaps once others are known.

    Parameters
    ----------
    data
        A path (CSV or Parquet), or a pandas, polars or Arrow table.
    columns
        The column or columns whose combinations are the outcomes.
    given
        Columns that are known; Arimoto's conditional Rényi entropy for orders other than 1.
    order
        The Rényi order, from 0 to ``math.inf``; 1 is Shannon's.
    base
        Of the logarithm: 2 gives bits, ``math.e`` nats.
    weights
        A column of counts or probabilities; without it each row is one observation.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.application import measure_entropy
    >>> patients = pd.DataFrame({"sex": ["F", "F", "M", "M"], "ill": ["y", "n", "n", "n"]})
    >>> report = measure_entropy(patients, columns=["ill"], given=["sex"])
    >>> round(report.prior, 6), report.value, round(report.learned, 6)
    (0.811278, 0.5, 0.311278)
    """
    alpha, unit = check_order(order), check_base(base)
    names, known = asked_names(columns), asked_names(given, "given")
    source = open_source(data)
    source.check_columns(names + known)
    alone = count_groups(source, names, weights=weights)
    report = EntropyReport(
        value=information.entropy(_shares(alone.counts), order=alpha, base=unit),
        columns=alone.columns,
        order=alpha,
        base=unit,
        weights=weights,
        suggested_weights=_suggested(source, names + known, weights),
        rows=alone.rows,
        outcomes=alone.counts.size,
    )
    return report if not known else _once_known(report, source, known)


def _once_known(report: EntropyReport, source: Source, given: Sequence[str]) -> EntropyReport:
    """Return the report of the same columns once others are known."""
    nested = count_nested(source, report.columns, given=given, weights=report.weights)
    value = information.conditional_entropy(
        _joint(nested), given="given", order=report.order, base=report.base
    )
    return replace(
        report,
        value=value,
        given=nested.given,
        groups=int(nested.groups[-1]) + 1,
        prior=report.value,
        learned=_difference(report.value, value),
    )


def _difference(prior: float, value: float) -> float:
    """Return what was learned; nothing, where the two differ by less than floats can tell."""
    return max(0.0, prior - value) if prior - value > _ROUNDING * prior else 0.0


def measure_divergence(
    p: Any,
    q: Any,
    *,
    columns: str | Iterable[str] | None = None,
    order: float = 1,
    base: float = math.e,
    delta: float = 0,
    weights: str | None = None,
) -> DivergenceReport:
    """Measure how far apart two tables are as distributions of the same columns.

    Parameters
    ----------
    p, q
        Paths (CSV or Parquet), or pandas, polars or Arrow tables.
    columns
        The columns whose combinations are the outcomes; all that both have by default.
    order
        The Rényi order, from 0 to ``math.inf``; 1 is Kullback–Leibler.
    base
        Of the logarithm: ``math.e`` gives nats, 2 bits.
    delta
        The share that the max divergence may leave out, from 0 to 1.
    weights
        A column of counts or probabilities in both; without it each row is one observation.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.application import measure_divergence
    >>> p = pd.DataFrame({"answer": ["yes", "no"], "share": [2/3, 1/3]})
    >>> q = pd.DataFrame({"answer": ["yes", "no"], "share": [1/3, 2/3]})
    >>> report = measure_divergence(p, q, weights="share")
    >>> round(report.p_from_q, 6), round(report.max_p_from_q, 6)
    (0.231049, 0.693147)
    """
    alpha, unit, slack = check_order(order), check_base(base), check_probability(delta, "delta")
    asked = () if columns is None else asked_names(columns)
    first, second = open_sources(p, q)
    compared = _shared_columns(first, second, weights) if columns is None else asked
    paired = count_pairs(first, second, compared, weights=weights)
    return DivergenceReport(
        columns=paired.columns,
        order=alpha,
        base=unit,
        weights=weights,
        suggested_weights=_suggested(first, asked, weights),
        delta=float(slack),
        rows=paired.rows,
        outcomes=paired.first.size,
        only_in_p=int(np.count_nonzero(paired.second == 0)),
        only_in_q=int(np.count_nonzero(paired.first == 0)),
        **_distances(paired, order=alpha, base=unit, delta=float(slack)),
    )


def _distances(
    paired: PairedCounts, *, order: float, base: float, delta: float
) -> dict[str, float]:
    p, q = (_exact_or_shares(each) for each in (paired.first, paired.second))
    return {
        "p_from_q": information.renyi_divergence(p, q, order=order, base=base),
        "q_from_p": information.renyi_divergence(q, p, order=order, base=base),
        "max_p_from_q": information.max_divergence(p, q, delta=delta, base=base),
        "max_q_from_p": information.max_divergence(q, p, delta=delta, base=base),
        "statistical_distance": float(information.statistical_distance(p, q)),
    }


def _exact_or_shares(counts: Counts) -> Counts:
    """Return counts as they are, which measures take exactly, unless there are too many."""
    few = counts.size <= _MOST_EXACT and counts.dtype.kind == "i"
    return counts if few else _shares(counts)


def _shares(counts: Counts) -> NDArray[np.float64]:
    """Return counts or sums of weights as shares of their total.

    Floats, because exact rationals of millions of outcomes are slow.
    """
    shares: NDArray[np.float64] = counts / counts.sum()
    return shares


def _joint(nested: NestedCounts) -> information.Joint:
    """Return the joint table: cells in one group share what is known, and differ in the rest."""
    cells = {"given": nested.groups, "of": np.arange(nested.counts.size)}
    return information.Joint.from_columns(cells, weights=_shares(nested.counts))


def _shared_columns(first: Source, second: Source, weights: str | None) -> list[str]:
    others = set(second.column_names) - {weights}
    shared = [name for name in first.column_names if name in others]
    if not shared:
        raise InputError(
            "E-COLUMNS-NOT-SHARED",
            "{first} and {second} have no column in common to compare",
            first=first.name,
            second=second.name,
        )
    return shared


def _suggested(source: Source, asked: Sequence[str], weights: str | None) -> str | None:
    """Return a column that is named as if it held weights, where none were asked for."""
    candidates = (
        name
        for name in source.column_names
        if name.casefold() in _WEIGHT_NAMES and name not in asked
    )
    return next(candidates, None) if weights is None else None
