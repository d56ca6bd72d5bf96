"""The commands that open the book of a table."""

from __future__ import annotations

import shlex
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.data.engines.postgres.address import is_address, read_address
from sfumato.data.policy import LedgerPlace
from sfumato.errors import InputError
from sfumato.ledger.settling import OTHER_BOOK
from sfumato.privacy.events.wording import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sfumato.data.policy import Policy
    from sfumato.tables.plan.plan import Plan

__all__ = ["naming_another_book", "opener", "with_another_book"]


def opener(file: str, declared: Mapping[str, Any], policy: Policy) -> str:
    """Return the command that opens the book of a table.

    Examples
    --------
    >>> from sfumato.application.tables.openers import opener
    >>> from sfumato.data.policy import Policy
    >>> opener("visits.toml", {}, Policy())
    'sfumato init visits.toml'
    """
    if file.lower().endswith(".toml") and not declared.get("ledger"):
        return f"sfumato init {shlex.quote(file)}"
    place = policy.ledger or LedgerPlace()
    return _command(policy, {"epsilon": "3"}, place.book)


def with_another_book(sentence: str, plan: Plan) -> str:
    """Return a sentence with how to open a book with a δ, where that is what it says to do.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.application.tables.openers import with_another_book
    >>> place = {"path": "ledger.db", "book": "patients"}
    >>> patients = sf.table("examples/patients.csv", unit="row", ledger=place)
    >>> plan = patients.group_by("sex").agg(n=sf.count()).plan(epsilon=1, delta=1e-6)
    >>> said = "open a book of another name with an epsilon and a delta"
    >>> print(with_another_book(said, plan).partition(" by: ")[2])
    sfumato init examples/patients.csv --epsilon 3 --delta 1e-05 --unit row --ledger ledger.db \
--book patients-delta --output patients-delta.toml
    """
    if not sentence.endswith(OTHER_BOOK):
        return sentence
    policy = plan.query.table.policy
    name = f"{(policy.ledger or LedgerPlace()).book}-delta"
    command = _command(policy, _room_for(plan), name)
    return f"{sentence} by: {command} --output {shlex.quote(name)}.toml"


@contextmanager
def naming_another_book(plan: Plan) -> Iterator[None]:
    """Say how to open a book with a δ, where the block says to do so.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.application.tables.openers import naming_another_book
    >>> patients = sf.table("examples/patients.csv", unit="row")
    >>> with naming_another_book(patients.agg(n=sf.count()).plan(epsilon=1)):
    ...     print("charged")
    charged
    """
    try:
        yield
    except InputError as error:
        error.args = (with_another_book(str(error), plan),)
        raise


def _room_for(plan: Plan) -> dict[str, str]:
    """Return a budget in which a plan has room, some five times over by its δ."""
    epsilon, delta = plan.target.epsilon or Fraction(1), plan.target.delta or Fraction(0)
    return {
        "epsilon": plain(max(epsilon, Fraction(3))),
        "delta": f"{float(min(10 * delta, Fraction(1, 2))):g}",
    }


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
