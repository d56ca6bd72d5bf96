"""The verb ``ledger verify``: whether a ledger holds what was written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.arguments import Json  # noqa: TC001, since the command line is read by it
from sfumato.cli.failures import explained
from sfumato.cli.ledger.arguments import (  # noqa: TC001, since the command line is read by it
    AnyBook,
    Place,
)
from sfumato.cli.output import exit_with, progressing, write_json, write_lines
from sfumato.errors import InputError

if TYPE_CHECKING:
    from sfumato.application.ledger.verifying import ReceiptsReport, VerificationReport

__all__ = ["verify"]

Receipt = Annotated[
    list[str],
    typer.Option(metavar="FILE", help="A receipt to hold against it.", show_default=False),
]
WithoutLedger = Annotated[
    bool, typer.Option("--without-ledger", help="Check receipts by themselves.")
]


@explained()
def verify(
    dataset: AnyBook = "",
    *,
    receipt: Receipt = [],  # noqa: B006, since the command line is read by it
    without_ledger: WithoutLedger = False,
    ledger: Place = "",
    json: Json = False,
) -> None:
    """Read every entry again: the chain of hashes, the signatures, and the sums.

    A receipt from after a roll-back shows it: keep receipts in another place than the ledger.
    Exit code 5 says that something is wrong.
    """
    report = _alone(receipt, dataset, ledger) if without_ledger else _all(receipt, dataset, ledger)
    if json:
        write_json(report.as_dict())
    else:
        write_lines(*report.lines())
    exit_with("proved" if report.is_sound else "refuted")


def _all(receipts: list[str], dataset: str, ledger: str) -> VerificationReport:
    from sfumato.application.ledger.verifying import verify_ledger

    with progressing(dataset or "the ledger") as progress:
        return verify_ledger(
            dataset or None, place=ledger or None, receipts=receipts, progress=progress
        )


def _alone(receipts: list[str], dataset: str, ledger: str) -> ReceiptsReport:
    from sfumato.application.ledger.verifying import verify_receipts

    if dataset or ledger:
        message = "--without-ledger reads receipts alone; leave out DATASET and --ledger"
        raise InputError(message)
    return verify_receipts(receipts)
