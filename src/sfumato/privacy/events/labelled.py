"""Steps of which only the guarantee is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.privacy.events import fields
from sfumato.privacy.events.base import Event
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction

    from sfumato.numeric import Ln
    from sfumato.privacy.events.fields import Number
    from sfumato.privacy.parameters import Epsilon


@dataclass(frozen=True, repr=False)
class Pure(Event):
    """Something was done that is ε-differentially private.

    Parameters
    ----------
    epsilon
        0 or more.

    Examples
    --------
    >>> from sfumato.privacy.events import Pure
    >>> print(Pure(epsilon=0.5))
    a step that is ε-differentially private with ε = 0.5
    """

    epsilon: Epsilon

    name = "pure"
    wording = mark("a step that is ε-differentially private with ε = {epsilon}")

    def __init__(self, *, epsilon: Number | Ln) -> None:
        self._keep(epsilon=fields.epsilon(epsilon))


@dataclass(frozen=True, repr=False)
class Approximate(Event):
    """Something was done that is (ε, δ)-differentially private.

    What it loses at worst, in every composition: :doc:`/proofs/optimal-composition`.

    Parameters
    ----------
    epsilon
        0 or more.
    delta
        0 or more, and below 1.

    Examples
    --------
    >>> from sfumato.privacy.events import Approximate
    >>> print(Approximate(epsilon=0.5, delta=1e-6))
    a step that is (ε, δ)-differentially private with ε = 0.5 and δ = 1e-06
    """

    epsilon: Epsilon
    delta: Fraction

    name = "approximate"
    wording = mark(
        "a step that is (ε, δ)-differentially private with ε = {epsilon} and δ = {delta}"
    )

    def __init__(self, *, epsilon: Number | Ln, delta: Number) -> None:
        self._keep(epsilon=fields.epsilon(epsilon), delta=fields.delta(delta))


@dataclass(frozen=True, repr=False)
class ZeroConcentrated(Event):
    """Something was done that is ρ-zero-concentrated differentially private.

    Parameters
    ----------
    rho
        0 or more: the Rényi divergence of every order α is at most ρα.

    Examples
    --------
    >>> from sfumato.privacy.events import ZeroConcentrated
    >>> print(ZeroConcentrated(rho=0.1))
    a step that is ρ-zero-concentrated private with ρ = 0.1
    """

    rho: Fraction

    name = "zero_concentrated"
    wording = mark("a step that is ρ-zero-concentrated private with ρ = {rho}")

    def __init__(self, *, rho: Number) -> None:
        self._keep(rho=fields.rational_epsilon(rho, "rho"))


@dataclass(frozen=True, repr=False)
class Renyi(Event):
    """Something was done whose Rényi divergences are bounded at some orders.

    Parameters
    ----------
    curve
        A bound for each order: a mapping, or pairs of an order above 1 and its bound.

    Examples
    --------
    >>> from sfumato.privacy.events import Renyi
    >>> print(Renyi({2: 0.5, 8: 1.9}))
    a step of Rényi divergence at most 0.5 at order 2, 1.9 at order 8
    """

    curve: tuple[tuple[Fraction, Fraction], ...]

    name = "renyi"
    wording = mark("a step of Rényi divergence at most {curve}")

    def __init__(self, curve: Mapping[Any, Number] | Iterable[tuple[Number, Number]]) -> None:
        self._keep(curve=fields.curve(curve))
