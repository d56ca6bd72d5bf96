"""A plan of private k-means: what is asked for, the start and the rounds, and what each spends."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.ledger import Price
from sfumato.mechanisms import DiscreteLaplace, Laplace, PrivateTree
from sfumato.printing import counted, setting
from sfumato.privacy import ApproxDP, PureDP, Substitute, events
from sfumato.refusal import Argument, Bare
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from sfumato.learning.kmeans.domain import L1Ball
    from sfumato.privacy import Relation
    from sfumato.privacy.events import Event

_TAKEN = mark(
    "values are clamped to their bounds; what is missing or no number counts as the middle"
)
_PULLED = mark(
    "a point outside {domain} is scaled towards its centre; what is missing or no number counts as "
    "that of the centre"
)
#: What is said wherever ε is infinite.
NO_NOISE = mark("NOT PRIVATE: epsilon = inf adds no noise")
_COUNTS, _SUMS = mark("counts of a round"), mark("sums of a round")


@dataclass(frozen=True)
class KMeansRequest:
    """What is asked for, all of it public.

    Parameters
    ----------
    clusters, dimensions
        How many centres, in how many coordinates.
    epsilon, delta
        What it may cost; an ε of None stands for no noise.
    size
        About how many people there are, where that is public.
    method, rounds, noise
        What the caller chose; "auto" or None where the choice is left open.
    """

    clusters: int
    dimensions: int
    epsilon: Fraction | None
    delta: Fraction | None = None
    size: int | None = None
    method: str = "auto"
    rounds: int | None = None
    noise: str = "auto"

    @property
    def budget(self) -> Fraction:
        """What there is to divide between steps that add noise."""
        if self.epsilon is None:
            message = "without noise there is nothing to divide"
            raise ValueError(message)
        return self.epsilon

    @property
    def each(self) -> float:
        """How many people there are for each centre, times ε; infinite where that is not known."""
        return float("inf") if self.size is None else self.told / self.clusters

    @property
    def told(self) -> float:
        """How many people there are, times ε."""
        return float("inf") if self.size is None else self.size * float(self.budget)


@dataclass(frozen=True)
class NoGuarantee:
    """What stands where a guarantee would: nothing is guaranteed to anybody.

    It is none of the guarantees of ``sf.privacy``, so that no ledger, certificate or accountant
    takes it for one.

    Attributes
    ----------
    relation
        Which tables would be neighbours.

    Examples
    --------
    >>> import math
    >>> import sfumato as sf
    >>> plan = sf.KMeans(3, epsilon=math.inf, bounds=(0, 1), method="lloyd").plan(dimensions=2)
    >>> print(plan.guarantee)
    NOT PRIVATE: epsilon = inf adds no noise
    """

    relation: Relation

    def __str__(self) -> str:
        return tr(NO_NOISE)


@dataclass(frozen=True)
class Plan:
    r"""What will be done, by public numbers alone.

    Attributes
    ----------
    method
        "lloyd", "rounds", "grid" or "tree".
    clusters, dimensions
        How many centres there will be, in how many coordinates.
    change
        What one change of the table moves.
    guarantee
        What all of it keeps; it says so where it keeps nothing.
    reason
        Why this method.
    domain
        The L1 ball that points lie in; None where bounds say it.
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
    >>> ball = sf.learning.L1Ball(radius=1)
    >>> model = sf.KMeans(n_clusters=5, epsilon=1, domain=ball, method="lloyd", rounds=5)
    >>> print(*str(model.plan(dimensions=2)).splitlines()[2:4], sep="\n")
      5 × counts of a round: ε = 0.1, Laplace noise of scale 20
      5 × sums of a round: ε = 0.1, Laplace noise of scale 20
    """

    method: str
    clusters: int
    dimensions: int
    change: TableChange
    guarantee: PureDP | ApproxDP | NoGuarantee
    reason: str
    domain: L1Ball | None = None
    synopsis: Synopsis | None = None
    rounds: Rounds | None = None
    printed: TextbookRounds | None = None

    @property
    def steps(self) -> tuple[KMeansStep, ...]:
        """What each step is, what it spends, and how often it is done.

        Examples
        --------
        >>> import sfumato as sf
        >>> plan = sf.KMeans(n_clusters=3, epsilon=1, bounds=(0, 1)).plan(dimensions=2)
        >>> print(*plan.steps, sep=", ")
        splitting cells: ε = 0.3, counts of cells: ε = 0.3, counts of a round: ε = 0.0792, \
