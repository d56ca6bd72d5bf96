"""How many people would be unique in the population that the table is a sample of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from sfumato.errors import InputError
from sfumato.printing import NotPrivate, share
from sfumato.refusal import Argument
from sfumato.translation import mark, said, tr

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.risk.exposure.classes import Sizes
    from sfumato.risk.exposure.populations import Pitman


Estimator = Literal["pitman", "zayatz", "slid negative binomial"]

_NAMES: dict[Estimator, str] = {
    "pitman": mark("Pitman's estimator"),
    "zayatz": mark("Zayatz's estimator"),
    "slid negative binomial": mark("slid negative binomial estimator"),
}
_SMALL_FRACTION = 0.1
_MOST_PEOPLE = 10**15


@dataclass(frozen=True)
class Uniqueness(NotPrivate):
    """How many people of the population are estimated to be unique.

    Attributes
    ----------
    rows, population
        The size of the table and of the population that it is a sample of.
    chosen
        Which estimate to rely on at this share of the population.
    zayatz, pitman, slid
        The estimates; None where one cannot be made.
    distribution
        The Ewens-Pitman distribution behind ``pitman``.

    Examples
    --------
    >>> from sfumato.risk import risk
    >>> quasi = ["age", "sex", "department"]
    >>> found = risk("examples/patients.csv", quasi=quasi, population=30_000).population
    >>> found.chosen, found.uniques == found.pitman
    ('pitman', True)
    """

    rows: int
    population: int
    chosen: Estimator
    zayatz: float
    pitman: float | None
    slid: float | None
    distribution: Pitman | None

    @property
    def uniques(self) -> float:
        """How many people of the population are unique, by the chosen estimate.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> risk("examples/hospital-a.csv", quasi="sex", population=90).population.uniques
        0.0
        """
        estimates = {
            "pitman": self.pitman,
            "zayatz": self.zayatz,
            "slid negative binomial": self.slid,
        }
        return float(estimates[self.chosen] or 0.0)

    @property
    def share(self) -> float:
        """Which share of the population that is.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> risk("examples/hospital-a.csv", quasi="sex", population=90).population.share
        0.0
        """
        return self.uniques / self.population

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> print(risk("examples/hospital-a.csv", quasi="age", population=90).population)
        about 90 of 90 people are unique, or 100 % (Zayatz's estimator)
        not private: exact figures, for the data owner
        """
        people = tr(
            "about {uniques:,.0f} of {population:,} people are unique",
            uniques=self.uniques,
            population=self.population,
        )
        return [
            tr(
                "{people}, or {share} ({estimator})",
                people=people,
                share=share(self.share),
                estimator=said(_NAMES[self.chosen]),
            )
        ]

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> found = risk("examples/hospital-a.csv", quasi="age", population=90).population
        >>> found.figures()["chosen"]
        'zayatz'
        """
        return {
            "population": self.population,
            "rows": self.rows,
            "chosen": self.chosen,
            "unique_people": self.uniques,
            "zayatz": self.zayatz,
            "pitman": self.pitman,
            "slid_negative_binomial": self.slid,
            "pitman_theta": None if self.distribution is None else self.distribution.theta,
            "pitman_alpha": None if self.distribution is None else self.distribution.alpha,
        }


def estimate_uniqueness(sizes: Sizes, population: int) -> Uniqueness:
    """Estimate how many people of a population are unique, and choose an estimate.

    Up to a tenth of the population Pitman's is taken, or Zayatz' where it fails; above, the
    smaller of Zayatz' and that of the slid negative binomial distribution :cite:p:`dankar2012`.
    """
    from sfumato.risk.exposure.populations import fit_pitman, slid_uniques

    rows = sum(size * count for size, count in sizes.items())
    distribution = fit_pitman(sizes) if sizes.get(1) else None
    zayatz, slid = zayatz_uniques(sizes, population), slid_uniques(sizes, population)
    return Uniqueness(
        rows=rows,
        population=population,
        chosen=_chosen(rows / population, distribution, zayatz, slid),
        zayatz=zayatz,
        pitman=None if distribution is None else distribution.uniques(population),
        slid=slid,
        distribution=distribution,
    )


def _chosen(
    fraction: float, distribution: Pitman | None, zayatz: float, slid: float | None
) -> Estimator:
    if fraction <= _SMALL_FRACTION:
        return "zayatz" if distribution is None else "pitman"
    return "zayatz" if slid is None or zayatz < slid else "slid negative binomial"


def zayatz_uniques(sizes: Sizes, population: int) -> float:
    """Return how many people of a population are unique, after Zayatz :cite:p:`zayatz1991`.

    The classes of the population are taken to have sizes as those of the sample.  A class of j
    people shows one row in the sample with the hypergeometric probability h(j), and so a row that
    is unique in the sample is so in the population with probability f1 h(1) / Σ fj h(j).

    Parameters
    ----------
    sizes
        How many classes of the sample have each size.
    population
        How many people there are; any whole number.
    """
    rows = sum(size * count for size, count in sizes.items())
    counts = np.array(list(sizes.values()), dtype=np.float64)
    once = counts * _seen_once(np.array(list(sizes)), rows, population)
    unique = sizes.get(1, 0)
    return float(unique * once[0] / once.sum() * (population / rows)) if unique else 0.0


def _seen_once(sizes: NDArray[np.int64], rows: int, population: int) -> NDArray[np.float64]:
    """Return the probability that a class of each size shows exactly one row in the sample.

    It is j (n / N) times the product over i = 0 ... j - 2 of (N - n - i) / (N - 1 - i): no
    factorials, which would lose every digit above 2^31 people.
    """
    step = np.arange(int(sizes.max()) - 1, dtype=np.float64)
    outside = np.maximum(population - rows - step, 0.0)
    with np.errstate(divide="ignore"):
        logs = np.concatenate([[0.0], np.cumsum(np.log(outside / (population - 1 - step)))])
    chances: NDArray[np.float64] = sizes * (rows / population) * np.exp(logs[sizes - 1])
    return chances


def check_population(population: Any, rows: int) -> int:
    """Return the size of the population, or refuse one that the table does not fit in."""
    if isinstance(population, bool) or not isinstance(population, int):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{argument} takes a whole number of people",
            "{population!r:.60} is not",
            population=population,
            argument=Argument("population"),
        )
    if population > _MOST_PEOPLE:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{population} is more than {most_people:.0e} people",
            "write how many there are",
            most_people=_MOST_PEOPLE,
            population=Argument("population"),
        )
    if population < rows:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{argument} is {population:,}, and the table has {rows:,} rows",
            "a population has at least as many people as the table that is a part of it",
            population=population,
            rows=rows,
            argument=Argument("population"),
        )
    return population
