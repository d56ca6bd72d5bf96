"""Which filter keeps which budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy.filters.additive import ConcentratedFilter, GaussianFilter, PureFilter
from sfumato.privacy.filters.base import check_budget
from sfumato.privacy.filters.costs import read_reserve
from sfumato.privacy.filters.renyi import RenyiFilter
from sfumato.privacy.guarantees import (
    ApproxDP,
    GaussianDP,
    Guarantee,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.privacy.filters.base import PrivacyFilter
    from sfumato.privacy.theorems.certified import NumberLike


_OTHERS: dict[type[Guarantee], Callable[[Any], PrivacyFilter]] = {
    PureDP: PureFilter,
    ZeroConcentratedDP: ConcentratedFilter,
    GaussianDP: GaussianFilter,
    RenyiDP: RenyiFilter,
}
_KINDS = (PureDP, ApproxDP, ZeroConcentratedDP, GaussianDP, RenyiDP)


def filter_for(budget: Guarantee, *, reserve: NumberLike = 0) -> PrivacyFilter:
    """Return the filter that keeps a budget.

    Parameters
    ----------
    budget
        Pure, approximate, zero-concentrated, Gaussian or Rényi privacy.  An approximate budget is
        kept by ``MixtureFilter``, which takes every kind of event.
    reserve
        The share of an approximate budget's δ that is kept for events with a δ of their own.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.privacy.filters import filter_for
    >>> budget = filter_for(sf.ApproxDP(epsilon=1, delta=1e-6))
    >>> budget.remaining_count(sf.privacy.events.Gaussian(sigma=40))
    75
    """
    check_budget(budget, "filter_for", *_KINDS)
    share = read_reserve(reserve)
    if isinstance(budget, ApproxDP):
        from sfumato.privacy.filters.mixture import MixtureFilter

        return MixtureFilter(budget, reserve=share)
    if share > 0:
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "reserve={reserve} is a share of delta, which {budget} has none of",
            "write filter_for(budget), or give a budget of ApproxDP",
            reserve=shown(reserve),
            budget=budget,
        )
    return next(make(budget) for kind, make in _OTHERS.items() if isinstance(budget, kind))
