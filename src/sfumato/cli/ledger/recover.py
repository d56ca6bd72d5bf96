"""The verb ``ledger recover``: charges without a recorded answer."""

from __future__ import annotations

from typing import Annotated

from sfumato import application
from sfumato.cli.arguments import Json, option
from sfumato.cli.failures import explained
from sfumato.cli.ledger.arguments import AnyBook, Place  # noqa: TC001
from sfumato.cli.output import write_report
from sfumato.cli.surface import options_named
from sfumato.errors import InputError

Close = Annotated[
    str, option("RECEIPT", "Write that nothing is released for it; its first 8 digits will do.")
]
Reason = Annotated[str, option("TEXT", "With --close: why.")]


@explained()
@options_named()
def recover(
    dataset: AnyBook = "",
    *,
    close: Close = "",
    reason: Reason = "",
    ledger: Place = "",
    json: Json = False,
) -> None:
    """List orphans: the charges for which nothing was recorded as released.

    They are still being computed, or their program crashed, and are spent either way. --close
    settles one, so that it is listed no more; it stays spent.
    """
    if bool(close) != bool(reason):
        raise InputError(
            "E-OPTION-CONFLICT",
            "--close and --reason go together",
            "write --close RECEIPT --reason 'it crashed'",
        )
    place, book = ledger or None, dataset or None
    report = (
        application.close_orphan(close, reason=reason, dataset=book, place=place)
        if close
        else application.list_orphans(book, place=place)
    )
    write_report(report, json=json)
