"""A table that a file holds: questions in SQL, planned or answered, and what is in its cells."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato import ledger
from sfumato.application.tables.answers import AnswerReport, PlanReport
from sfumato.application.tables.policy_book import (
    IntendedCharge,
    fit_of,
    name_another_book,
    name_of_table,
    naming_another_book,
    naming_the_opener,
    opener,
    other_budget,
)
from sfumato.data import watching
from sfumato.data.policy import (
    LedgerPlace,
    Policy,
    changed_public,
    likely_person,
    no_unit,
    read_policy,
)
from sfumato.errors import InputError
from sfumato.printing import named
from sfumato.privacy import read_confidence
from sfumato.tables import PrivateTable, opening, price_of, release_plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sfumato.data.policy import PublicSource
    from sfumato.tables import Inspection, Plan, Query


def with_public_types(
    declared: Mapping[str, Any], known: Mapping[str, PublicSource]
) -> dict[str, Any]:
    """Return what is declared of a table, with types of public columns said of their tables.

    Parameters
    ----------
    declared
        What options declare, as in ``sf.table``.
    known
        The public tables that a policy names.
    """
    public = changed_public(known, declared.get("public"))
    own: dict[str, str] = {}
    for name, kind in (declared.get("types") or {}).items():
        table = next((each for each in public if name.startswith(f"{each}.")), None)
        if table is None:
            own[name] = kind
        else:
            types = {**(public[table].types or {}), name.removeprefix(f"{table}."): kind}
            public[table] = replace(public[table], types=types)
    return {**declared, "types": own, "public": public}


def plan_question(
    file: str,
    sql: str,
    declared: Mapping[str, Any],
    *,
    beside: Mapping[str, str] | None = None,
    analyst: str | None = None,
    **target: Any,
) -> PlanReport:
    """Return what an answer would cost and how exact it would be; no row is read.

    Parameters
    ----------
    file
        A CSV or Parquet file, a policy (.toml), or the address of a database.
    sql
        The question.
    declared
        What is declared about the table, as in ``sf.table``; over what a policy says.
    beside
        The policies of private tables that the question joins, by their names in it.
    analyst
        Who would get the answer, for what is left of the budgets.
    target
        What it may cost, as in ``Query.plan``.
    """
    plan = _asked(file, sql, declared, beside or {}).plan(**target)
    policy = plan.query.table.policy
    fit = fit_of(policy, price_of(plan), analyst)
    name_another_book(fit.refused, policy, _cost(plan))
    return PlanReport(plan=plan, fit=fit)


def answer_question(
    file: str,
    sql: str,
    declared: Mapping[str, Any],
    *,
    beside: Mapping[str, str] | None = None,
    confidence: Any = "0.95",
    analyst: str | None = None,
    key: str | None = None,
    certified: bool = False,
    notify: Callable[[str], None] = print,
    progress: Callable[[int, int], None] | None = None,
    **target: Any,
) -> AnswerReport:
    """Charge for an answer, then compute it, with noise.

    Parameters
    ----------
    file, sql, declared, beside, target
        As in ``plan_question``.
    confidence
        How likely it is that an interval covers.
    analyst, key
        Who gets the answer, and the idempotency key, for the ledger.
    certified
        Whether a certificate will be asked for: one that cannot be made is refused at once.
    notify
        Told that a signing key was made for the ledger's receipt or the certificate, and that the
        book keeps another budget than the policy declares.
    progress
        Called now and then with how much of a long scan is done, and of how much.
    """
    level = read_confidence(confidence)
    plan = _asked(file, sql, declared, beside or {}).plan(**target)
    policy = plan.query.table.policy
    if certified:
        from sfumato.tables import check_tree

        check_tree(plan.query)
    with (
        charging(file, declared, policy, certified=certified, notify=notify, progress=progress),
        naming_another_book(policy, _cost(plan)),
    ):
        if certified:
            ledger.Signer.at()
        release = release_plan(plan, analyst=analyst, key=key)
    return AnswerReport(release=release, confidence=level)


def inspect(source: Any, **declared: Any) -> Inspection:
    """Count, exactly, which cells of a table do not fit what is declared of them.

    The figures are not private: they are for whoever holds the table.

    Parameters
    ----------
    source
        A private table; or what ``sf.table`` takes, or a policy (.toml).
    declared
        What is declared about the table, as in ``sf.table``; over what a policy says.

    Examples
    --------
    >>> import sfumato as sf
    >>> found = sf.inspect("examples/patients.csv", unit="patient_id", bounds={"age": (0, 60)})
    >>> found.rows, found.private
    (1449, False)
    >>> print(found.findings()[0])
    every cell can be read as it is declared, in 1,449 rows of 'examples/patients.csv'
    """
    from sfumato.tables import inspect_cells

    if isinstance(source, PrivateTable):
        table = source.declare(**declared) if declared else source
    elif isinstance(source, (str, Path)):
        table = open_table(str(source), declared)
    else:
        table = opening.table(source, **declared)
    return inspect_cells(table)


def _asked(file: str, sql: str, declared: Mapping[str, Any], beside: Mapping[str, str]) -> Query:
    """Return a question to a table; keys that the table does not have are the question's own."""
    keys = dict(declared.get("keys") or {})
    policy = _policy(file, {**declared, "keys": {}})
    source = opening.opened(policy)
    columns = source.table.columns
    own = {name: each for name, each in keys.items() if name in columns or isinstance(name, tuple)}
    table = _of_people(opening.under(policy.with_changes(keys=own) if own else policy, source))
    return table.query(
        sql,
        keys={name: each for name, each in keys.items() if name not in own},
        tables={name: open_table(each, {}) for name, each in beside.items()},
    )


