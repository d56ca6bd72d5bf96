"""From what people hold to a distribution: SciPy's by name, everything else refused."""

from __future__ import annotations

import sys
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError, NoEnclosureError
from sfumato.information.continuous.declared import AnyDistribution, Declared
from sfumato.information.continuous.distributions import (
    ContinuousDistribution,
    Number,
    is_distribution,
)
from sfumato.information.continuous.families import (
    Exponential,
    Gaussian,
    Laplace,
    Logistic,
    Uniform,
)
from sfumato.information.continuous.mixture import Mixture
from sfumato.numeric import exact
from sfumato.refusal import Argument
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType


_FROM_LOC_AND_SCALE: dict[str, Callable[[Number, Number], ContinuousDistribution]] = {
    "norm": Gaussian,
    "laplace": Laplace,
    "logistic": Logistic,
    "expon": lambda loc, scale: Exponential(scale, loc),
    "uniform": lambda loc, scale: Uniform(loc, exact(loc) + exact(scale)),
}


def is_continuous(value: Any) -> bool:
    """Tell whether something is meant as a distribution on the line: whether it has a ``cdf``."""
    return callable(getattr(value, "cdf", None))


def as_continuous(value: Any, name: str) -> AnyDistribution:
    """Return a distribution that can be enclosed, or refuse and say why."""
    return value if isinstance(value, Declared) else as_formula(value, name)


def as_formula(value: Any, name: str) -> ContinuousDistribution:
    """Return a distribution that ball arithmetic can evaluate, or refuse and say why."""
    if is_distribution(value):
        distribution: ContinuousDistribution = value
        return distribution
    if isinstance(value, type):
        raise InputError(
            "E-ARGUMENT-IS-CLASS",
            "{name} is a class, not a distribution",
            "give one with its parameters: Gaussian(0, 1)",
            name=Argument(name),
        )
    if isinstance(value, NormalDist):
        return Gaussian(value.mean, value.stdev)
    if not is_continuous(value):
        raise InputError(
            "E-DISTRIBUTIONS-DIFFER",
            "{name} is not a continuous distribution while the other is",
            "give two distributions, such as Gaussian(0, 1), or two finite distributions",
            name=Argument(name),
        )
    known = _from_scipy(value)
    if known is None:
        raise _refusal(value, name)
    return known


def _from_scipy(value: Any) -> ContinuousDistribution | None:
    stats = sys.modules.get("scipy.stats")
    if stats is None:
        return None
    return _from_frozen(value, stats) or _from_random_variable(value, stats)


def _from_frozen(value: Any, stats: ModuleType) -> ContinuousDistribution | None:
    """Read a frozen distribution such as ``scipy.stats.norm(0, 1)``."""
    family: Any = getattr(value, "dist", None)
    name = getattr(family, "name", None)
    build = _FROM_LOC_AND_SCALE.get(str(name))
    if build is None:
        return None
    standard = getattr(stats, str(name))
    # Not one that was cut to another support.
    if type(family) is not type(standard) or (family.a, family.b) != (standard.a, standard.b):
        return None
    given = dict(zip(("loc", "scale"), value.args, strict=False)) | value.kwds
    return build(_plain(given.get("loc", 0)), _plain(given.get("scale", 1)))


def _from_random_variable(value: Any, stats: ModuleType) -> ContinuousDistribution | None:
    """Read a random variable of SciPy's newer kind, such as ``scipy.stats.Normal()``."""
    if not type(value).__module__.startswith("scipy.stats"):
        return None
    kind = next(
        (each for each in _FROM_ATTRIBUTES if isinstance(value, getattr(stats, each, ()))), None
    )
    return None if kind is None else _FROM_ATTRIBUTES[kind](value)


_FROM_ATTRIBUTES: dict[str, Callable[[Any], ContinuousDistribution]] = {
    "Normal": lambda value: Gaussian(_plain(value.mu), _plain(value.sigma)),
    "Uniform": lambda value: Uniform(_plain(value.a), _plain(value.b)),
    "Logistic": lambda _: Logistic(0, 1),
    "Mixture": lambda value: Mixture(
        value.weights,
        [as_formula(part, mark("a part of the mixture")) for part in value.components],
    ),
}


def _plain(value: Any) -> Any:
    """Return a number of plain Python for a NumPy scalar or an array of one number."""
    return value.item() if getattr(value, "size", None) == 1 else value


def _refusal(value: Any, name: str) -> NoEnclosureError:
    if hasattr(value, "pmf") and not hasattr(value, "pdf"):
        return NoEnclosureError(
            "E-DISTRIBUTION-UNKNOWN",
            "{name} is a discrete distribution with a cdf, for which no enclosure is made",
            "give its probabilities as an array or a mapping",
            name=Argument(name),
        )
    return NoEnclosureError(
        "E-DISTRIBUTION-UNKNOWN",
        "{name} is known only through the numbers it returns at points, and a density can "
        "hide anything between them, so no bound can be proved",
        "wrap it in Declared(cdf, log_density, breakpoints) to declare where the ratio of "
        "the two distributions is monotone, or use one such as Gaussian, Laplace, Logistic, "
        "Exponential, Uniform or Mixture",
        name=Argument(name),
    )
