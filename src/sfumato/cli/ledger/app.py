"""The verbs of the ledger, together."""

from __future__ import annotations

import typer

from sfumato.cli.examples import examples
from sfumato.cli.ledger.export import export
from sfumato.cli.ledger.init import init
from sfumato.cli.ledger.recover import recover
from sfumato.cli.ledger.show import show
from sfumato.cli.ledger.spend import spend
from sfumato.cli.ledger.verify import verify

_INIT = "sfumato ledger init visits --epsilon 1 --per year --each-analyst 0.5 --ledger ledger.db"
_SPEND = (
    "sfumato ledger spend visits --epsilon 0.1 --analyst ada --purpose 'by sex' "
    "--receipt receipt.json --ledger ledger.db"
)

ledger = typer.Typer(
    name="ledger",
    short_help="Keep the privacy budget of each dataset.",
    help="""Keep the privacy budget of each dataset: a durable account of who spent what of it.

    The ledger is a file or a PostgreSQL database: the one that --ledger names, or the variable
    SFUMATO_LEDGER, or ledger.db in your own data folder. Nothing in it is ever changed. It holds
    events, never data.

    What is opened, spent and released is signed, with the key in the file that the variable
    SFUMATO_SIGNING_KEY names, or in your own configuration folder; it is made on first use.""",
    epilog=examples(_INIT),
    no_args_is_help=True,
    rich_markup_mode=None,
)
ledger.command(
    short_help="Open the book of a dataset, with its privacy budget.", epilog=examples(_INIT)
)(init)
ledger.command(
    short_help="Show the budget left, and the last charges.",
    epilog=examples("sfumato ledger show visits --ledger ledger.db", first=[_INIT]),
)(show)
ledger.command(
    short_help="Charge for a release that is made elsewhere.",
    epilog=examples(_SPEND, first=[_INIT]),
)(spend)
ledger.command(
    short_help="Verify hashes, signatures and sums.",
    epilog=examples(
        "sfumato ledger verify --receipt receipt.json --ledger ledger.db", first=[_INIT, _SPEND]
    ),
)(verify)
ledger.command(
    short_help="Write out every entry.",
    epilog=examples(
        "sfumato ledger export visits --format csv --output spent.csv --ledger ledger.db",
        first=[_INIT],
    ),
)(export)
ledger.command(
    short_help="List orphans: charges without a recorded answer.",
    epilog=examples("sfumato ledger recover visits --ledger ledger.db", first=[_INIT]),
)(recover)
