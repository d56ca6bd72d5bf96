"""The verb ``ledger init``: a book for a dataset, with budgets that never change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from sfumato import application
from sfumato.cli.arguments import Json, Relation, option, setting
from sfumato.cli.failures import explained
from sfumato.cli.ledger.arguments import Book, Delta, Place  # noqa: TC001
from sfumato.cli.output import say_aside, write_report
from sfumato.cli.surface import options_named
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


Epsilon = Annotated[str, option("NUMBER", "The privacy budget as ε: 1, or ln(2).")]
Rho = Annotated[str, option("NUMBER", "The privacy budget as ρ of zCDP.")]
Mu = Annotated[str, option("NUMBER", "The privacy budget as μ of Gaussian DP.")]
Reserve = Annotated[str, setting("SHARE", "The share of δ kept for events with a δ of their own.")]
Per = Annotated[
    str, option("PERIOD", "Give the budgets anew each year, quarter, month, week or day.")
]
Total = Annotated[str, option("NUMBER", "With --per: the budget over all periods.")]
TotalDelta = Annotated[str, option("NUMBER", "With --total: its δ, if not --delta.")]
EachAnalyst = Annotated[
    str, option("NUMBER", "What each analyst may spend of it, with the δ of --delta if given.")
]
Analyst = Annotated[
    list[str],
    option("NAME=NUMBER", "What one analyst may spend instead; may be given several times."),
]


@explained()
@options_named("epsilon", "delta", "rho", "mu")
def init(
    dataset: Book,
    *,
    epsilon: Epsilon = "",
    delta: Delta = "",
    rho: Rho = "",
    mu: Mu = "",
    reserve: Reserve = "0",
    per: Per = "",
    total: Total = "",
    total_delta: TotalDelta = "",
    each_analyst: EachAnalyst = "",
    analyst: Analyst = [],  # noqa: B006, since the command line is read by it
    relation: Relation = "",
    ledger: Place = "",
    json: Json = False,
) -> None:
    """Open the book of a dataset with its privacy budget, and say what that guarantees.

    Give one of --epsilon, --rho and --mu; all budgets are of that kind. The ledger is made if
    there is none. Budgets never change. Without --relation neighbours add or remove one row.

    Receipts are signed with the key in the file that the variable SFUMATO_SIGNING_KEY names, or
    in your own configuration folder; it is made on first use.
    """
    kind = application.read_kind(
        epsilon=epsilon or None,
        delta=delta or None,
        rho=rho or None,
        mu=mu or None,
        relation=relation or None,
    )
    report = application.open_book(
        dataset,
        kind,
        place=ledger or None,
        reserve=reserve,
        per=per or None,
        notify=say_aside,
        **_budgets(kind, total, total_delta, each_analyst, _read_analysts(analyst)),
    )
    write_report(report, json=json, done=report.done())


def _budgets(
    kind: application.Kind,
    total: str,
    total_delta: str,
    each_analyst: str,
    analysts: Mapping[str, str],
) -> dict[str, Any]:
    """Return the budgets below that of everyone together, each read in the words of its option."""
    if total_delta and not total:
        raise InputError(
            "E-OPTION-CONFLICT", "--total-delta goes with --total", "write --total 10, say"
        )
    return {
        "total": kind.budget(total, total_delta or None, option="--total") if total else None,
        "each_analyst": (
            kind.budget(each_analyst, option="--each-analyst") if each_analyst else None
        ),
        "analysts": {
            name: kind.budget(each, option=f"--analyst {name}={each}")
            for name, each in analysts.items()
        },
    }


def _read_analysts(given: Sequence[str]) -> dict[str, str]:
    """Return what each analyst may spend, by name; a name may hold an equals sign."""
    found: dict[str, str] = {}
    for text in given:
        name, _, number = text.rpartition("=")
        if not name or not number:
            raise InputError(
                "E-OPTION-VALUE", "--analyst takes NAME=NUMBER", "{text!r} is not", text=text[:60]
            )
        if name in found:
            raise InputError(
                "E-ARGUMENT-TWICE",
                "--analyst names {name!r} twice",
                "give each name once",
                name=name[:60],
            )
        found[name] = number
    return found
