"""A plan: the start, the rounds, and what each spends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.printing import counted
from sfumato.privacy import ApproxDP, PureDP, events
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.learning.kmeans.plan.parts import Change, Printed, Rounds, Step, Synopsis
    from sfumato.privacy.events import Event


_TAKEN = mark(
    "values are clamped to their bounds; what is missing or no number counts as the middle"
)


@dataclass(frozen=True)
class Plan:
    """What will be done, by public numbers alone.

    Attributes
    ----------
    method
        "lloyd", "rounds", "grid" or "tree".
    clusters, dimensions
        How many centres there will be, in how many coordinates.
    change
        What one change of the table moves.
    guarantee
        What all of it keeps.
    reason
        Why this method.
    synopsis, rounds, printed
        The steps; None where there is none.

    Examples
    --------
    >>> import sfumato as sf
    >>> plan = sf.KMeans(n_clusters=3, epsilon=1, bounds=(0, 1)).plan(dimensions=2)
    >>> plan.method, str(plan.guarantee)
    ('tree', '1-DP (add or remove one row)')
    >>> model = sf.KMeans(n_clusters=5, epsilon=1, bounds=(0, 1), method="lloyd", rounds=5)
    >>> print(model.plan(dimensions=2))
    5 centres in 2 coordinates, by the textbook's algorithm, 5 rounds
      chosen because it was asked for
      5 × counts of a round: ε = 0.1
      5 × sums of a round: ε = 0.1
      in all 1-DP (substitute one row)
      values are clamped to their bounds; what is missing or no number counts as the middle
    """

    method: str
    clusters: int
    dimensions: int
    change: Change
    guarantee: PureDP | ApproxDP
    reason: str
    synopsis: Synopsis | None = None
    rounds: Rounds | None = None
    printed: Printed | None = None

    @property
    def steps(self) -> tuple[Step, ...]:
        """What each step is, what it spends, and how often it is done.

        Examples
        --------
        >>> import sfumato as sf
        >>> plan = sf.KMeans(n_clusters=3, epsilon=1, bounds=(0, 1)).plan(dimensions=2)
        >>> print(*plan.steps, sep=", ")
        splitting cells: ε = 0.3, counts of cells: ε = 0.3, counts of a round: ε = 0.0792, \
sums of a round: ε = 0.3208
        """
        parts = (self.synopsis, self.rounds, self.printed)
        return tuple(step for each in parts if each is not None for step in each.steps(self.change))

    @property
    def event(self) -> Event:
        """What is charged.

        Examples
        --------
        >>> import sfumato as sf
        >>> plan = sf.KMeans(n_clusters=3, epsilon=1, bounds=(0, 1)).plan(dimensions=2)
        >>> sf.compose(plan.event).epsilon(delta=0)
        1.0
        """
        steps = [each.charged for each in self.steps]
        return steps[0] if len(steps) == 1 else events.Composed(*steps)

    def __str__(self) -> str:
        centres = counted(self.clusters, "centre")
        coordinates = counted(self.dimensions, "coordinate")
        lines = [
            tr(
                "{centres} in {coordinates}, by {how}",
                centres=centres,
                coordinates=coordinates,
                how=self._how,
            ),
            tr("  chosen because {reason}", reason=self.reason),
            *(f"  {each}" for each in self.steps),
            tr("  in all {guarantee}", guarantee=self.guarantee),
            f"  {tr(_TAKEN)}",
        ]
        return "\n".join(lines)

    @property
    def _how(self) -> str:
        if self.printed is not None:
            return tr(
                "the textbook's algorithm, {rounds}", rounds=counted(self.printed.number, "round")
            )
        start = tr("centres far apart") if self.synopsis is None else str(self.synopsis)
        if self.rounds is None:
            return start
        return tr(
            "{start}, then {rounds}", start=start, rounds=counted(self.rounds.number, "round")
        )


@dataclass(frozen=True)
class Asked:
    """What is asked for, all of it public.

    Parameters
    ----------
    clusters, dimensions
        How many centres, in how many coordinates.
    epsilon, delta
        What it may cost.
    size
        About how many people there are, where that is public.
    method, rounds, noise
        What the caller chose; "auto" or None where the choice is left open.
    """

    clusters: int
    dimensions: int
    epsilon: Fraction
    delta: Fraction | None = None
    size: int | None = None
    method: str = "auto"
    rounds: int | None = None
    noise: str = "auto"

    @property
    def each(self) -> float:
        """How many people there are for each centre, times ε; infinite where that is not known."""
        return float("inf") if self.size is None else self.told / self.clusters

    @property
    def told(self) -> float:
        """How many people there are, times ε."""
        return float("inf") if self.size is None else self.size * float(self.epsilon)
