"""A plan in words: what was chosen, why, and what each step spends."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.learning.kmeans.plan.plan import Plan

__all__ = ["explained"]


def explained(plan: Plan) -> str:
    """Return a plan in words, a line each.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.learning.kmeans.plan.explaining import explained
    >>> model = sf.KMeans(n_clusters=5, epsilon=1, bounds=(0, 1), method="lloyd", rounds=5)
    >>> print(explained(model.plan(dimensions=2)))
    5 centres in 2 coordinates, by the textbook's algorithm, 5 rounds
      chosen because it was asked for
      5 × counts of a round: ε = 0.1
      5 × sums of a round: ε = 0.1
      in all 1-DP (substitute one row)
      values outside their bounds count as the bound, missing ones as the middle
    """
    centres = "1 centre" if plan.clusters == 1 else f"{plan.clusters:,} centres"
    coordinates = "1 coordinate" if plan.dimensions == 1 else f"{plan.dimensions:,} coordinates"
    return "\n".join(
        [
            f"{centres} in {coordinates}, by {_how(plan)}",
            f"  chosen because {plan.reason}",
            *(f"  {each}" for each in plan.steps),
            f"  in all {plan.guarantee}",
            "  values outside their bounds count as the bound, missing ones as the middle",
        ]
    )


def _how(plan: Plan) -> str:
    if plan.printed is not None:
        return f"the textbook's algorithm, {_rounds(plan.printed.number)}"
    start = "centres far apart" if plan.synopsis is None else str(plan.synopsis)
    return start if plan.rounds is None else f"{start}, then {_rounds(plan.rounds.number)}"


def _rounds(number: int) -> str:
    return "1 round" if number == 1 else f"{number} rounds"
