"""A search for the neighbouring datasets that tell most."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.blackbox.audit import audit, read_samples, read_seed
from sfumato.audit.blackbox.bounds import read_alpha
from sfumato.audit.blackbox.draws import Meter
from sfumato.audit.blackbox.figures import ASK_VIOLATED, answer, doubt, evidence, spent, table
from sfumato.audit.blackbox.neighbours import neighbouring_pairs
from sfumato.audit.blackbox.values import described
from sfumato.errors import InputError
from sfumato.privacy.parameters import read_count
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.audit.blackbox.features import Features
    from sfumato.audit.blackbox.neighbours import Datasets, Neighbours
    from sfumato.audit.blackbox.report import AuditReport

#: How sure the screening is: it only ranks.
_SCREENING_ALPHA = 0.25


@dataclass(frozen=True)
class PairSearch:
    """The worst of the pairs that were audited.

    Attributes
    ----------
    report
        Its audit.
    index
        Which of the screened pairs it is, counted from 0.
    pair
        The two datasets, made up for the search: they are printed, arrays and tables by type.
    audited
        The audits of all the pairs that were looked at with care, by their index.
    screened
        How many pairs were looked at.
    alpha
        The probability that any bound of any of the audits is wrong.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.audit.blackbox import search_pairs
    >>> rng = np.random.default_rng(0)
    >>> def noisy_sum(data, n):
    ...     return sum(data) + rng.laplace(size=n).round()
    >>> found = search_pairs(noisy_sum, [[1], [1, 1], [0, 5]], epsilon=1, samples=20_000)
    >>> found.violated, [sum(data) for data in found.pair]
    (True, [5, 0])
    """

    report: AuditReport
    index: int
    pair: tuple[Any, Any] = field(repr=False)
    audited: dict[int, AuditReport]
    screened: int
    alpha: float

    @property
    def violated(self) -> bool:
        """Whether the claim was shown to be broken.

        Examples
        --------
        >>> from sfumato.audit.blackbox import search_pairs
        >>> search_pairs(lambda data: len(data), [[1, 2]], epsilon=1, samples=1000).violated
        True
        """
        return self.report.violated

    def lines(self) -> list[str]:
        """Return what was found as sentences.

        Examples
        --------
        >>> from sfumato.audit.blackbox import search_pairs
        >>> print(search_pairs(lambda data: 0, [[1, 2]], epsilon=1, samples=1000).lines()[-1])
        2 pairs screened, 2 audited; wrong with probability at most 1 in 1,000,000
        """
        report, (d0, d1) = self.report, self.pair
        return [
            answer(report),
            tr(
                "pair {index}: d0 is {d0}, d1 is {d1}",
                index=self.index,
                d0=described(d0),
                d1=described(d1),
            ),
            *evidence(report),
            spent(report),
            *table(report),
            tr(
                "{screened:,} pairs screened, {audited} audited; {alpha}",
                screened=self.screened,
                audited=len(self.audited),
                alpha=doubt(self.alpha),
            ),
        ]

    def __bool__(self) -> bool:
        raise InputError("E-REPORT-NOT-BOOLEAN", *ASK_VIOLATED)

    def __str__(self) -> str:
        return "\n".join(self.lines())


def search_pairs(
    release: Callable[..., Any],
    datasets: Datasets,
    *,
    neighbours: Neighbours | None = None,
    epsilon: Any,
    delta: Any = 0,
    samples: int = 200_000,
    screening: int = 2_000,
    budget: int = 50,
    audits: int = 3,
    alpha: Any = 1e-6,
    features: Features | None = None,
    progress: Callable[[int, int], None] | None = None,
    seed: int | None = None,
) -> PairSearch:
    """Look for neighbouring datasets that break a claim.

    Many pairs are screened with few draws each; the most suspicious are audited with fresh draws,
    each at ``alpha`` divided by their number, so that all bounds hold at once but for a probability
    of ``alpha``, whatever the screening chose.

    Parameters
    ----------
    release
        What is audited, as in :func:`~sfumato.audit.blackbox.audit`.
    datasets
        Datasets one after the other, or a function that makes one from a NumPy generator.
    neighbours
        A relation (by default one row is removed), or a function from a dataset to neighbours.
    epsilon, delta
        What is claimed.
    samples, screening
        How many draws an audit makes on each dataset, and how many the screening of a pair does.
    budget
        How many pairs are screened at most.
    audits
        How many pairs are audited at most.
    alpha, features, progress, seed
        As in an audit; progress is told (pairs done, pairs in all).

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.audit.blackbox import search_pairs
    >>> rng = np.random.default_rng(0)
    >>> def noisy_mean(data, n):
    ...     return np.round(8 * data.mean() + rng.laplace(size=n))
    >>> def any_data(generator):
    ...     return generator.integers(0, 9, size=3)
    >>> found = search_pairs(noisy_mean, any_data, epsilon=1, samples=20_000, budget=10)
    >>> found.violated, found.screened
    (True, 10)
    """
    most, chance = read_count(audits, "audits"), read_alpha(alpha)
    few = read_samples(screening, "screening")
    pairs = _pairs(datasets, neighbours, read_count(budget, "budget"), read_seed(seed))
    most = min(most, len(pairs))
    look = partial(audit, release, epsilon=epsilon, delta=delta, features=features, seed=seed)
    look = partial(look, progress=_silent)
    with Meter(len(pairs) + most, progress) as meter:
        chosen = _most_suspicious(pairs, partial(look, samples=few), most, meter)
        audited = {}
        for index in chosen:
            audited[index] = look(*pairs[index], samples=samples, alpha=chance / most)
            meter.advance(1)
    worst = max(audited, key=lambda index: audited[index].epsilon)
    return PairSearch(audited[worst], worst, pairs[worst], audited, len(pairs), float(chance))


def _most_suspicious(
    pairs: list[tuple[Any, Any]], look: Callable[..., AuditReport], most: int, meter: Meter
) -> list[int]:
    """Return which pairs seem to tell most, by few draws on each."""
    suspicion = []
    for pair in pairs:
        suspicion.append(-look(*pair, alpha=_SCREENING_ALPHA).epsilon)
        meter.advance(1)
    chosen: list[int] = np.argsort(suspicion, kind="stable")[:most].tolist()
    return chosen


def _silent(done: int, total: int) -> None:
    """Say nothing of single audits within a search."""


def _pairs(
    datasets: Datasets, neighbours: Neighbours | None, budget: int, seed: int
) -> list[tuple[Any, Any]]:
    rng = np.random.default_rng(seed)
    pairs = list(islice(neighbouring_pairs(datasets, neighbours, rng), budget))
    if not pairs:
        raise InputError(
            "E-NEIGHBOURS-NONE",
            "no dataset has a neighbour",
            "give datasets of at least one row, and with rows that differ where one replaces "
            "another",
        )
    return pairs
