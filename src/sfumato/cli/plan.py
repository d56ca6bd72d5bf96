"""The verb ``plan``: what an answer would cost, and how exact it would be."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from sfumato import application
from sfumato.cli.arguments import Json, flag, grouping
from sfumato.cli.declarations import Question, QuestionOptions, Table, read_beside
from sfumato.cli.failures import explained
from sfumato.cli.output import terminal_width, write_json, write_lines
from sfumato.cli.surface import SHELL, in_shell_words, in_words_of_the_shell

Statements = Annotated[
    bool, flag("--sql", "Show the SQL that the engine would run, and nothing else.")
]
Explain = Annotated[bool, flag("--explain", "Show the sensitivity of each part of the query.")]


@explained()
@grouping
def plan(
    file: Table,
    sql: Question,
    *,
    options: QuestionOptions,
    sql_only: Statements = False,
    explain: Explain = False,
    json: Json = False,
) -> None:
    """Say what an answer would cost and what error it would have; no row is read.

    The options are those of query. With a ledger it also says whether the answer would fit the
    privacy budget left; nothing is charged, however often you plan.
    """
    declared = options.declared()
    target = options.target()
    with in_shell_words(public=declared.get("public", ())):
        report = application.plan_question(
            file,
            sql,
            declared,
            beside=read_beside(options.beside),
            analyst=options.analyst or None,
            **target,
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
