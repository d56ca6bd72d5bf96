"""The verb ``query``: an answer of a private table, with confidence intervals and a guarantee."""

from __future__ import annotations

import sys
from dataclasses import replace as with_changes
from typing import Annotated

from sfumato import application
from sfumato.cli.arguments import Json, Plot, flag, grouping, option, setting
from sfumato.cli.declarations import Key, Question, QuestionOptions, Table, read_beside
from sfumato.cli.failures import explained
from sfumato.cli.output import (
    check_apart,
    check_picture,
    once_done,
    progressing,
    say_aside,
    say_written,
    terminal_width,
    write_json,
    write_lines,
    write_picture,
)
from sfumato.cli.surface import SHELL, in_shell_words
from sfumato.errors import InputError

Confidence = Annotated[str, setting("NUMBER", "The confidence level of the intervals.")]
Every = Annotated[bool, flag("--notes", "Print all notes about the answer, not three at most.")]
Output = Annotated[str, option("FILE", "Also write the answer to a file, .csv or .parquet.")]
Certificate = Annotated[
    str, option("FILE", "Also write a signed certificate to a new file, for sfumato check.")
]
Replace = Annotated[bool, flag("--replace", "With --output: write over an earlier answer.")]


@explained()
@grouping
def query(
    file: Table,
    sql: Question,
    *,
    options: QuestionOptions,
    key: Key = "",
    confidence: Confidence = "0.95",
    output: Output = "",
    certificate: Certificate = "",
    replace: Replace = False,
    notes: Every = False,
    plot: Plot = "",
    json: Json = False,
) -> None:
    """Answer a query about a table of people under differential privacy.

    FILE holds the table, or is the database that does, and options declare what is public about it;
    or FILE is a policy, as init drafts it, and options go before what it says. Give --epsilon, with
    or without --delta, or --rho. What is charged to a ledger is charged before the answer is
    computed. Exit code 3 says that it exceeds the privacy budget left, and nothing was spent.
    """
    declared, target = options.declared(), options.target()
    if replace and not output:
        raise InputError(
            "E-OPTION-CONFLICT", "--replace goes with --output", "name the earlier answer"
        )
    beside = read_beside(options.beside)
    application.check_spares((output, certificate, plot), file, declared, beside)
    if output:
        application.check_output(output, replace=replace)
    check_picture(plot)
    check_apart(output=output, certificate=certificate, plot=plot)
    with application.certificate_file(certificate or None, options.ledger or None) as certified:
        with (
            in_shell_words(public=declared.get("public", ())),
            progressing(options.table or file) as progress,
        ):
            report = application.answer_question(
                file,
                sql,
                declared,
                beside=beside,
                confidence=confidence,
                analyst=options.analyst or None,
                key=key or None,
                certified=certified.is_wanted,
                notify=say_aside,
                progress=progress,
                **target,
            )
        report = with_changes(report, every=notes, surface=SHELL)
        _hand_over(report, output, certified, plot=plot, json=json)


def _hand_over(
    report: application.AnswerReport,
    output: str,
    certified: application.CertificateFile,
    *,
    plot: str,
    json: bool,
) -> None:
    """Show the answer, then write it to the files that are named, whether or not that worked."""
    try:
        _show(report, json=json)
    finally:
        if output:
            with once_done(report.done()):
                application.write_answer(report, output)
            say_written(output)
        with in_shell_words():
            certified.write(report)
        say_written(str(certified.path or ""))
        with once_done(report.done()):
            write_picture(plot, report.plot)


def _show(report: application.AnswerReport, *, json: bool) -> None:
    if json:
        write_json(report.as_dict(), done=report.done())
    else:
        width = terminal_width() if sys.stdout and sys.stdout.isatty() else None
        write_lines(*report.lines(width=width), done=report.done())
