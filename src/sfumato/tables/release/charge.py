"""Charging for a plan and running it: the charge is durable before a row is read."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from sfumato.data.policy import digest
from sfumato.data.policy import document as policy_document
from sfumato.ledger import Price, check_without_ledger, settle
from sfumato.privacy import question_digits
from sfumato.refusal import text
from sfumato.tables.expressions import document
from sfumato.tables.release.release import Release
from sfumato.tables.run.execution import run_plan
from sfumato.tables.tree.rows import JoinPeople, JoinPublic, PerPerson, expressions_of
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.tables.plan.plan import Plan
    from sfumato.tables.tree.rows import Held, Step


#: How much of a query is written into a ledger in words.
_LONGEST = 9000

_DIGITS = 16


def release_plan(
    plan: Plan, *, analyst: str | None = None, key: str | None = None, source: Any = None
) -> Release:
    """Charge for a plan, run it, record what is released, and return it."""
    plan.query.table.source.check_process()
    policy = plan.query.table.policy
    place = policy.ledger
    if place is None:
        budgeted = policy.allowance is not None
        check_without_ledger(budgeted=budgeted, analyst=analyst, key=key, origin=policy.origin)
        return Release(plan, run_plan(plan, source=source).to_bytes())
    settled = settle(
        place.path,
        place.book,
        price_of(plan),
        purpose=_purpose(plan),
        analyst=analyst if analyst is not None else place.analyst,
        key=key,
        compute=lambda: run_plan(plan, source=source).to_bytes(),
    )
    return Release(plan, settled.content, settled.receipt)


def price_of(plan: Plan) -> Price:
    """Return what a plan costs; groups that are not declared have a δ of their own."""
    if plan.keys.are_known:
        return Price(plan.event, plan.guarantee)
    return Price(
        plan.event,
        plan.guarantee,
        needs=mark("groups that are not declared need a delta"),
        instead=text(
            "declare the groups, as in {example}",
            example=f"keys={{{plan.keys.names[0]!r}: ['a', 'b']}}",
        ),
    )


def _purpose(plan: Plan) -> str:
    """Return the query in words, a fingerprint of all that its answer depends on, and its digits.

    So a key that was used for one plan is not taken for a retry of another that reads alike, and
    a certificate of another question does not go with the receipt.
    """
    from sfumato.tables.certificate.question import query_document

    query, said = plan.query, str(plan.query)
    digits = question_digits(query_document(query), policy_document(query.table.policy))
    return f"{said[:_LONGEST]} (plan {fingerprint(plan)}, question {digits})"


def fingerprint(plan: Plan) -> str:
    """Return digits that differ for plans whose answers could not be read alike."""
    query = plan.query
    parts = [
        str(query),
        *_told(query.table),
        *(repr(document(each)) for _, asked in query.aggregates for each in asked.operands),
        repr([step.measurement for step in plan.measures]),
        repr([step.look for step in plan.looks]),
        repr(plan.keys),
        *(each.asked.code for each in plan.samples),
    ]
    return _digits(parts)


def row_fingerprint(table: Held) -> str:
    """Return digits that differ for rows of which something else is declared, or done to them."""
    return _digits(_told(table))


def _told(table: Held) -> list[str]:
    return [digest(table.policy), table.source.name, *map(_said, table.steps)]


def _digits(parts: Sequence[str]) -> str:
    return sha256("\x00".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def _said(step: Step) -> str:
    match step:
        case JoinPublic():
            return f"{step} {step.other.digest}"
        case JoinPeople():
            done = [_said(each) for each in step.other.steps]
            return f"{step} {step.on} {digest(step.other.policy)} {done}"
        case PerPerson():
            bounds = [getattr(asked, "bounds", None) for _, asked in step.columns]
            return f"{step} {bounds} {_written(step)}"
    return f"{step} {_written(step)}"


def _written(step: Step) -> str:
    return repr([document(each) for each in expressions_of(step)])
