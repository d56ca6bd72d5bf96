"""What a guarantee allows, and several of them side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from sfumato.charts.curves.posterior import beliefs
from sfumato.charts.curves.profile import profile
from sfumato.charts.curves.tradeoff import tradeoff
from sfumato.charts.parts.lines import read_named
from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy.parameters import read_delta

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.printing.plotting import Chart
    from sfumato.privacy import Guarantee
    from sfumato.privacy.theorems.reading import NumberLike

    Of = Literal["profile", "trade-off", "posterior"]

__all__ = ["guarantee", "guarantees"]


def guarantee(
    guarantee: Guarantee, *, of: Of = "profile", delta: NumberLike | None = None
) -> Chart:
    """Draw what a guarantee allows.

    Parameters
    ----------
    guarantee
        The guarantee.
    of
        ``"profile"``: the least δ at each ε.  ``"trade-off"``: the least false negative rate at
        each false positive rate.  ``"posterior"``: how sure somebody can become about a person,
        by how sure they were.
    delta
        Where the profile and the posterior are read; without it 0 for a pure guarantee, the δ of an
        (ε, δ), and 1e-6 for others.

    Examples
    --------
    >>> import sfumato as sf
    >>> chart = sf.charts.guarantee(sf.privacy.GaussianDP(mu=1))
    >>> chart.to_dict()["title"]["text"]
    ['ε = 4.887 is guaranteed at δ = 1e-06']
    """
    return guarantees({"": guarantee}, of=of, delta=delta)


def guarantees(
    guarantees: Mapping[str, Guarantee], *, of: Of = "profile", delta: NumberLike | None = None
) -> Chart:
    """Draw what several guarantees allow, in one picture.

    Parameters
    ----------
    guarantees
        The guarantees by the names of their lines.
    of, delta
        As in :func:`guarantee`.

    Examples
    --------
    >>> import sfumato as sf
    >>> chart = sf.charts.guarantees({"Laplace": sf.PureDP(epsilon=1),
    ...                               "Gaussian": sf.ApproxDP(epsilon=1, delta=1e-6)})
    >>> chart.to_dict()["title"]["text"]
    ['at δ = 1e-06: ε = 1 for Laplace, 1 for Gaussian']
    """
    named = read_named(guarantees)
    at = None if delta is None else float(read_delta(delta))
    kinds: dict[str, Any] = {
        "profile": lambda: profile(named, delta=at),
        "trade-off": lambda: tradeoff(named),
        "posterior": lambda: beliefs(named, delta=at),
    }
    if of not in kinds:
        raise InputError(
            "E-ARGUMENT-CHOICE",
            "of must be 'profile', 'trade-off' or 'posterior', not {of}",
            of=shown(of),
        )
    chart: Chart = kinds[of]()
    return chart
