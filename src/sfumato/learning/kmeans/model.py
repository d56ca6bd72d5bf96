"""What private k-means gives out: centres, noisy counts, and how much noise is in each centre."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.learning.kmeans.plan import NoGuarantee
from sfumato.printing import setting
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Reals = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Centres:
    """Centres in steps, computed from what was released with noise.

    Parameters
    ----------
    places
        One centre a row, in steps from the middle of the box.
    counts
        How many points are next to each, with noise.
    noise
        The standard deviation of the noise in each coordinate of each centre, in steps.
    cost
        The mean square distance of points from their centre, as far as released cells tell, in
        half widths of the box; NaN where no cells were released.
    seeded
        Whether the noise came from a seed, so that nothing is private.
    """

    places: Reals
    counts: Reals
    noise: Reals
    cost: float = np.nan
    seeded: bool = False

    def to_bytes(self) -> bytes:
        """Return the one way to write them, as a ledger keeps them."""
        document = {
            "places": self.places.tolist(),
            "counts": self.counts.tolist(),
            "noise": self.noise.tolist(),
            "cost": None if np.isnan(self.cost) else self.cost,
            "seeded": self.seeded,
        }
        return json.dumps(document, sort_keys=True, separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, content: bytes) -> Centres:
        """Return what was written."""
        document = json.loads(content)
        places, counts, noise = (
            np.array(document[name], dtype=np.float64) for name in ("places", "counts", "noise")
        )
        cost = np.nan if document["cost"] is None else document["cost"]
        return cls(places, counts, noise, cost, document["seeded"])


#: How many standard deviations of the noise ± stands for.
DEVIATIONS = 2
_MOST_DIGITS = 9
_ROUNDED = 1e-9
_AROUND = 10
_POINTS = 61


@dataclass(frozen=True, eq=False)
class FittedModel:
    """A fitted model, and what its coordinates are called.

    Attributes
    ----------
    model
        The model.
    names
        The names of the coordinates.
    """

    model: Any
    names: tuple[str, ...]

    @property
    def epsilon(self) -> float:
        """The ε that the centres cost; infinite where no noise was added."""
        guarantee = self.model.guarantee_
        return float(guarantee.exact_epsilon) if self.is_private else math.inf

    @property
    def is_private(self) -> bool:
        """Whether anything is guaranteed."""
        return not isinstance(self.model.guarantee_, NoGuarantee)

    @property
    def most_cost(self) -> int:
        """What one centre in the middle costs at most, each coordinate scaled to [-1, 1]."""
        return len(self.names) if self.model.plan_.domain is None else 1

    @property
    def bounds(self) -> tuple[list[float], list[float]]:
        """The lower bounds and the upper bounds of the coordinates."""
        low, high = self.model.bounds_
        return low.tolist(), high.tolist()

    @property
    def shares(self) -> Reals:
        """The share of each centre in all points, by noisy counts; one below 0 counts as 0."""
        counts = np.maximum(self.model.counts_, 0.0)
        total = float(counts.sum())
        return counts / total if total > 0 else np.full(len(counts), 1 / len(counts))

    @property
    def seen(self) -> list[bool]:
        """Whether each centre has points enough to be distinguished from noise.

        One that has not is as unsure as the box is wide, in every coordinate.
        """
        low, high = self.model.bounds_
        wide = self.model.noise_ >= (1 - _ROUNDED) * (high / 2 - low / 2)
        seen: list[bool] = (~wide.all(axis=1)).tolist()
        return seen

    @property
    def errors(self) -> Reals:
        """How far off each coordinate of each centre may be by noise: two standard deviations."""
        bars: Reals = DEVIATIONS * self.model.noise_
        return bars

    @property
    def cost(self) -> float | None:
        """The mean square distance that the released cells tell; None where they tell none."""
        cost = float(self.model.cost_)
        return None if math.isnan(cost) else cost

    @property
    def untold(self) -> str:
        """Why there is no mean square distance; nothing where there is one."""
        if self.cost is not None:
            return ""
        counted = self.model.plan_.synopsis is not None
        return (
            tr("cells are too wide or too empty to tell it")
            if counted
            else tr("no cells were released")
        )

    def added_at(self, epsilon: float) -> float:
        """Return what noise of the last step adds to the mean square distance at another ε, about.

        Each coordinate is scaled to [-1, 1]; the deviation of the noise is taken to go as 1/ε.
        Centres that are not seen were not moved by the last step, and are left out.
        """
        low, high = self.model.bounds_
        scaled = self.model.noise_ / (high / 2 - low / 2) * (self.epsilon / epsilon)
        return float((self.shares * self.seen) @ (scaled**2).sum(axis=1))

    @property
    def costs(self) -> list[tuple[float, float]]:
        """The mean square distance, about, at each of many ε from a tenth to ten times that used.

        Where cells do not tell it, it is what noise of the last step adds alone.
        """
        at = np.geomspace(self.epsilon / _AROUND, self.epsilon * _AROUND, _POINTS).tolist()
        return [(each, (self.cost or 0.0) + self.added_at(each)) for each in at]

    @property
    def added(self) -> str:
        """What noise of the last step adds to the mean square distance, in a sentence."""
        given = {"epsilon": setting(self.epsilon), "added": self.added_at(self.epsilon)}
        if self.cost is None:
            return tr(
                "at ε = {epsilon} noise of the last step adds {added:.2g} to the mean square "
                "distance",
                **given,
            )
        return tr(
            "at ε = {epsilon} noise of the last step adds {added:.2g} to a mean square distance "
            "of {cost:.2g}",
            cost=self.cost,
            **given,
        )


def found_by(model: Any, names: Sequence[str] | None = None) -> FittedModel:
    """Return what a fitted model gives out.

    Parameters
    ----------
    model
        An ``sf.KMeans`` that is fitted.
    names
        What its coordinates are called, where the points that it was fitted to had no names.
    """
    if not hasattr(model, "cluster_centers_"):
        raise InputError("E-NOT-FITTED", "the model is not fitted", "call model.fit(...) first")
    dimensions = model.cluster_centers_.shape[1]
    own = getattr(model, "feature_names_in_", [f"x{number}" for number in range(dimensions)])
    given = tuple(map(str, own if names is None else names))
    if len(given) != dimensions:
        raise InputError(
            "E-LENGTHS-DIFFER",
            "{count} names are given for {dimensions} coordinates",
            "give one for each",
            count=len(given),
            dimensions=dimensions,
        )
    return FittedModel(model, given)


def with_errors(values: Reals, errors: Reals) -> list[str]:
    """Return values with how far off each may be, in as many digits as the least of that leaves."""
    least = float(errors.min())
    digits = min(max(1 - math.floor(math.log10(least)), 0), _MOST_DIGITS) if least > 0 else 6
    pairs = zip(values.tolist(), errors.tolist(), strict=True)
    return [f"{value:,.{digits}f} ± {error:,.{digits}f}" for value, error in pairs]