def open_private(file: str, declared: Mapping[str, Any]) -> PrivateTable:
    """Return the private table of a file, of which it is declared whose each row is."""
    return _of_people(open_table(file, declared))


def _of_people(table: PrivateTable) -> PrivateTable:
    if table.policy.unit is None:
        likely = likely_person(table.columns)
        known = "" if likely else named(table.columns)
        raise no_unit(table.policy.origin, likely or "ID", known)
    return table


def open_table(file: str, declared: Mapping[str, Any]) -> PrivateTable:
    """Return the private table of a file, or that of a policy; a book is called after the table."""
    return opening.under(_policy(file, declared))


def _policy(file: str, declared: Mapping[str, Any]) -> Policy:
    is_policy = file.lower().endswith(".toml")
    there = read_policy(file) if is_policy else Policy(source=file, table=declared.get("table"))
    if there.source is None:
        raise InputError(
            "E-POLICY-WITHOUT-TABLE",
            "{origin} names no table",
            'write source = "patients.csv" in [table]',
            origin=there.origin,
        )
    place = _ledger(there.ledger, declared.get("ledger", {}), name_of_table(there, file))
    changes = {**with_public_types(declared, there.public), "ledger": place}
    return there.with_changes(**changes) if is_policy else Policy.inline(source=file, **changes)


@contextmanager
def charging(
    file: str,
    declared: Mapping[str, Any],
    policy: Policy,
    *,
    certified: bool = False,
    notify: Callable[[str], None],
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[None]:
    """Say what must be said around a charge and the scan that it is for.

    Parameters
    ----------
    file, declared, notify, progress
        As in ``answer_question``.
    policy
        Of the table that is charged.
    certified
        Whether the answer is signed, even where nothing is charged.
    """
    warning = other_budget(policy)
    if warning:
        notify(warning)
    watched = (
        nullcontext()
        if progress is None
        else watching(lambda share: progress(round(100 * share), 100))
    )
    signs = certified or policy.ledger is not None
    with (
        _announcing_a_new_key(notify) if signs else nullcontext(),
        naming_the_opener(policy, opener(file, declared, policy)),
        watched,
    ):
        yield


def _cost(plan: Plan) -> IntendedCharge:
    return IntendedCharge(epsilon=plan.target.epsilon, delta=plan.target.delta)


@contextmanager
def _announcing_a_new_key(notify: Callable[[str], None]) -> Iterator[None]:
    """Say that the block made a signing key, where there was none."""
    was_there = _has_key()
    try:
        yield
    finally:
        if not was_there and _has_key():
            from sfumato.application.ledger.keys import own_key

            made = own_key()
            if made is not None:
                notify(made.notice())


def _has_key() -> bool:
    """Tell whether there is a signing key on this computer."""
    try:
        return ledger.key_path().exists()
    except InputError:
        return False


def _ledger(
    there: LedgerPlace | None, given: Mapping[str, str], name: str
) -> dict[str, Any] | None:
    """Return the place of a policy with what is given over it; None if there is no ledger."""
    if there is None and not given:
        return None
    place = {**asdict(there or LedgerPlace()), **given}
    return {**place, "book": place["book"] or name}
