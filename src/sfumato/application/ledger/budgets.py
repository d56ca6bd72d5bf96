"""Budgets and costs as a person types them: numbers of one kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.application.event_files import read_events
from sfumato.application.relations import named_relation
from sfumato.errors import InputError
from sfumato.privacy import AddRemove, ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from sfumato.privacy.events import Approximate, Composed, Pure, ZeroConcentrated
from sfumato.privacy.parameters import read_delta
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TextIO

    from sfumato.ledger import Budget
    from sfumato.privacy import Relation
    from sfumato.privacy.events import Event

__all__ = ["Kind", "read_cost", "read_kind"]


@dataclass(frozen=True)
class Kind:
    """A kind of budget, of which there may be several in a book.

    Attributes
    ----------
    sign
        "epsilon", "rho" or "mu".
    amount
        How much of it everyone may spend together.
    delta
        With "epsilon": the δ of every budget.
    relation
        Which tables are neighbours.
    """

    sign: str
    amount: str
    delta: str | None
    relation: Relation

    def budget(
        self, amount: str | None = None, delta: str | None = None, *, option: str = ""
    ) -> Budget:
        """Return a budget of this kind; by default the one of everyone together.

        Parameters
        ----------
        amount, delta
            How much of it, and its δ if it has another one.
        option
            Where the numbers were written, for the head of a refusal.
        """
        try:
            return self._budget(
                self.amount if amount is None else amount, self.delta if delta is None else delta
            )
        except InputError as error:
            if option:
                error.refusal = error.refusal.at(option, in_file=True)
            raise

    def _budget(self, given: Any, failure: Any) -> Budget:
        match self.sign:
            case "rho":
                return ZeroConcentratedDP(rho=given, relation=self.relation)
            case "mu":
                return GaussianDP(mu=given, relation=self.relation)
        if _is_nothing(failure):
            return PureDP(epsilon=given, relation=self.relation)
        return ApproxDP(epsilon=given, delta=failure, relation=self.relation)


def read_kind(
    *,
    epsilon: str | None = None,
    delta: str | None = None,
    rho: str | None = None,
    mu: str | None = None,
    relation: str | None = None,
) -> Kind:
    """Return the kind of budget that numbers say; exactly one of ε, ρ and μ."""
    given = {"epsilon": epsilon, "rho": rho, "mu": mu}
    sign, value = _only(given, delta, mark("give one of --epsilon, --rho and --mu"))
    return Kind(sign, value, delta, named_relation(relation) or AddRemove())


def read_cost(
    *,
    event: str | TextIO | None = None,
    epsilon: str | None = None,
    delta: str | None = None,
    rho: str | None = None,
) -> Event:
    """Return what was done: the events of a file together, or a step by its guarantee alone."""
    given: dict[str, Any] = {"event": event, "epsilon": epsilon, "rho": rho}
    sign, value = _only(given, delta, mark("give one of --event, --epsilon and --rho"))
    number: Any = value
    failure: Any = delta
    match sign:
        case "event":
            done = read_events(value)
            return done[0] if len(done) == 1 else Composed(*done)
        case "rho":
            return ZeroConcentrated(rho=number)
    if _is_nothing(failure):
        return Pure(epsilon=number)
    return Approximate(epsilon=number, delta=failure)


def _only(given: Mapping[str, Any], delta: str | None, wanted: str) -> tuple[str, Any]:
    """Return the one number that was given, by its name."""
    found = [(sign, value) for sign, value in given.items() if value is not None]
    if len(found) != 1:
        raise InputError("E-OPTION-CONFLICT" if found else "E-OPTION-MISSING", wanted)
    if delta is not None and found[0][0] != "epsilon":
        raise InputError(
            "E-OPTION-CONFLICT",
            "--delta goes with --epsilon, not with --{found}",
            "leave it out",
            found=found[0][0],
        )
    return found[0]


def _is_nothing(delta: Any) -> bool:
    return delta is None or read_delta(delta) == 0
