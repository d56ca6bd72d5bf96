"""The private steps of a plan: each with its share of the budget and its event."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import InternalError
from sfumato.mechanisms import DiscreteGaussian, DiscreteLaplace
from sfumato.privacy import events
from sfumato.tables.plan.measurements import Contribution, root_above
from sfumato.translation import tr

if TYPE_CHECKING:
    from sfumato.mechanisms import PartitionSelection
    from sfumato.privacy import Relation
    from sfumato.privacy.events import Event
    from sfumato.tables.plan.measurements import Measurement

#: σ is rounded up to a multiple of 2^-20 of a fine step.
_SIGMA_BITS = 20


@dataclass(frozen=True)
class Share:
    """A part of the budget: an ε, or a ρ."""

    epsilon: Fraction | None = None
    rho: Fraction | None = None

    def __post_init__(self) -> None:
        amount = self.epsilon if self.epsilon is not None else self.rho
        if amount is None or not amount > 0:
            raise InternalError("E-INTERNAL", "a step of a plan was given nothing to spend")

    @property
    def amount(self) -> Fraction:
        """The ε, or the ρ."""
        found = self.epsilon if self.epsilon is not None else self.rho
        return found or Fraction(0)

    def noise(
        self, sensitivity: Fraction, cells: int, relation: Relation
    ) -> DiscreteLaplace | DiscreteGaussian:
        """Return the noise that spends the share on whole numbers of a sensitivity."""
        if self.epsilon is not None:
            return DiscreteLaplace(
                scale=sensitivity / self.epsilon,
                sensitivity=int(sensitivity),
                relation=relation,
            )
        return DiscreteGaussian(
            sigma=root_above(sensitivity**2 / (2 * self.amount), _SIGMA_BITS),
            sensitivity=sensitivity,
            dimensions=max(cells, 2),
            relation=relation,
        )

    @property
    def event(self) -> Event:
        """What is charged where the noise depends on what is chosen privately before."""
        if self.epsilon is not None:
            return events.Pure(epsilon=self.epsilon)
        return events.ZeroConcentrated(rho=self.amount)

    def __str__(self) -> str:
        return f"{'ρ' if self.epsilon is None else 'ε'} = {float(self.amount):.4g}"


@dataclass(frozen=True)
class PrivateStep:
    """Something that is released in the course of a query.

    Parameters
    ----------
    share
        What it spends.
    """

    share: Share

    @property
    def event(self) -> Event:
        """What is charged for it."""
        return self.share.event

    @property
    def is_paid(self) -> bool:
        """Whether it is charged for with an earlier step."""
        return False


@dataclass(frozen=True)
class ChooseLimit(PrivateStep):
    """Choose a contribution limit, by a noisy histogram of how much the privacy units have.

    Parameters
    ----------
    weighing
        What of a person the histogram is of: "rows", "people" for groups, or "value".
    names
        The limits that are chosen by it.
    """

    weighing: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        what = tr("groups") if self.weighing == "people" else tr("rows")
        of = self.names[0] if self.weighing == "value" else tr("the number of {what}", what=what)
        return tr("choose the contribution limit of {of}: {share}", of=of, share=self.share)


@dataclass(frozen=True)
class FindKeys(PrivateStep):
    """Find which groups may be shown."""

    delta: Fraction
    groups: int
    relation: Relation

    @property
    def mechanism(self) -> PartitionSelection:
        """What keeps a group or drops it, by the people in it."""
        from sfumato.mechanisms import PartitionSelection

        return PartitionSelection(
            epsilon=self.share.epsilon,
            delta=self.delta,
            partitions=self.groups,
            relation=self.relation,
        )

    @property
    def people(self) -> float:
        """How many privacy units a group has that is as likely shown as not."""
        return self.mechanism.error(confidence=0.5)

    @property
    def units(self) -> str:
        """So many, in words."""
        return self.relation.unit.counted(round(self.people))

    @property
    def event(self) -> Event:
        """What is charged for it."""
        return self.mechanism.event

    def __str__(self) -> str:
        most = tr("one group") if self.groups == 1 else tr("{groups} groups", groups=self.groups)
        return tr(
            "partition selection, each {noun} counting in at most {most}: {share}, δ = {delta:.3g}",
            noun=self.relation.unit.noun,
            most=most,
            share=self.share,
            delta=float(self.delta),
        )


@dataclass(frozen=True)
class Measure(PrivateStep):
    """Add noise to one sum for each group.

    What is measured together is charged for once.  Relative to the noise, which is in proportion
    to the most that a row adds to each, a row adds at most one to all of them, and a person as
    much as to a count: in the norm L1, and all the more in L2.
    """

    measurement: Measurement
    contribution: Contribution
    cells: int | None
    joint: tuple[Measurement, ...] = ()

    @property
    def event(self) -> Event:
        """What is charged for it, with all that is measured together."""
        mechanism = self.mechanism(self.contribution, self.cells or 1)
        return self.share.event if self._is_open or len(self.joint) > 1 else mechanism.event

    @property
    def is_paid(self) -> bool:
        """Whether it is measured together with one before."""
        return bool(self.joint) and self.measurement != self.joint[0]

    def mechanism(
        self, contribution: Contribution, cells: int
    ) -> DiscreteLaplace | DiscreteGaussian:
        """Return the noise, in fine steps of the measurement."""
        sensitivity = contribution.sensitivity(self.measurement)
        return self.share.noise(sensitivity, cells, contribution.relation)

    def typical_error(self, contribution: Contribution, cells: int) -> float:
        """Return an error, in rows that add the most, that is exceeded as often as not."""
        typical = self.mechanism(contribution, cells).error(confidence=0.5)
        return typical / (contribution.fine * self.measurement.most)

    @property
    def spent_on(self) -> Measurement:
        """What it measures."""
        return self.measurement

    @property
    def limited_by(self) -> str:
        """Which limit it has."""
        return self.measurement.limited_by

    @property
    def _is_open(self) -> bool:
        """Whether the noise depends on a limit, on bounds or on groups that are found first."""
        if self.measurement.is_open:
            return True
        if self.contribution.column is None:
            return False
        return self.contribution.limits[self.measurement.limited_by].is_chosen

    def __str__(self) -> str:
        if len(self.joint) < 2:
            return tr(
                "measure {measurement}: {share}", measurement=self.measurement, share=self.share
            )
        *first, last = map(str, self.joint)
        return tr(
            "measure {first} and {last} together: {share}",
            first=", ".join(first),
            last=last,
            share=self.share,
        )
