"""Results of the verbs: exact figures about data, and saying so."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal

__all__ = ["DivergenceReport", "EntropyReport", "ExactReport"]


@dataclass(frozen=True, kw_only=True)
class ExactReport:
    """Exact figures about data: not private, for the data owner only.

    Attributes
    ----------
    columns
        The columns whose combinations are the outcomes.
    order
        The Rényi order.
    base
        Of the logarithm.
    weights
        The column that says how much each row counts; None where each counts one.
    suggested_weights
        A column that was not used but is named as if it held weights.

    Examples
    --------
    >>> from sfumato.application import ExactReport
    >>> report = ExactReport(columns=("age",), order=1.0, base=2.0)
    >>> report.private, report.unit
    (False, 'bits')
    """

    private: ClassVar[Literal[False]] = False

    columns: tuple[str, ...]
    order: float
    base: float
    weights: str | None = None
    suggested_weights: str | None = None

    @property
    def unit(self) -> str:
        """The unit of the figures, by the base of the logarithm.

        Examples
        --------
        >>> from sfumato.application import ExactReport
        >>> ExactReport(columns=("age",), order=1.0, base=10.0).unit
        'base 10 units'
        """
        named = {2.0: "bits", math.e: "nats"}
        return named.get(self.base, f"base {repr(self.base).removesuffix('.0')} units")

    def as_dict(self) -> dict[str, Any]:
        """Return the figures ready for JSON; an infinity becomes the text "Infinity".

        Examples
        --------
        >>> from sfumato.application import ExactReport
        >>> report = ExactReport(columns=("age",), order=float("inf"), base=2.0).as_dict()
        >>> report["order"], report["private"]
        ('Infinity', False)
        """
        figures = {"private": self.private, "unit": self.unit, **asdict(self)}
        return {name: _for_json(value) for name, value in figures.items()}


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


def _for_json(value: Any) -> Any:
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return list(value) if isinstance(value, tuple) else value
