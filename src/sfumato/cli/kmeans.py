"""The verb ``kmeans``: centres of a private table, their noise, and a guarantee."""

from __future__ import annotations

from typing import Annotated, Any

from sfumato import application
from sfumato.cli.arguments import Html, Json, Plot, flag, option, read_names, read_whole, setting
from sfumato.cli.declarations import (
    Analyst,
    Change,
    Delta,
    Epsilon,
    Key,
    LedgerBook,
    LedgerPath,
    NameInDatabase,
    Noise,
    Table,
    Unit,
    read_declared,
)
from sfumato.cli.failures import explained
from sfumato.cli.output import (
    check_files,
    once_done,
    progressing,
    say_aside,
    write_page,
    write_picture,
    write_report,
)
from sfumato.cli.surface import in_shell_words, in_words_of_the_shell
from sfumato.errors import InputError

Clusters = Annotated[str, setting("NUMBER", "How many centres; must be given.", "--k")]
Columns = Annotated[
    list[str], option("NAMES", "Columns of numbers: age,income. Without it all that have bounds.")
]
Bounds = Annotated[
    list[str], option("COLUMN=LOW:HIGH", "Bounds to which values are clamped: age=0:110.")
]
Limit = Annotated[
    list[str], option("rows=NUMBER", "Contribution limit of a person, in points, if not 1: rows=5.")
]
Method = Annotated[str, setting("NAME", "auto for what suits, lloyd, rounds, grid or tree.")]
Rounds = Annotated[str, option("NUMBER", "How many rounds of Lloyd's algorithm.")]
Size = Annotated[str, option("NUMBER", "About how many people there are, if that is public.")]
OnlyPlan = Annotated[bool, flag("--plan", "Say what would be done; no row is read.")]


@explained()
def kmeans(
    file: Table,
    *,
    k: Clusters = "",
    columns: Columns = [],  # noqa: B006, since the command line is read by it
    table: NameInDatabase = "",
    unit: Unit = "",
    bounds: Bounds = [],  # noqa: B006
    limit: Limit = [],  # noqa: B006
    relation: Change = "",
    epsilon: Epsilon = "",
    delta: Delta = "",
    noise: Noise = "auto",
    method: Method = "auto",
    rounds: Rounds = "",
    size: Size = "",
    ledger: LedgerPath = "",
    book: LedgerBook = "",
    analyst: Analyst = "",
    key: Key = "",
    plan: OnlyPlan = False,
    html: Html = "",
    plot: Plot = "",
    json: Json = False,
) -> None:
    """Find k centres such that every point is near one of them, under differential privacy.

    FILE holds the table, or is the database that does, and options declare what is public about it;
    or FILE is a policy, as init drafts it, and options go before what it says. Columns are scaled
    by their bounds, so that all count alike. What is charged to a ledger is charged before a row is
    read. Exit code 3 says that it exceeds the privacy budget left, and nothing was spent.
    """
    declared = read_declared(
        table=table,
        unit=unit,
        relation=relation,
        bounds=bounds,
        limit=limit,
        ledger=ledger,
        book=book,
    )
    asked = {
        "n_clusters": _read_clusters(k),
        "columns": read_names(columns) or None,
        "epsilon": epsilon or None,
        "delta": delta or None,
        "noise": noise,
        "method": method,
        "rounds": read_whole(rounds, "--rounds") if rounds else None,
        "size": read_whole(size, "--size") if size else None,
    }
    if plan:
        _check_nothing_drawn(html=html, plot=plot)
        _say_plan(file, declared, asked, analyst, json=json)
        return
    _check_files(file, declared, html=html, plot=plot)
    report = _find_centres(file, declared, asked, analyst=analyst, key=key)
    _hand_over(report, page=html, plot=plot, json=json)


def _read_clusters(text: str) -> int:
    if not text:
        raise InputError(
            "E-OPTION-MISSING", "--k is missing: it says how many centres to find", "write --k 5"
        )
    return read_whole(text, "--k")


def _check_nothing_drawn(**files: str) -> None:
    for option_name, file in files.items():
        if file:
            raise InputError(
                "E-OPTION-CONFLICT",
                "--{option_name} draws centres, and --plan finds none",
                "leave one of them out",
                option_name=option_name,
            )


def _say_plan(file: str, declared: _Read, asked: _Read, analyst: str, *, json: bool) -> None:
    with in_shell_words(**_OTHERS):
        report = application.learning.plan_kmeans(file, declared, analyst=analyst or None, **asked)
    in_words_of_the_shell(report.fit.refused, **_OTHERS)
    write_report(report, json=json)


def _check_files(file: str, declared: _Read, *, html: str, plot: str) -> None:
    application.check_spares((html, plot), file, declared)
    check_files(html=html, plot=plot)


def _find_centres(
    file: str, declared: _Read, asked: _Read, *, analyst: str, key: str
) -> application.learning.KMeansReport:
    with in_shell_words(**_OTHERS), progressing(declared.get("table") or file) as progress:
        return application.learning.fit_kmeans(
            file,
            declared,
            analyst=analyst or None,
            key=key or None,
            notify=say_aside,
            progress=progress,
            **asked,
        )


def _hand_over(
    report: application.learning.KMeansReport, *, page: str, plot: str, json: bool
) -> None:
    """Say it, then write the page and the picture that are named, whether or not that worked."""
    try:
        write_report(report, json=json, done=report.done())
    finally:
        with once_done(report.done()):
            write_page(page, report.to_html)
            write_picture(plot, report.plot)


_Read = dict[str, Any]
_OTHERS = {"n_clusters": "--k", "points_per_person": "--limit rows=", "bounds": "--bounds"}
