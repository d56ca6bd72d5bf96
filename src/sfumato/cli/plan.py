"""The verb ``plan``: what an answer would cost, and how exact it would be."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from sfumato.cli.arguments import Json  # noqa: TC001, since the command line is read by it
from sfumato.cli.declarations import (
    Analyst,
    Bounds,
    Change,
    Complete,
    Delta,
    Epsilon,
    Keys,
    LedgerBook,
    LedgerPath,
    Limit,
    NameInDatabase,
    Noise,
    Public,
    Question,
    Rho,
    Table,
    Types,
    Unit,
    Weight,
    With,
    read_beside,
    read_declared,
    read_target,
)
from sfumato.cli.failures import explained
from sfumato.cli.output import terminal_width, write_json, write_lines
from sfumato.cli.surface import SHELL, in_shell_words, in_words_of_the_shell

__all__ = ["plan"]

Statements = Annotated[
    bool,
    typer.Option("--sql", help="Show the SQL that the engine would run, and nothing else."),
]
Explain = Annotated[
    bool,
    typer.Option("--explain", help="Show the sensitivity of each part of the query."),
]


@explained()
def plan(
    file: Table,
    sql: Question,
    *,
    table: NameInDatabase = "",
    unit: Unit = "",
    bounds: Bounds = [],  # noqa: B006, since the command line is read by it
    keys: Keys = [],  # noqa: B006
    types: Types = [],  # noqa: B006
    complete: Complete = [],  # noqa: B006
    limit: Limit = [],  # noqa: B006
    public: Public = [],  # noqa: B006
    beside: With = [],  # noqa: B006
    relation: Change = "",
    epsilon: Epsilon = "",
    delta: Delta = "",
    rho: Rho = "",
    noise: Noise = "auto",
    weight: Weight = [],  # noqa: B006
    ledger: LedgerPath = "",
    book: LedgerBook = "",
    analyst: Analyst = "",
    sql_only: Statements = False,
    explain: Explain = False,
    json: Json = False,
) -> None:
    """Say what an answer would cost and what error it would have; no row is read.

    The options are those of query. With a ledger it also says whether the answer would fit the
    privacy budget left; nothing is charged, however often you plan.
    """
    from sfumato.application.tables.asking import plan_question

    declared = read_declared(
        table=table,
        unit=unit,
        relation=relation,
        bounds=bounds,
        keys=keys,
        types=types,
        complete=complete,
        limit=limit,
        public=public,
        ledger=ledger,
        book=book,
    )
    target = read_target(epsilon=epsilon, delta=delta, rho=rho, noise=noise, weight=weight)
    with in_shell_words(public=declared.get("public", ())):
        report = plan_question(
            file, sql, declared, beside=read_beside(beside), analyst=analyst or None, **target
        )
    report = replace(report, surface=SHELL)
    in_words_of_the_shell(report.fit.refused)
    if json:
        write_json(report.as_dict())
    elif sql_only or explain:
        width = terminal_width()
        write_lines(*report.explained(nodes=explain, statements=sql_only, width=width))
    else:
        write_lines(*report.lines(width=terminal_width()))
