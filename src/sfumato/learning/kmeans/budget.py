"""Choosing a method and dividing the budget, by public numbers alone."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import log2
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.learning.kmeans.plan import (
    KMeansRequest,
    NoGuarantee,
    Plan,
    Rounds,
    Synopsis,
    TableChange,
    TextbookRounds,
)
from sfumato.privacy import ApproxDP, PureDP, compose
from sfumato.refusal import Argument, Arguments, Bare
from sfumato.translation import tr

if TYPE_CHECKING:
    from sfumato.learning.kmeans.domain import L1Ball


_BISECTIONS = 20
_LEAST = Fraction(1, 10**16)
#: The sum of absolute coordinates of a point, over √d times the root of the sum of squares, is
#: about so much where no coordinate stands out.
_USUAL = 0.8


def with_gaussian_sums(plan: Plan, asked: KMeansRequest) -> Plan:
    """Return the plan with Gaussian noise on sums, if it is less than the Laplace noise would be.

    The rest of the plan spends ε purely.  ρ is the greatest for which the accountant proves that
    all of it together keeps (ε, δ).
    """
    rounds = plan.rounds
    if rounds is None or rounds.sums is None or asked.noise == "laplace":
        return plan
    if not _keeps(_gaussian(plan, rounds, asked, _LEAST), asked):
        return _without_gaussian(plan, asked)
    rho = _greatest_rho(plan, rounds, asked)
    longer = _USUAL * plan.dimensions**0.5
    of_laplace = 2**0.5 * longer / float(rounds.sums)
    if asked.noise == "auto" and (2 * float(rho)) ** -0.5 >= of_laplace:
        return plan
    return _gaussian(plan, rounds, asked, rho)


def _without_gaussian(plan: Plan, asked: KMeansRequest) -> Plan:
    if asked.noise == "auto":
        return plan
    raise InputError(
        "E-EPSILON-TOO-SMALL",
        "epsilon and delta are too small for Gaussian noise that can be drawn",
        "leave noise out, or write {example}",
        example=Arguments((Argument("epsilon", 1), Argument("delta", Bare("1e-6")))),
    )


def _greatest_rho(plan: Plan, rounds: Rounds, asked: KMeansRequest) -> Fraction:
    """Return ρ of the sums of a round, by bisection of its logarithm, and short enough to print."""
    low, high = _LEAST, asked.budget
    for _ in range(_BISECTIONS):
        middle = Fraction(f"{float(low * high) ** 0.5:.5g}")
        if _keeps(_gaussian(plan, rounds, asked, middle), asked):
            low = middle
        else:
            high = middle
    return low


def _gaussian(plan: Plan, rounds: Rounds, asked: KMeansRequest, rho: Fraction) -> Plan:
    guarantee = ApproxDP(
        epsilon=asked.budget, delta=asked.delta or 0, relation=plan.change.relation
    )
    return replace(plan, rounds=replace(rounds, sums=None, rho=rho), guarantee=guarantee)


def _keeps(plan: Plan, asked: KMeansRequest) -> bool:
    spent = compose(plan.event, relation=plan.change.relation).epsilon(delta=asked.delta or 0)
    return Fraction(spent) <= asked.budget


#: Below so many people a centre, times ε, a grid tells more than a tree, and all of ε is better
#: spent on its cells than on a round.
_ENOUGH = 40
#: A tree begins with 2^3 cells, and counts below three scales of their noise are left out.
_ROOTS, _KEPT = 3, 3.0
#: Cells of a grid for each person, times ε, and how often the box is halved at most.
_CELLS = 0.75
_MOST_LEVEL = 12
#: How often it is halved where the number of people is not declared.
_USUAL_LEVEL = 10
#: From so many people a centre, times ε, and so many coordinates on, a second round is worth what
#: it takes from the first.
_ENOUGH_FOR_TWO = 400
_MANY_COORDINATES = 5
#: Of improved Lloyd: the mean square distance that is assumed, and the fewest and most rounds.
_RHO = 0.225
_FEWEST, _MOST = 2, 7
#: Rounds of the textbook's algorithm where nobody says how many.
PRINTED_ROUNDS = 5


def chosen_plan(asked: KMeansRequest, change: TableChange, domain: L1Ball | None = None) -> Plan:
    """Return what will be done."""
    method, reason = (asked.method, tr("it was asked for"))
    if method == "auto":
        method, reason = _best(asked)
    guarantee = _guarantee(asked, change)
    plan = Plan(method, asked.clusters, asked.dimensions, change, guarantee, reason, domain)
    if method == "lloyd":
        return _printed(plan, asked)
    planned = _with_steps(plan, asked)
    return planned if asked.delta is None else with_gaussian_sums(planned, asked)


def _guarantee(asked: KMeansRequest, change: TableChange) -> PureDP | NoGuarantee:
    if asked.epsilon is None:
        return NoGuarantee(change.relation)
    return PureDP(epsilon=asked.epsilon, relation=change.relation)


def _best(asked: KMeansRequest) -> tuple[str, str]:
    if asked.size is None:
        return "tree", tr("the number of people is not declared, and a tree needs to know none")
    said = tr(
        "{size:,} people at ε = {epsilon:g} for {clusters} centres",
        size=asked.size,
        epsilon=float(asked.budget),
        clusters=asked.clusters,
    )
    if asked.each < _ENOUGH:
        return "grid", tr("{said} are too few for cells to be split by what is in them", said=said)
    return "tree", tr("{said} are enough for cells to be split where points are many", said=said)


def _printed(plan: Plan, asked: KMeansRequest) -> Plan:
    number = asked.rounds or PRINTED_ROUNDS
    each = None if asked.epsilon is None else asked.epsilon / (2 * number)
    return replace(plan, printed=TextbookRounds(number, each))


def _with_steps(plan: Plan, asked: KMeansRequest) -> Plan:
    if plan.method == "rounds":
        number = asked.rounds or _rounds_by_error(asked)
        return replace(plan, rounds=_divided(asked.budget, number, asked))
    number, share = _rounds_after(plan.method, asked)
    spent = asked.budget * share
    rounds = _divided(spent, number, asked) if number else None
    return replace(
        plan, synopsis=_synopsis(plan.method, asked, asked.budget - spent), rounds=rounds
    )


def _rounds_after(method: str, asked: KMeansRequest) -> tuple[int, Fraction]:
    """Return how many rounds follow a synopsis, and which share of ε they spend."""
    if asked.rounds is not None:
        return asked.rounds, Fraction(2, 5) if asked.rounds else Fraction(0)
    if asked.each < _ENOUGH:
        return 0, Fraction(0)
    enough = method == "tree" and asked.size is not None and asked.each >= _ENOUGH_FOR_TWO
    if enough and asked.dimensions >= _MANY_COORDINATES:
        return 2, Fraction(3, 5)
    return 1, Fraction(2, 5)


def _divided(epsilon: Fraction, number: int, asked: KMeansRequest) -> Rounds:
    """Divide what rounds spend between them, and between the counts and sums of each.

    A count matters less the more coordinates a sum has: its share of the ε of a round is q/(1+q)
    with q = 0.35/√d.
    """
    odds = 0.35 / asked.dimensions**0.5
    share = Fraction(max(round(1000 * odds / (1 + odds)), 1), 1000)
    each = epsilon / number
    return Rounds(number, each * share, sums=each * (1 - share))


def _rounds_by_error(asked: KMeansRequest) -> int:
    """Return for how many rounds the noise is small enough :cite:p:`su2016differentially`."""
    if asked.size is None:
        return (_FEWEST + _MOST) // 2
    d, k = asked.dimensions, asked.clusters
    least = (500 * k**3 / asked.size**2 * (d + (4 * d * _RHO**2) ** (1 / 3)) ** 3) ** 0.5
    return int(min(max(float(asked.budget) / least, _FEWEST), _MOST))


def _synopsis(method: str, asked: KMeansRequest, epsilon: Fraction) -> Synopsis:
    """Return which cells are counted, and which counts are kept.

    Where a grid halves not even every coordinate, all cells have points, and all counts count.
    """
    if method == "tree":
        return Synopsis(counts=epsilon / 2, tree=epsilon / 2, level=_ROOTS, kept=_KEPT)
    level = _USUAL_LEVEL
    if asked.size is not None:
        level = min(max(round(log2(max(_CELLS * asked.told, 1.0))), 1), _MOST_LEVEL)
    kept = 4.0 if asked.each >= _ENOUGH else 2.0 if level >= asked.dimensions else 0.0
    return Synopsis(counts=epsilon, level=level, kept=kept)
