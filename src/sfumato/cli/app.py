"""The command ``sfumato`` and its verbs."""

from __future__ import annotations

from typing import Annotated

import typer

from sfumato.cli.account import account
from sfumato.cli.anonymize import anonymize
from sfumato.cli.attack import attack
from sfumato.cli.audit import audit
from sfumato.cli.calibrate import calibrate
from sfumato.cli.check import check
from sfumato.cli.demo import demo
from sfumato.cli.divergence import divergence
from sfumato.cli.entropy import entropy
from sfumato.cli.failures import delivered
from sfumato.cli.init import init
from sfumato.cli.kmeans import kmeans
from sfumato.cli.ledger import ledger
from sfumato.cli.plan import plan
from sfumato.cli.query import query
from sfumato.cli.risk import risk
from sfumato.cli.survey import survey
from sfumato.cli.theorems import theorems
from sfumato.cli.verify import verify

__all__ = ["main"]

_EPILOG = """\
Examples:

  sfumato init patients.csv

  sfumato query patients.csv 'SELECT COUNT(*) AS n FROM patients' --unit patient_id --epsilon 1

  sfumato check release.json

  sfumato kmeans shoppers.csv --k 3 --bounds orders=0:80,basket=0:250 --unit customer --epsilon 1

  sfumato survey new class.toml --question cheated --choices yes,no --truth 2/3

  sfumato risk patients.csv --quasi age,sex,zip --sensitive diagnosis

  sfumato anonymize patients.csv --quasi age,sex,zip --k 5 --output coarser.csv

  sfumato attack link patients.csv --person age=56 --sensitive diagnosis

  sfumato demo hospital

  sfumato entropy patients.csv --columns diagnosis

  sfumato entropy patients.csv --columns diagnosis --given age,sex

  sfumato divergence before.csv after.parquet --columns age,sex

  sfumato account events.json --delta 1e-6

  sfumato calibrate gaussian --epsilon 1 --delta 1e-6 --count 100

  sfumato verify survey.csv --epsilon 'ln(2)'

  sfumato audit mine:release --d0 '[0, 1]' --d1 '[0]' --epsilon 1

  sfumato ledger init patients --epsilon 1

Each verb has its own help: sfumato entropy --help
"""

_app = typer.Typer(
    name="sfumato",
    epilog=_EPILOG,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_app.command(
    short_help="Draft what is declared about a table.",
    epilog="Example: sfumato init patients.csv --unit patient_id --epsilon 3 --ledger ledger.db",
)(init)
_app.command(
    short_help="What would an answer cost, and how exact is it?",
    epilog="Example: sfumato plan patients.toml 'SELECT COUNT(*) AS n FROM patients' --epsilon 1",
)(plan)
_app.command(
    short_help="Ask a table of people, under differential privacy.",
    epilog="Example: sfumato query patients.csv 'SELECT sex, COUNT(*) AS n, AVG(age) AS age FROM "
    "patients GROUP BY sex' --unit patient_id --bounds age=0:110 --keys sex=F,M --epsilon 1",
)(query)
_app.command(
    short_help="Find centres of a table's points, under differential privacy.",
    epilog="Example: sfumato kmeans patients.csv --k 3 --columns age,cost --bounds age=0:110 "
    "--bounds cost=0:600 --unit patient_id --epsilon 1",
)(kmeans)
_app.command(
    short_help="Does the certificate of an answer hold?",
    epilog="Example: sfumato check release.json --ledger ledger.db",
)(check)
_app.command(
    short_help="How exposed are the people of a table?",
    epilog="Example: sfumato risk patients.csv --quasi age,sex,zip --sensitive diagnosis",
)(risk)
_app.command(
    short_help="Make a table coarser until nobody stands out.",
    epilog="Example: sfumato anonymize patients.csv --quasi age,sex,zip --k 5 --output safer.csv",
)(anonymize)
_app.command(
    short_help="How uncertain are columns of a table?",
    epilog="Example: sfumato entropy patients.csv --columns diagnosis --given age,sex",
)(entropy)
_app.command(
    short_help="How far apart are two tables?",
    epilog="Example: sfumato divergence before.csv after.csv --columns age,sex",
)(divergence)
_app.command(
    short_help="What does it cost in privacy?",
    epilog="Example: sfumato account events.json --delta 1e-6 --explain",
)(account)
_app.command(
    short_help="How much noise is enough?",
    epilog="Example: sfumato calibrate gaussian --epsilon 1 --delta 1e-6 --sensitivity 2",
)(calibrate)
_app.command(
    short_help="Do output probabilities keep a claimed ε?",
    epilog="Example: sfumato verify survey.csv --epsilon 'ln(2)'",
)(verify)
_app.command(
    short_help="Does a function keep its claimed ε?",
    epilog="Example: sfumato audit mine:release --d0 '[0, 1]' --d1 '[0]' --epsilon 1",
)(audit)
_app.command(short_help="Check the book's theorems.", epilog="Example: sfumato theorems")(theorems)
_app.add_typer(survey)
_app.add_typer(ledger)
_app.add_typer(attack)
_app.add_typer(demo)


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
        _app(prog_name="sfumato")
