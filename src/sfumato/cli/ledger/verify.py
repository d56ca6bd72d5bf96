"""The verb ``ledger verify``: whether a ledger holds what was written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from sfumato import application
from sfumato.cli.arguments import Json, flag, option, read_source
from sfumato.cli.failures import explained
from sfumato.cli.ledger.arguments import AnyBook, Place  # noqa: TC001
from sfumato.cli.output import exit_with, progressing, write_report
from sfumato.cli.surface import options_named
from sfumato.errors import InputError
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from typing import TextIO


Receipt = Annotated[
    list[str],
    option("FILE", "A receipt to hold against it; - reads standard input; several may be given."),
]
Signer = Annotated[
    list[str],
    option(
        "KEY",
        "A signer that you trust, as ed25519:… or as the 64 digits of the public key; what others "
        "signed is then wrong. Several may be given.",
    ),
]
WithoutLedger = Annotated[bool, flag("--without-ledger", "Check receipts by themselves.")]
Answer = Annotated[str, option("FILE", "With one receipt: what was released for it.")]


@explained()
@options_named("answer", "json", receipts="--receipt", signers="--signer")
def verify(
    dataset: AnyBook = "",
    *,
    receipt: Receipt = [],  # noqa: B006, since the command line is read by it
    signer: Signer = [],  # noqa: B006, since the command line is read by it
    without_ledger: WithoutLedger = False,
    answer: Answer = "",
    ledger: Place = "",
    json: Json = False,
) -> None:
    """Read every entry again: the chain of hashes, the signatures, and the sums.

    A receipt from after the old copy was made shows a roll-back: keep receipts elsewhere.
    Anybody can sign with a key of their own: --signer names those that you trust. Exit code 5
    says that something is wrong.
    """
    report = (
        _alone(receipt, signer, answer, is_named=bool(dataset or ledger))
        if without_ledger
        else _all(receipt, signer, answer, dataset, ledger)
    )
    write_report(report, json=json)
    exit_with("proved" if report.is_sound else "refuted")


def _all(
    receipts: list[str], signers: list[str], answer: str, dataset: str, ledger: str
) -> application.VerificationReport:
    with progressing(dataset or tr("the ledger")) as progress:
        return application.verify_ledger(
            dataset or None,
            place=ledger or None,
            receipts=_sources(receipts),
            signers=signers or None,
            answer=answer or None,
            progress=progress,
        )


def _alone(
    receipts: list[str], signers: list[str], answer: str, *, is_named: bool
) -> application.ReceiptsReport:
    if is_named:
        raise InputError(
            "E-OPTION-CONFLICT",
            "--without-ledger reads receipts alone",
            "leave out DATASET and --ledger",
        )
    return application.verify_receipts(
        _sources(receipts), signers=signers or None, answer=answer or None
    )


def _sources(receipts: list[str]) -> list[str | TextIO]:
    return [read_source(each, mark("the file of a receipt")) for each in receipts]
