"""What a ledger's tables are made of: guarantees, shares, moments, what was done."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sfumato.errors import BudgetError, InputError
from sfumato.ledger import SHARING, at_most, spent
from sfumato.printing import counted, wrapped
from sfumato.privacy import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP, guarantee_to_document
from sfumato.privacy.events import (
    Approximate,
    Composed,
    DiscreteGaussian,
    DiscreteLaplace,
    Gaussian,
    Laplace,
    Pure,
    ZeroConcentrated,
    plain,
)
from sfumato.privacy.filters import filter_for
from sfumato.translation import mark, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import timedelta
    from fractions import Fraction

    from sfumato.ledger import Entry, Rule, Standing
    from sfumato.privacy import Guarantee
    from sfumato.privacy.events import Event
    from sfumato.privacy.filters import PrivacyFilter
    from sfumato.translation import Sentences


#: Below a table in which something is left by the greatest step.
STEPS = mark(
    "≤: the greatest single step that still fits; together, steps cost less than their sum"
)

_NOISE: Sentences = {
    Laplace: "Laplace, scale {size}",
    DiscreteLaplace: "discrete Laplace, scale {size}",
    Gaussian: "Gaussian, sigma {size}",
    DiscreteGaussian: "discrete Gaussian, sigma {size}",
}
_BAR = 20
#: The digests of plan and question with which the purpose of an answer ends.
_DIGESTS = re.compile(r" \(plan [0-9a-f]+(?:, question [0-9a-f]+)?\)\Z")


def bar(share: Fraction) -> str:
    """Return a share as a bar; any part of a step that is begun is drawn."""
    steps = min(_BAR, int(-(-share * _BAR // 1)))
    return f"[{'#' * steps}{'.' * (_BAR - steps)}]"


def moment(when: str) -> str:
    """Return a moment of an entry to the second."""
    return when[:19].replace("T", " ")


def age(elapsed: timedelta) -> str:
    """Return how long ago something was, in its greatest whole unit."""
    seconds = max(0, int(elapsed.total_seconds()))
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= size:
            return tr("{seconds} ago", seconds=counted(seconds // size, unit))
    return tr("{seconds} ago", seconds=counted(seconds, "second"))


def told(entry: Entry) -> tuple[str, str, str]:
    """Return who was charged by an entry, what was done, and why, in words without digests."""
    body = entry.body
    match entry.kind:
        case "opening":
            return "", tr("the book is opened"), ""
        case "release":
            done = tr_n(
                "{size} is released for entry {body}",
                "{size} are released for entry {body}",
                body["size"],
                size=counted(body["size"], "byte"),
                body=body["settles"],
            )
            return "", done, ""
        case "closing":
            what = tr("entry {body} is closed, nothing was released", body=body["settles"])
            return "", what, str(body["reason"])
    done = "" if entry.event is None else entry.event.describe()
    return str(body["analyst"]), done, purpose_in_words(str(body["purpose"]))


def unanswered(charges: int) -> str:
    """Return how many charges nothing was recorded for."""
    return tr_n(
        "{charges} has no recorded answer",
        "{charges} have no recorded answer",
        charges,
        charges=counted(charges, "charge"),
    )


def purpose_in_words(purpose: str) -> str:
    """Return why something was charged without the digests that an answer's purpose ends with."""
    return _DIGESTS.sub("", purpose)


def charged(event: Event) -> str:
    """Return what was done in a cell: the numbers of a guarantee, or the noise and its scale."""
    match event:
        case Pure():
            return f"ε = {at_most(event.epsilon)}"
        case Approximate():
            return f"ε = {at_most(event.epsilon)}, δ = {at_most(event.delta)}"
        case ZeroConcentrated():
            return f"ρ = {at_most(event.rho)}"
        case Laplace() | DiscreteLaplace() | Gaussian() | DiscreteGaussian():
            return _noise(event)
        case Composed():
            return "; ".join(charged(each) for each in event.events)
    return event.describe()


def _noise(event: Laplace | DiscreteLaplace | Gaussian | DiscreteGaussian) -> str:
    size = event.scale if isinstance(event, Laplace | DiscreteLaplace) else event.sigma
    noise = tr(_NOISE[type(event)], size=plain(size))
    if event.sensitivity == 1:
        return noise
    return tr(
        "{noise}, sensitivity {sensitivity}", noise=noise, sensitivity=plain(event.sensitivity)
    )


def cost(event: Event, rule: Rule | None) -> str:
    """Return what an event costs alone, as a budget counts it; nothing where none counts it."""
    if isinstance(event, Approximate):
        return charged(event)
    for kept in [] if rule is None else _countings(rule):
        with suppress(BudgetError, InputError):
            kept.admit(event)
            return _figures(kept.spent())
    return ""


def _countings(rule: Rule) -> Iterator[PrivacyFilter]:
    """Yield what can add up an event; under (ε, δ), what is pure has no part in the δ."""
    budget = rule.budget
    if isinstance(budget, ApproxDP):
        yield filter_for(PureDP(epsilon=budget.exact_epsilon, relation=budget.relation))
    yield rule.filter()


def _figures(guarantee: Guarantee) -> str:
    """Return the numbers of a guarantee, rounded up."""
    match guarantee:
        case PureDP():
            return f"ε = {at_most(guarantee.exact_epsilon)}"
        case ApproxDP():
            return f"ε = {at_most(guarantee.exact_epsilon)}, δ = {at_most(guarantee.exact_delta)}"
        case ZeroConcentratedDP():
            return f"ρ = {at_most(guarantee.exact_rho)}"
        case GaussianDP():
            return f"μ = {at_most(guarantee.exact_mu)}"
    return spent(guarantee)


def spent_in_words(standing: Standing) -> str:
    """Return what is spent of a budget; under (ε, δ) the δ goes with the first step."""
    is_untouched = standing.used == 0 and isinstance(standing.rule.budget, ApproxDP)
    return tr("nothing") if is_untouched else spent(standing.spent)


def guarantees(rules: Sequence[Rule], *, width: int) -> list[str]:
    """Return what budgets guarantee in lines; what all budgets of analysts lack is said once."""
    told = [each for rule in rules for each in (rule.guarantee(), *_reserved(rule))]
    if not all(rule.is_shared for rule in rules):
        told.append(tr(SHARING))
    return [line for each in told for line in wrapped(each, width)]


def standing_figures(standing: Standing) -> dict[str, Any]:
    """Return where a budget stands, ready for JSON; guarantees are exact documents."""
    return {
        "rule": standing.rule.document(),
        "sentence": standing.rule.sentence(),
        "period": standing.window or None,
        "spent": guarantee_to_document(standing.spent),
        "remaining": guarantee_to_document(standing.remaining),
        "used": float(standing.used),
    }


def _reserved(rule: Rule) -> list[str]:
    """Return how much of the δ is kept for steps with a δ of their own, if any is."""
    if not isinstance(rule.budget, ApproxDP) or rule.reserve == 0:
        return []
    kept = at_most(rule.reserve * rule.budget.exact_delta)
    return [tr("  of its δ, {kept} is in reserve, for steps with a δ of their own", kept=kept)]
