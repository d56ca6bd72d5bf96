"""Questions in SQL to a table that a file holds, planned or answered."""

from __future__ import annotations

import shlex
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from sfumato.application.ledger.keys import own_key
from sfumato.application.tables.answers import AnswerReport, PlanReport
from sfumato.application.tables.books import book_name, naming_the_opener
from sfumato.application.tables.overdrawn import refused_by_amounts, standing_for
from sfumato.data.policy import LedgerPlace, Policy, read_policy
from sfumato.data.progress import watching
from sfumato.errors import InputError
from sfumato.tables import opening
from sfumato.tables.release.answers import read_confidence
from sfumato.tables.release.releasing import release_plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sfumato.tables.query import Query
    from sfumato.tables.table import PrivateTable

__all__ = ["answer_question", "open_table", "plan_question"]


def plan_question(
    file: str, sql: str, declared: Mapping[str, Any], *, analyst: str | None = None, **target: Any
) -> PlanReport:
    """Return what an answer would cost and how exact it would be; no row is read.

    Parameters
    ----------
    file
        A CSV or Parquet file, or a policy (.toml).
    sql
        The question.
    declared
        What is declared about the table, as in ``sf.table``; over what a policy says.
    analyst
        Who would be told, for what is left of the budgets.
    target
        What it may cost, as in ``Query.plan``.

    Examples
    --------
    >>> from sfumato.application.tables.asking import plan_question
    >>> sql = "SELECT COUNT(*) AS n FROM patients"
    >>> declared = {"unit": "patient_id", "limits": {"rows": 10}}
    >>> print(plan_question("examples/patients.csv", sql, declared, epsilon="1").plan.guarantee)
    1-DP (add or remove one person (patient_id))
    """
    plan = _asked(file, sql, declared).plan(**target)
    return PlanReport(plan=plan, standing=standing_for(plan, analyst))


def answer_question(
    file: str,
    sql: str,
    declared: Mapping[str, Any],
    *,
    confidence: Any = "0.95",
    analyst: str | None = None,
    key: str | None = None,
    notify: Callable[[str], None] = print,
    progress: Callable[[int, int], None] | None = None,
    **target: Any,
) -> AnswerReport:
    """Charge for an answer, then compute it, with noise.

    Parameters
    ----------
    file, sql, declared, target
        As in ``plan_question``.
    confidence
        How likely it is that an error bar holds.
    analyst, key
        Who is told, and the name of the request, for the ledger.
    notify
        Told that a signing key was made for the ledger's receipt.
    progress
        Called now and then with how much of a long scan is done, and of how much.

    Examples
    --------
    >>> from sfumato.application.tables.asking import answer_question
    >>> sql = "SELECT COUNT(*) AS n FROM patients"
    >>> report = answer_question("examples/patients.csv", sql, {"unit": "row"}, epsilon="1")
    >>> print(report.release.guarantee)
    1-DP (add or remove one row)
    """
    level = read_confidence(confidence)
    plan = _asked(file, sql, declared).plan(**target)
    opener = _opener(file, declared, plan.query.table.policy)
    with (
        _announcing_a_new_key(notify),
        naming_the_opener(plan.query.table.policy, opener),
        refused_by_amounts(plan, analyst),
        _watched(progress),
    ):
        release = release_plan(plan, analyst=analyst, key=key)
    return AnswerReport(release=release, confidence=level)


def _asked(file: str, sql: str, declared: Mapping[str, Any]) -> Query:
    """Return a question to a table; keys that the table does not have are the question's own."""
    keys = dict(declared.get("keys") or {})
    table = open_table(file, {**declared, "keys": {}})
    own = {name: each for name, each in keys.items() if _is_of(name, table)}
    if own:
        table = open_table(file, {**declared, "keys": own})
    return table.query(sql, keys={name: each for name, each in keys.items() if name not in own})


def _is_of(name: Any, table: PrivateTable) -> bool:
    return isinstance(name, tuple) or name in table.columns


def open_table(file: str, declared: Mapping[str, Any]) -> PrivateTable:
    """Return the private table of a file, or that of a policy; a book is called after the file.

    Examples
    --------
    >>> from sfumato.application.tables.asking import open_table
    >>> place = {"path": "ledger.db"}
    >>> table = open_table("examples/patients.csv", {"unit": "row", "ledger": place})
    >>> table.policy.ledger.book
    'patients'
    """
    is_policy = file.lower().endswith(".toml")
    there = read_policy(file) if is_policy else Policy(source=file)
    if there.source is None:
        message = f'{there.origin} names no table; write source = "patients.csv" in [table]'
        raise InputError(message)
    ledger = _ledger(there.ledger, declared.get("ledger", {}), book_name(file))
    opened = opening.open if is_policy else opening.table
    return opened(file, **{**declared, "ledger": ledger})


def _opener(file: str, declared: Mapping[str, Any], policy: Policy) -> str:
    """Return the command that opens the book of a table."""
    if file.lower().endswith(".toml") and not declared.get("ledger"):
        return f"sfumato init {shlex.quote(file)}"
    place = policy.ledger or LedgerPlace()
    given = {
        "unit": getattr(policy.unit, "column", "row"),
        "ledger": place.path,
        "book": place.book,
    }
    options = (f"--{name} {shlex.quote(each)}" for name, each in given.items() if each)
    return " ".join(["sfumato init", shlex.quote(str(policy.source)), "--epsilon 3", *options])


@contextmanager
def _watched(progress: Callable[[int, int], None] | None) -> Iterator[None]:
    """Tell how far the scans of the block are, in percent, if anybody watches."""
    if progress is None:
        yield
        return
    with watching(lambda share: progress(round(100 * share), 100)):
        yield


@contextmanager
def _announcing_a_new_key(notify: Callable[[str], None]) -> Iterator[None]:
    """Say that the block made a signing key, where there was none."""
    known = own_key()
    try:
        yield
    finally:
        made = own_key() if known is None else None
        if made is not None:
            notify(made.notice())


def _ledger(
    there: LedgerPlace | None, given: Mapping[str, str], name: str
) -> dict[str, Any] | None:
    """Return the place of a policy with what is given over it; None if there is no ledger."""
    if there is None and not given:
        return None
    place = {**asdict(there or LedgerPlace()), **given}
    return {**place, "book": place["book"] or name}
