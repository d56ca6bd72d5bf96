"""The verb ``kmeans``: centres of a private table, their noise, and a guarantee."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from sfumato import application
from sfumato.cli.arguments import (
    Html,
    Json,
    Plot,
    flag,
    grouping,
    option,
    read_names,
    read_whole,
    setting,
)
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
    QuestionOptions,
    Table,
    Unit,
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
L1Ball = Annotated[
    str, option("RADIUS", "Instead of --bounds: |x| + |y| + … of a row is at most this.")
]
Limit = Annotated[
    list[str], option("rows=NUMBER", "Contribution limit of a person, in points, if not 1: rows=5.")
]
Method = Annotated[str, setting("NAME", "auto for what suits, lloyd, rounds, grid or tree.")]
Rounds = Annotated[str, option("NUMBER", "How many rounds of Lloyd's algorithm.")]
Size = Annotated[str, option("NUMBER", "About how many people there are, if that is public.")]
OnlyPlan = Annotated[bool, flag("--plan", "Say what would be done; no row is read.")]


_OTHERS = {
    "n_clusters": "--k",
    "points_per_person": "--limit rows=",
    "bounds": "--bounds",
    "radius": "--l1-ball",
    "columns": "--columns",
}


@dataclass(frozen=True, kw_only=True)
class KMeansOptions:
    """What options say of a private table, and of the centres that are to be found in it."""

    k: Clusters = ""
    columns: Columns = field(default_factory=list)
    table: NameInDatabase = ""
    unit: Unit = ""
    bounds: Bounds = field(default_factory=list)
    l1_ball: L1Ball = ""
    limit: Limit = field(default_factory=list)
    relation: Change = ""
    epsilon: Epsilon = ""
    delta: Delta = ""
    noise: Noise = "auto"
    method: Method = "auto"
    rounds: Rounds = ""
    size: Size = ""
    ledger: LedgerPath = ""
    book: LedgerBook = ""
    analyst: Analyst = ""

    def declared(self) -> dict[str, Any]:
        """Return what is declared of the table, as the arguments of ``sf.table``."""
        said = ("table", "unit", "relation", "bounds", "limit", "ledger", "book")
        return QuestionOptions(**{name: getattr(self, name) for name in said}).declared()

    def asked(self) -> dict[str, Any]:
        """Return what is asked for, as the arguments of ``sf.KMeans``, and who asks."""
        return {
            "n_clusters": _read_clusters(self.k),
            "l1_ball": self.l1_ball or None,
            "columns": read_names(self.columns) or None,
            "epsilon": self.epsilon or None,
            "delta": self.delta or None,
            "noise": self.noise,
            "method": self.method,
            "rounds": read_whole(self.rounds, "--rounds") if self.rounds else None,
            "size": read_whole(self.size, "--size") if self.size else None,
            "analyst": self.analyst or None,
        }


@explained()
@grouping
def kmeans(
    file: Table,
    *,
    options: KMeansOptions,
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
    declared, asked = options.declared(), options.asked()
    _check_one_domain(options)
    if plan:
        _check_nothing_drawn(html=html, plot=plot)
        _say_plan(file, declared, asked, json=json)
        return
    application.check_spares((html, plot), file, declared)
    check_files(html=html, plot=plot)
    with in_shell_words(**_OTHERS), progressing(options.table or file) as progress:
        report = application.learning.fit_kmeans(
            file, declared, key=key or None, notify=say_aside, progress=progress, **asked
        )
    try:
        write_report(report, json=json, done=report.done())
    finally:  # the page and the picture are written, whether or not that worked
        with once_done(report.done()):
            write_page(html, report.to_html)
            write_picture(plot, report.plot)


def _read_clusters(text: str) -> int:
    if not text:
        raise InputError(
            "E-OPTION-MISSING", "--k is missing: it says how many centres to find", "write --k 5"
        )
    return read_whole(text, "--k")


def _check_one_domain(options: KMeansOptions) -> None:
    if options.bounds and options.l1_ball:
        raise InputError(
            "E-OPTION-CONFLICT",
            "--bounds and --l1-ball both say where rows lie",
            "leave one of them out, and name the columns by --columns",
        )


def _check_nothing_drawn(**files: str) -> None:
    for option_name, file in files.items():
        if file:
            raise InputError(
                "E-OPTION-CONFLICT",
                "--{option_name} draws centres, and --plan finds none",
                "leave one of them out",
                option_name=option_name,
            )


def _say_plan(file: str, declared: dict[str, Any], asked: dict[str, Any], *, json: bool) -> None:
    with in_shell_words(**_OTHERS):
        report = application.learning.plan_kmeans(file, declared, **asked)
    in_words_of_the_shell(report.fit.refused, **_OTHERS)
    write_report(report, json=json)
