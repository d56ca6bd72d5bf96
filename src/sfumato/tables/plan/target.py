"""What a query may cost: ε, (ε, δ) or ρ, and which noise that calls for."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.privacy import ApproxDP, PureDP, ZeroConcentratedDP, check_usable, written
from sfumato.refusal import Argument, Arguments, Bare

if TYPE_CHECKING:
    from sfumato.privacy import Relation


_LEAST = "1e-9"
#: The share of δ that Gaussian noise is calibrated for, where groups have to be found as well.
_NOISE_SHARE = Fraction(1, 2)
_NOISES = ("auto", "laplace", "gaussian")
_STEPS = 60


@dataclass(frozen=True)
class QueryTarget:
    """What a whole query may cost.

    Parameters
    ----------
    epsilon, delta, rho
        Either ε, with or without δ, or ρ.
    noise
        "laplace" or "gaussian".
    """

    epsilon: Fraction | None = None
    delta: Fraction | None = None
    rho: Fraction | None = None
    noise: str = "laplace"

    def guarantee(self, relation: Relation) -> PureDP | ApproxDP | ZeroConcentratedDP:
        """Return the guarantee for a relation."""
        if self.rho is not None:
            return ZeroConcentratedDP(rho=self.rho, relation=relation)
        if self.delta is not None:
            return ApproxDP(epsilon=self.epsilon or 0, delta=self.delta, relation=relation)
        return PureDP(epsilon=self.epsilon or 0, relation=relation)

    @property
    def norm(self) -> str:
        """In which norm the noise asks for what a person adds to be limited."""
        return "l2" if self.is_gaussian else "l1"

    @property
    def is_gaussian(self) -> bool:
        """Whether the noise is Gaussian."""
        return self.noise == "gaussian"


def read_target(
    *, epsilon: Any = None, delta: Any = None, rho: Any = None, noise: Any = "auto"
) -> QueryTarget:
    """Return what a query may cost, from what was given."""
    if (epsilon is None) == (rho is None):
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "give exactly one of {one} and {other}, such as {epsilon}",
            one=Argument("epsilon"),
            other=Argument("rho"),
            epsilon=Argument("epsilon", 1),
        )
    if not isinstance(noise, str) or noise not in _NOISES:
        raise InputError(
            "E-ARGUMENT-CHOICE",
            "{argument} must be 'auto', 'laplace' or 'gaussian', not {noise!r:.40}",
            noise=noise,
            argument=Argument("noise"),
        )
    if rho is not None:
        return _concentrated(rho, delta, noise)
    level = _read(epsilon, "epsilon")
    return QueryTarget(epsilon=level, delta=_read_delta(delta), noise=_noise(noise, delta))


def _concentrated(rho: Any, delta: Any, noise: str) -> QueryTarget:
    if delta is not None or noise == "laplace":
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "{rho} is kept by Gaussian noise alone and has no delta",
            "write {other_rho} by itself, or {example}",
            rho=Argument("rho"),
            example=Arguments((Argument("epsilon", 1), Argument("delta", Bare("1e-6")))),
            other_rho=Argument("rho", Bare("0.1")),
        )
    return QueryTarget(rho=_read(rho, "rho"), noise="gaussian")


def _noise(noise: str, delta: Any) -> str:
    if noise == "gaussian" and delta is None:
        raise InputError(
            "E-DELTA-MISSING",
            "Gaussian noise needs a delta as well",
            "write {example}",
            example=Arguments((Argument("epsilon", 1), Argument("delta", Bare("1e-6")))),
        )
    return "laplace" if noise == "auto" else noise


def _read(value: Any, name: str) -> Fraction:
    found = written(value, name)
    check_usable(found, value, name, least=_LEAST)
    return found


def _read_delta(delta: Any) -> Fraction | None:
    if delta is None:
        return None
    found = written(delta, "delta")
    if not 0 < found < 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{delta} must lie between 0 and 1, such as {example}",
            "leave it out for pure ε",
            delta=Argument("delta"),
            example=Argument("delta", Bare("1e-6")),
        )
    return found
