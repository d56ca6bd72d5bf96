"""Where a PostgreSQL database is: an address without a password, and what of it may be shown."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from sfumato.errors import InputError, MissingExtraError
from sfumato.translation import mark

__all__ = ["Address", "is_address", "psycopg_module", "read_address"]

_SCHEMES = ("postgresql://", "postgres://")
_WITH_DRIVER = re.compile(r"postgres(ql)?\+[a-z0-9]{1,20}")
_SECRETS = ("password", "sslpassword")
_FORM = "postgresql://host:5432/database"


@dataclass(frozen=True)
class Address:
    """A database of a server.

    Attributes
    ----------
    parameters
        What a connection is made with, besides what the environment and libpq's own files say.
    secret
        A password that another connection was made with; it is never shown.
    """

    parameters: tuple[tuple[str, str], ...] = field(repr=False)
    secret: str = field(default="", repr=False)

    def __str__(self) -> str:
        given = dict(self.parameters)
        host = given.get("host", "")
        port = f":{given['port']}" if "port" in given and host else ""
        return f"postgresql://{host}{port}/{given.get('dbname', '')}"

    def __repr__(self) -> str:
        return f"Address({str(self)!r})"


def is_address(data: Any) -> bool:
    """Tell whether something is the address of a server, or was meant to be."""
    return isinstance(data, str) and "://" in data


def read_address(text: str) -> Address:
    """Return an address, refused if it is of another kind or has a password in it."""
    if not text.startswith(_SCHEMES):
        raise _other_kind(text.partition("://")[0])
    parameters = _parsed(text)
    if any(each in parameters for each in _SECRETS):
        raise InputError(
            "E-ADDRESS-PASSWORD",
            "the address of the server has a password in it, which would be seen",
            "write {form} and keep the password in PGPASSWORD or ~/.pgpass",
            form=_FORM,
        )
    return Address(tuple(sorted(parameters.items())))


def psycopg_module() -> Any:
    """Return the library that talks to servers, or say which extra has it."""
    try:
        import ibis  # noqa: F401
        import psycopg
    except ImportError:
        raise MissingExtraError(
            purpose=mark("reading a table of PostgreSQL"), extra="postgres"
        ) from None
    return psycopg


def _other_kind(scheme: str) -> InputError:
    if _WITH_DRIVER.fullmatch(scheme):
        return InputError(
            "E-ADDRESS-FORM",
            "an address names no driver, and {scheme!r} does",
            "write {form}",
            scheme=scheme,
            form=_FORM,
        )
    if not (scheme.isalnum() and len(scheme) < 20):
        return InputError(
            "E-ADDRESS-FORM", "tables cannot be read at such an address", "write {form}", form=_FORM
        )
    return InputError(
        "E-ADDRESS-FORM",
        "tables cannot be read at an address that begins with {scheme!r}",
        "write {form}",
        scheme=scheme,
        form=_FORM,
    )


def _parsed(text: str) -> dict[str, str]:
    psycopg = psycopg_module()
    try:
        found = psycopg.conninfo.conninfo_to_dict(text)
    except (psycopg.Error, UnicodeError):
        found = None
    if found is None or "\0" in text:
        raise InputError(
            "E-ADDRESS-FORM", "the address of the server cannot be read", "write {form}", form=_FORM
        )
    return {name: str(value) for name, value in found.items()}
