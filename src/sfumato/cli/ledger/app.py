"""The verbs of the ledger, together."""

from __future__ import annotations

import typer

from sfumato.cli.ledger.export import export
from sfumato.cli.ledger.init import init
from sfumato.cli.ledger.recover import recover
from sfumato.cli.ledger.show import show
from sfumato.cli.ledger.spend import spend
from sfumato.cli.ledger.verify import verify

__all__ = ["ledger"]

ledger = typer.Typer(
    name="ledger",
    short_help="What was spent on a dataset?",
    help="""Keep a durable account of what was spent on each dataset, and by whom.

    The ledger is a file or a PostgreSQL database: the one that --ledger names, or the variable
    SFUMATO_LEDGER, or ledger.db in your own data folder. Nothing in it is ever changed. It holds
    events, never data.

    What is opened, spent and released is signed, with the key in the file that the variable
    SFUMATO_SIGNING_KEY names, or in your own configuration folder; it is made on first use.""",
    epilog="Example: sfumato ledger init patients --epsilon 1",
    no_args_is_help=True,
    rich_markup_mode=None,
)
ledger.command(
    short_help="Open the book of a dataset.",
    epilog="Example: sfumato ledger init patients --epsilon 1 --per year --each-analyst 0.5",
)(init)
ledger.command(
    short_help="What is left, and what was charged last?",
    epilog="Example: sfumato ledger show patients",
)(show)
ledger.command(
    short_help="Charge for a release that is made elsewhere.",
    epilog="Example: sfumato ledger spend patients --epsilon 0.1 --analyst ada --why 'by sex'",
)(spend)
ledger.command(
    short_help="Does it hold what was written?",
    epilog="Example: sfumato ledger verify --receipt receipt.json",
)(verify)
ledger.command(
    short_help="Write out every entry.",
    epilog="Example: sfumato ledger export patients --format csv --output patients.csv",
)(export)
ledger.command(
    short_help="Which charges have no recorded answer?",
    epilog="Example: sfumato ledger recover patients",
)(recover)
