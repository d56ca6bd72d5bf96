"""From one kind of guarantee to another: a table with a theorem in each row."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy.guarantees.base import Guarantee
from sfumato.privacy.guarantees.gaussian import GaussianDP
from sfumato.privacy.guarantees.pointwise import (
    ApproxDP,
    PointwiseGuarantee,
    PrivacyProfile,
    PureDP,
)
from sfumato.privacy.guarantees.renyi import RenyiDP, ZeroConcentratedDP
from sfumato.refusal import all_of
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.privacy.theorems.certified import EpsilonLike, NumberLike


Kind = TypeVar("Kind", bound=Guarantee)

#: What each kind is converted at, and why a guarantee may not reach it.
_PARAMETERS: dict[type[Guarantee], tuple[str, ...]] = {
    ApproxDP: ("delta", "epsilon"),
    GaussianDP: (),
    PrivacyProfile: ("epsilons",),
    PureDP: (),
    RenyiDP: ("order",),
    ZeroConcentratedDP: (),
}
_NEEDS: dict[type[Guarantee], str] = {
    ApproxDP: mark("it needs a delta below 1 and a finite epsilon"),
    GaussianDP: mark("it needs a bound at every false positive rate"),
    PrivacyProfile: mark("it needs a delta below 1"),
    PureDP: mark("it needs a bound on every single output"),
    RenyiDP: mark("it needs a bound on the divergence of that order"),
    ZeroConcentratedDP: mark("it needs a bound on the divergences of all orders"),
}


@dataclass(frozen=True)
class Conversion:
    """A theorem that turns one kind of guarantee into another.

    Attributes
    ----------
    source, target
        The kinds.  A source ``PointwiseGuarantee`` is a pure or approximate guarantee or a profile.
    theorem
        What it says.
    citation
        Where it is proved: a key of the bibliography.
    apply
        The conversion itself, of a guarantee and the parameters of the target.
    """

    source: type
    target: type[Guarantee]
    theorem: str
    citation: str
    apply: Callable[..., Guarantee]


def convert(guarantee: Guarantee, kind: type[Kind], **parameters: Any) -> Kind:
    """Return what a guarantee says as another kind of guarantee, for the same relation.

    Nothing is gained on the way: the result is implied by the guarantee, and figures are rounded to
    the safe side.  Proofs: :doc:`/proofs/privacy-profile`, :doc:`/proofs/renyi-privacy`,
    :doc:`/proofs/zero-concentrated-privacy` and :doc:`/proofs/gaussian-privacy`.

    Parameters
    ----------
    guarantee
        Any guarantee.
    kind
        The class of the result.
    parameters
        For ``ApproxDP`` one of ``delta`` and ``epsilon``, for ``RenyiDP`` the ``order``, for
        ``PrivacyProfile`` the ``epsilons``; nothing for the others.

    Examples
    --------
    >>> from sfumato.privacy.guarantees import ApproxDP, PureDP, ZeroConcentratedDP, convert
    >>> print(convert(PureDP(epsilon=1), ZeroConcentratedDP))
    0.5-zCDP (add or remove one row)
    >>> print(convert(ZeroConcentratedDP(rho=0.5), ApproxDP, delta=1e-5))
    (4.728386984943314, 1e-05)-DP (add or remove one row)
    """
    _check_arguments(guarantee, kind, parameters)
    if type(guarantee) is kind and not parameters:
        return guarantee
    for row in CONVERSIONS:
        if row.target is kind and isinstance(guarantee, row.source):
            return cast("Kind", row.apply(guarantee, **parameters))
    raise _refusal(guarantee, kind)


def _check_arguments(guarantee: Any, kind: Any, parameters: dict[str, Any]) -> None:
    if not isinstance(guarantee, Guarantee):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "a guarantee is converted, not {guarantee}",
            "write PureDP(epsilon=1), say",
            guarantee=shown(guarantee),
        )
    if not isinstance(kind, type) or kind not in _PARAMETERS:
        known = ", ".join(each.__name__ for each in _PARAMETERS)
        raise InputError(
            "E-ARGUMENT-CHOICE",
            "the kind must be one of {known}, not {kind}",
            known=known,
            kind=shown(kind),
        )
    allowed = _PARAMETERS[kind]
    if len(parameters) != bool(allowed) or not parameters.keys() <= set(allowed):
        raise _other_parameters(kind, allowed, shown(sorted(parameters)))


def _other_parameters(kind: type[Guarantee], allowed: tuple[str, ...], given: object) -> InputError:
    if not allowed:
        return InputError(
            "E-ARGUMENT-CONFLICT",
            "converting to {kind} takes no further argument, not {given}",
            kind=kind.__name__,
            given=given,
        )
    return InputError(
        "E-ARGUMENT-CONFLICT",
        "converting to {kind} takes exactly one of {allowed}, not {given}",
        kind=kind.__name__,
        allowed=all_of(allowed),
        given=given,
    )


def _refusal(guarantee: Guarantee, kind: type[Guarantee]) -> InputError:
    return InputError(
        "E-GUARANTEE-TOO-WEAK",
        "{guarantee} gives no {kind}: {needs}",
        "convert to ApproxDP at a delta instead, or start from a stronger guarantee",
        guarantee=guarantee,
        kind=kind.__name__,
        needs=_NEEDS[kind],
    )


def _to_pure(guarantee: Guarantee) -> PureDP:
    epsilon = _guaranteed(guarantee.epsilon(delta=0), guarantee, PureDP)
    return PureDP(epsilon=epsilon, relation=guarantee.relation)


def _to_approximate(
    guarantee: Guarantee, *, delta: NumberLike | None = None, epsilon: EpsilonLike | None = None
) -> ApproxDP:
    if epsilon is None:
        epsilon = _guaranteed(guarantee.bounds(delta=delta).upper, guarantee, ApproxDP)
    else:
        delta = _guaranteed(guarantee.delta(epsilon=epsilon), guarantee, ApproxDP, below=1)
    return ApproxDP(epsilon=epsilon, delta=cast("NumberLike", delta), relation=guarantee.relation)


def _to_renyi(guarantee: Guarantee, *, order: NumberLike) -> RenyiDP:
    bound = _guaranteed(guarantee.renyi(order), guarantee, RenyiDP)
    return RenyiDP({order: bound}, relation=guarantee.relation)


def _to_zero_concentrated(guarantee: Guarantee) -> ZeroConcentratedDP:
    rho = _guaranteed(guarantee.rho(), guarantee, ZeroConcentratedDP)
    return ZeroConcentratedDP(rho=rho, relation=guarantee.relation)


def _to_gaussian(guarantee: Guarantee) -> GaussianDP:
    mu = _guaranteed(guarantee.mu(), guarantee, GaussianDP)
    return GaussianDP(mu=mu, relation=guarantee.relation)


def _to_profile(guarantee: Guarantee, *, epsilons: Any) -> PrivacyProfile:
    if not isinstance(epsilons, Iterable) or isinstance(epsilons, (str, bytes)):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "epsilons must be several ε, not {epsilons}",
            "write epsilons=[0, 1, 2]",
            epsilons=shown(epsilons),
        )
    curve = [(each, guarantee.delta(epsilon=each)) for each in epsilons]
    points = [(epsilon, delta) for epsilon, delta in curve if delta < 1]
    if curve and not points:
        raise _refusal(guarantee, PrivacyProfile)
    return PrivacyProfile(points, relation=guarantee.relation)


def _guaranteed(
    figure: float, guarantee: Guarantee, kind: type[Guarantee], below: float = math.inf
) -> float:
    """Return a figure that guarantees something, or refuse."""
    if not figure < below:
        raise _refusal(guarantee, kind)
    return figure


CONVERSIONS: tuple[Conversion, ...] = (
    Conversion(
        PointwiseGuarantee,
        PureDP,
        mark("the ε that holds at δ = 0, where there is one"),
        "dwork2014",
        _to_pure,
    ),
    Conversion(
        PointwiseGuarantee,
        ApproxDP,
        mark(
            "the least δ is convex in e^ε, and randomized response is the hardest pair for "
            "one point"
        ),
        "kairouz2015composition",
        _to_approximate,
    ),
    Conversion(
        PointwiseGuarantee,
        RenyiDP,
        mark("the divergence of randomized response with odds e^ε, where ε holds at δ = 0"),
        "kairouz2015composition",
        _to_renyi,
    ),
    Conversion(
        PointwiseGuarantee,
        ZeroConcentratedDP,
        mark("ρ = ε²/2, where ε holds at δ = 0"),
        "bun2016concentrated",
        _to_zero_concentrated,
    ),
    Conversion(
        PointwiseGuarantee,
        GaussianDP,
        mark("μ = 2Φ⁻¹(e^ε/(1 + e^ε)), where ε holds at δ = 0"),
        "kairouz2015composition",
        _to_gaussian,
    ),
    Conversion(
        GaussianDP,
        ApproxDP,
        "δ = Φ(μ/2 - ε/μ) - e^ε Φ(-μ/2 - ε/μ), exactly",
        "balle2018improving",
        _to_approximate,
    ),
    Conversion(
        GaussianDP,
        RenyiDP,
        "ε(α) = αμ²/2, exactly",
        "mironov2017renyi",
        _to_renyi,
    ),
    Conversion(
        GaussianDP,
        ZeroConcentratedDP,
        "ρ = μ²/2, exactly",
        "bun2016concentrated",
        _to_zero_concentrated,
    ),
    Conversion(
        ZeroConcentratedDP,
        RenyiDP,
        mark("ε(α) = αρ, by definition"),
        "bun2016concentrated",
        _to_renyi,
    ),
    Conversion(
        ZeroConcentratedDP,
        ApproxDP,
        mark("the Rényi bound at the best order"),
        "canonne2020discrete",
        _to_approximate,
    ),
    Conversion(
        RenyiDP,
        RenyiDP,
        mark("(α - 1) ε(α) is convex in α"),
        "vanerven2014",
        _to_renyi,
    ),
    Conversion(
        RenyiDP,
        ApproxDP,
        mark("δ = e^{(α-1)(ε(α)-ε)} (1 - 1/α)^{α-1} / α at the best order known"),
        "canonne2020discrete",
        _to_approximate,
    ),
    Conversion(
        Guarantee,
        ApproxDP,
        mark("one point of the privacy profile"),
        "dwork2014",
        _to_approximate,
    ),
    Conversion(
        Guarantee,
        PrivacyProfile,
        mark("several points of the privacy profile"),
        "balle2018improving",
        _to_profile,
    ),
)