sums of a round: ε = 0.3208
        """
        if self.printed is not None:
            return tuple(self.printed.steps(self.change, self.domain))
        parts = (self.synopsis, self.rounds)
        return tuple(step for each in parts if each is not None for step in each.steps(self.change))

    @property
    def is_private(self) -> bool:
        """Whether anything is guaranteed.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.KMeans(n_clusters=3, epsilon=1, bounds=(0, 1)).plan(dimensions=2).is_private
        True
        """
        return not isinstance(self.guarantee, NoGuarantee)

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
        return self.price.event

    @property
    def price(self) -> Price:
        """The event and the guarantee together, as a ledger takes them.

        Examples
        --------
        >>> import sfumato as sf
        >>> plan = sf.KMeans(n_clusters=3, epsilon=1, bounds=(0, 1)).plan(dimensions=2)
        >>> print(plan.price.guarantee)
        1-DP (add or remove one row)
        """
        if isinstance(self.guarantee, NoGuarantee):
            raise InputError(
                "E-EVENT-KIND",
                "{epsilon} adds no noise, and there is no event for what guarantees nothing",
                "write {example}, say",
                epsilon=Argument("epsilon", Bare("inf")),
                example=Argument("epsilon", 1),
            )
        steps = [each.charged for each in self.steps]
        event = steps[0] if len(steps) == 1 else events.Composed(*steps)
        return Price(event, self.guarantee)

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
            self._in_all,
            f"  {tr(_TAKEN) if self.domain is None else tr(_PULLED, domain=self.domain)}",
        ]
        return "\n".join(lines)

    @property
    def _in_all(self) -> str:
        if not self.is_private:
            return f"  {self.guarantee}"
        return tr("  in all {guarantee}", guarantee=self.guarantee)

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
class KMeansStep:
    """Something that is released in the course of a plan.

    Parameters
    ----------
    said
        What it is, in words.
    event
        What is done.
    epsilon, rho
        What it spends: one of them.
    times
        How often it is done.
    scale
        The scale of its Laplace noise in points and units of the data; None where that is not one
        number for all coordinates.
    """

    said: str
    event: Event
    epsilon: Fraction | None = None
    rho: Fraction | None = None
    times: int = 1
    scale: Fraction | None = None

    @property
    def charged(self) -> Event:
        """What is charged for all of its times."""
        return self.event if self.times == 1 else events.Repeated(self.event, count=self.times)

    def __str__(self) -> str:
        sign, amount = ("ρ", self.rho) if self.epsilon is None else ("ε", self.epsilon)
        often = "" if self.times == 1 else f"{self.times} × "
        spent = f"{often}{self.said}: {sign} = {float(amount or 0):.4g}"
        if self.scale is None:
            return spent
        scale = setting(float(f"{float(self.scale):.6g}"))
        return tr("{spent}, Laplace noise of scale {scale}", spent=spent, scale=scale)


@dataclass(frozen=True)
class Synopsis:
    """Cells and how much the points in each weigh, with noise: where the centres start.

    Parameters
    ----------
    counts
        The ε of the counts of cells.
    level
        How often the box is halved before anything is looked at.
    tree
        The ε of splitting crowded cells further; None for a grid.
    kept
        Cells count whose noisy count is above so many noise scales.
    """

    counts: Fraction
    level: int = 0
    tree: Fraction | None = None
    kept: float = 2.0

    def __str__(self) -> str:
        if self.tree is None:
            return tr("a grid of {level:,} cells", level=1 << self.level)
        return tr("a tree of cells, split where points are many")

    def splitting(self, change: TableChange, depth: int) -> PrivateTree | None:
        """Return what splits cells, so many levels deep; None for a grid."""
        if self.tree is None:
            return None
        return PrivateTree(
            epsilon=self.tree, depth=depth, sensitivity=change.one, relation=change.relation
        )

    def steps(self, change: TableChange) -> list[KMeansStep]:
        """Return what is split and counted."""
        counted = KMeansStep(
            tr("counts of cells"), self.counting(change).event, epsilon=self.counts
        )
        if self.tree is None:
            return [counted]
        split = events.Pure(epsilon=self.tree)
        return [KMeansStep(tr("splitting cells"), split, epsilon=self.tree), counted]

    def counting(self, change: TableChange) -> DiscreteLaplace:
        """Return the noise of the counts of cells."""
        return _noise_of_counts(self.counts, change)


@dataclass(frozen=True)
class Rounds:
    """Rounds of Lloyd's algorithm, in which points count by their distance from the old centre.

    Parameters
    ----------
    number
        How many rounds.
    counts
        The ε of the counts, a round.
    sums
        The ε of the sums, a round, of Laplace noise; None where the noise is Gaussian.
    rho
        The ρ of the sums, a round, of Gaussian noise.
    """

    number: int
    counts: Fraction
    sums: Fraction | None = None
    rho: Fraction | None = None

    @property
    def norm(self) -> str:
        """In which norm distances are limited."""
        return "l1" if self.rho is None else "l2"

    def counting(self, change: TableChange) -> DiscreteLaplace:
        """Return the noise of the counts of one round."""
        return _noise_of_counts(self.counts, change)

    def steps(self, change: TableChange) -> list[KMeansStep]:
        """Return what is counted and added up in each round."""
        counted = KMeansStep(
            tr(_COUNTS), self.counting(change).event, epsilon=self.counts, times=self.number
        )
        if self.rho is None:
            sums = self.sums or Fraction(0)
            added = KMeansStep(
                tr(_SUMS), events.Pure(epsilon=sums), epsilon=sums, times=self.number
            )
        else:
            concentrated = events.ZeroConcentrated(rho=self.rho)
            added = KMeansStep(tr(_SUMS), concentrated, rho=self.rho, times=self.number)
        return [counted, added]


@dataclass(frozen=True)
class TextbookRounds:
    """The textbook's rounds: ε' = ε/(2T) for the counts and for the sums of each.

    Parameters
    ----------
    number
        T, how many rounds.
    each
        ε'; None where no noise is added.
    """

    number: int
    each: Fraction | None

    def steps(self, change: TableChange, domain: L1Ball | None = None) -> list[KMeansStep]:
        """Return what is counted and added up in each round; nothing is released without noise.

        The sensitivity of sums is that of counts, times the radius of the ball.
        """
        noise = self.noise(change)
        if noise is None:
            return []
        points = noise.scale / change.fine
        radius = None if domain is None else Fraction(domain.radius)
        scales = (None, None) if radius is None else (points, points * radius)
        return [
            KMeansStep(said, noise.event, epsilon=self.each, times=self.number, scale=scale)
            for said, scale in zip((tr(_COUNTS), tr(_SUMS)), scales, strict=True)
        ]

    def __repr__(self) -> str:
        """Return the words in which it stands in the purposes of ledgers."""
        return f"Printed(number={self.number!r}, each={self.each!r})"

    def noise(self, change: TableChange, radius: int = 1) -> Laplace | None:
        """Return the noise of counts, or of sums of points within a ball of so many steps."""
        if self.each is None:
            return None
        return Laplace(epsilon=self.each, sensitivity=change.sums(radius), relation=change.relation)


@dataclass(frozen=True)
class TableChange:
    """One change of the table.

    Parameters
    ----------
    relation
        Which tables are neighbours.
    weight
        The most that the rows of one person weigh together, in points.
    fine
        In how many parts a point is weighed.
    """

    relation: Relation
    weight: int = 1
    fine: int = 1

    @property
    def counts(self) -> int:
        """By how much it moves counts of disjoint groups together, in the parts of a point.

        A person who leaves takes at most the weight; whoever comes instead brings as much.
        """
        return self.people * self.one

    @property
    def people(self) -> int:
        """How many people's points it touches."""
        return 2 if isinstance(self.relation, Substitute) else 1

    @property
    def one(self) -> int:
        """What one person weighs, in the parts of a point."""
        return self.weight * self.fine

    def sums(self, radius: int) -> int:
        """Return by how much it moves sums of points, none of them further out than a radius."""
        return self.counts * radius


def _noise_of_counts(epsilon: Fraction, change: TableChange) -> DiscreteLaplace:
    return DiscreteLaplace(epsilon=epsilon, sensitivity=change.counts, relation=change.relation)
