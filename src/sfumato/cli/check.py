"""The verb ``check``: whether the certificate of an answer holds."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato import application
from sfumato.cli.arguments import Json, flag, option, read_source
from sfumato.cli.failures import explained
from sfumato.cli.output import exit_with, working, write_json, write_report
from sfumato.cli.surface import options_named
from sfumato.errors import InputError
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterator


Certificate = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A certificate, as query --certificate writes it; - reads standard input.",
        show_default=False,
    ),
]
Ledger = Annotated[str, option("PLACE", "The ledger that should hold the charge.")]
Signer = Annotated[
    list[str],
    option(
        "KEY",
        "A signer that you trust, as ed25519:… or as the 64 digits of the public key; what others "
        "signed does not hold then. Several may be given.",
    ),
]
Schema = Annotated[bool, flag("--schema", "Print the JSON Schema of certificates instead.")]


@explained()
def check(
    file: Certificate = "",
    *,
    ledger: Ledger = "",
    signer: Signer = [],  # noqa: B006, since the command line is read by it
    schema: Schema = False,
    json: Json = False,
) -> None:
    """Derive again what a certificate says, and say what that proves and what it does not.

    The sensitivities, the noise, the privacy cost and the answer are derived from what was declared
    and asked, by other code than that which answered. Exit code 5 says that something does not
    hold, and the sentence says what.
    """
    if schema:
        write_json(application.certificate_schema())
        return
    if not file:
        raise InputError(
            "E-OPTION-MISSING", "no certificate is named", "write sfumato check release.json"
        )

    with (
        working(file, mark("checking")),
        _naming_the_ledger(ledger),
        options_named("ledger", signers="--signer"),
    ):
        report = application.check(
            read_source(file, mark("the file of a certificate")),
            ledger=ledger or None,
            signers=signer or None,
        )
    write_report(report, json=json)
    exit_with("proved" if report.is_sound else "refuted")


@contextmanager
def _naming_the_ledger(place: str) -> Iterator[None]:
    """Say of a ledger that is not there what one who checks can do: they have none to make."""
    try:
        yield
    except InputError as error:
        if error.code == "E-LEDGER-MISSING":
            raise InputError(
                "E-LEDGER-MISSING",
                "there is no ledger at {place!r}",
                "name the one that was charged with --ledger, or leave it out: the "
                "certificate is checked by itself",
                place=place,
            ) from None
        raise
