"""The command ``sfumato`` and its verbs."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

import typer

from sfumato.cli.account import account
from sfumato.cli.anonymize import anonymize
from sfumato.cli.attack import attack
from sfumato.cli.audit import audit
from sfumato.cli.calibrate import calibrate
from sfumato.cli.check import check
from sfumato.cli.completion import completion
from sfumato.cli.demo import demo
from sfumato.cli.divergence import divergence
from sfumato.cli.entropy import entropy
from sfumato.cli.examples import examples
from sfumato.cli.failures import delivered
from sfumato.cli.init import init
from sfumato.cli.inspect import inspect
from sfumato.cli.kmeans import kmeans
from sfumato.cli.ledger import ledger
from sfumato.cli.plan import plan
from sfumato.cli.query import query
from sfumato.cli.risk import risk
from sfumato.cli.survey import survey
from sfumato.cli.theorems import theorems
from sfumato.cli.usage import SaysWhatToWrite
from sfumato.cli.verify import verify

__all__ = ["main"]

_INIT = "sfumato init patients.csv --unit patient_id --epsilon 3 --ledger ledger.db"
_CERTIFIED = (
    "sfumato query patients.toml 'SELECT COUNT(*) AS n FROM patients' --epsilon 1 "
    "--analyst ada --certificate release.json"
)
_BY_GROUP = (
    "sfumato query patients.csv 'SELECT sex, COUNT(*) FROM patients GROUP BY sex' "
    "--unit patient_id --keys sex=F,M --epsilon 1"
)
_FIRST_STEPS = examples(
    "sfumato demo hospital",
    "sfumato risk hospital-a.csv --quasi age,sex,zip --sensitive diagnosis",
    _INIT,
    "sfumato query patients.csv 'SELECT COUNT(*) AS n FROM patients' --unit patient_id --epsilon 1",
    "sfumato survey needed --question cheated --choices yes,no --epsilon 1 --within 0.05",
    "sfumato calibrate gaussian --epsilon 1 --delta 1e-6",
)

_app = typer.Typer(
    name="sfumato",
    cls=SaysWhatToWrite,
    epilog=_FIRST_STEPS,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_app.command(
    short_help="Draft what is declared about a table.",
    epilog=examples(_INIT),
)(init)
_app.command(
    short_help="Do the cells fit what is declared of them?",
    epilog=examples("sfumato inspect patients.csv --types age=integer --bounds cost=0:20000"),
)(inspect)
_app.command(
    short_help="What would an answer cost, and how exact is it?",
    epilog=examples(
        "sfumato plan patients.toml 'SELECT COUNT(*) AS n FROM patients' --epsilon 1 --analyst ada",
        first=[_INIT],
    ),
)(plan)
_app.command(
    short_help="Ask a table of people, under differential privacy.",
    epilog="\n\n".join([examples(_BY_GROUP), examples(_CERTIFIED, first=[_INIT])]),
)(query)
_app.command(
    short_help="Find centres of a table's points, under differential privacy.",
    epilog=examples(
        "sfumato kmeans shoppers.csv --k 3 --bounds orders=0:80 --bounds basket=0:250 "
        "--unit customer --epsilon 1"
    ),
)(kmeans)
_app.command(
    short_help="Does the certificate of an answer hold?",
    epilog=examples("sfumato check release.json --ledger ledger.db", first=[_INIT, _CERTIFIED]),
)(check)
_app.command(
    short_help="How exposed are the people of a table?",
    epilog=examples("sfumato risk hospital-a.csv --quasi age,sex,zip --sensitive diagnosis"),
)(risk)
_app.command(
    short_help="Make a table coarser until nobody stands out.",
    epilog=examples(
        "sfumato anonymize hospital-a.csv --quasi age,sex,zip --k 2 --remove name "
        "--output coarser.csv"
    ),
)(anonymize)
_app.command(
    short_help="How uncertain are columns of a table?",
    epilog=examples("sfumato entropy hospital-a.csv --columns diagnosis --given age,sex"),
)(entropy)
_app.command(
    short_help="How far apart are two tables?",
    epilog=examples(
        "sfumato divergence hospital-a-generalised.csv hospital-b-generalised.csv --columns age,sex"
    ),
)(divergence)
_app.command(
    short_help="What does it cost in privacy?",
    epilog=examples("sfumato account events.json --delta 1e-6 --explain"),
)(account)
_app.command(
    short_help="How much noise is enough?",
    epilog=examples("sfumato calibrate gaussian --epsilon 1 --delta 1e-6 --sensitivity 2"),
)(calibrate)
_app.command(
    short_help="Do output probabilities keep a claimed ε?",
    epilog=examples("sfumato verify randomized-response.csv --epsilon 'ln(2)'"),
)(verify)
_app.command(
    short_help="Does a function keep its claimed ε?",
    epilog=examples("sfumato audit mechanisms:laplace --d0 '[0]' --d1 '[1]' --epsilon 1"),
)(audit)
_app.command(short_help="Check the book's theorems.", epilog=examples("sfumato theorems"))(theorems)
_app.add_typer(survey)
_app.add_typer(ledger)
_app.add_typer(attack)
_app.add_typer(demo)
_app.command(
    short_help="Complete what is typed in a shell.",
    epilog=examples('eval "$(sfumato completion bash)"'),
)(completion)


def _say_version(asked: bool) -> None:  # noqa: FBT001
    if asked:
        from importlib.metadata import version

        typer.echo(f"sfumato {version('sfumato')}")
        raise typer.Exit


@_app.callback()
def _start(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_say_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Ask a table of people under differential privacy, and see what that costs and promises.

    See how exposed a table is, what privacy was spent on it, and whether a promise is kept.
    Tables are CSV and Parquet files, events are JSON. Nothing leaves this computer.

    Each verb has its own help, with an example that runs in the folder examples:
    sfumato query --help
    """


def main() -> None:
    """Run the command with the arguments of this process, and exit.

    Examples
    --------
    >>> import sys
    >>> from unittest.mock import patch
    >>> from sfumato.cli import main
    >>> with patch.object(sys, "argv", ["sfumato", "--version"]):
    ...     try:
    ...         main()
    ...     except SystemExit as end:
    ...         print("exit code", end.code)
    sfumato 0.1.0
    exit code 0
    """
    with delivered():
        _command()(prog_name="sfumato")


@cache
def _command() -> Any:
    """All verbs, read once a process: reading them takes longer than most of them do."""
    return typer.main.get_command(_app)
