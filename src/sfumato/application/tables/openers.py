"""The commands that open the book of a table."""

from __future__ import annotations

import shlex
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.data.engines.postgres.address import is_address, read_address
from sfumato.data.policy import LedgerPlace
from sfumato.errors import InputError
from sfumato.privacy.events.wording import plain
from sfumato.refusal import text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sfumato.data.policy import Policy
    from sfumato.errors import SfumatoError
    from sfumato.refusal import Given


@dataclass(frozen=True, kw_only=True)
class IntendedCharge:
    """What was to be charged; None where it is not said so."""

    epsilon: Fraction | float | None = None
    delta: Fraction | float | None = None

    def room(self) -> dict[str, str]:
        """Return a budget in which it has room, some five times over by its δ."""
        epsilon, delta = Fraction(self.epsilon or 1), float(self.delta or 0)
        return {"epsilon": plain(max(epsilon, Fraction(3))), "delta": f"{min(10 * delta, 0.5):g}"}


def opener(file: str, declared: Mapping[str, Any], policy: Policy) -> Given:
    """Return the command that opens the book of a table."""
    given: Mapping[str, str] = declared.get("ledger") or {}
    if file.lower().endswith(".toml"):
        lines = [f'{name} = "{given[name]}"' for name in ("path", "book") if given.get(name)]
        command = f"sfumato init {shlex.quote(file)}"
        if not lines:
            return command
        return text(
            "{command}, once its [ledger] has {lines}", command=command, lines=", ".join(lines)
        )
    place = policy.ledger or LedgerPlace()
    return _command(policy, {"epsilon": "3"}, place.book)


def name_another_book(error: SfumatoError | None, policy: Policy, cost: IntendedCharge) -> None:
    """Have an error say how to open a book with a δ, where that is what it says to do.

    Parameters
    ----------
    error
        What a book has against a charge, if anything.
    policy
        Of the table, with the place of the book that takes none.
    cost
        What was to be charged.
    """
    if error is None or error.code != "E-BUDGET-WITHOUT-DELTA":
        return
    name = f"{(policy.ledger or LedgerPlace()).book}-delta"
    command = _command(policy, cost.room(), name)
    opener = text(" by: {command}", command=f"{command} --output {shlex.quote(name)}.toml")
    error.refusal = error.refusal.filled(opener=opener)


@contextmanager
def naming_another_book(policy: Policy, cost: IntendedCharge) -> Iterator[None]:
    """Say how to open a book with a δ, where the block says to do so."""
    try:
        yield
    except InputError as error:
        name_another_book(error, policy, cost)
        raise


def _command(policy: Policy, amounts: Mapping[str, str], book: str | None) -> str:
    given = {
        "table": policy.table,
        **amounts,
        "unit": getattr(policy.unit, "column", "row"),
        "ledger": None if policy.ledger is None else policy.ledger.path,
        "book": book,
    }
    options = (f"--{name} {shlex.quote(each)}" for name, each in given.items() if each)
    return " ".join(["sfumato init", shlex.quote(_shown(policy.source)), *options])


def _shown(source: Any) -> str:
    """Return where a table is, without what an address says of the user."""
    return str(read_address(source)) if is_address(source) else str(source)
