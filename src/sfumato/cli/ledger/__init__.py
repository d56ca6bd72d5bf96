"""The verbs ``sfumato ledger …``: a durable account of what was spent."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.cli.ledger.app import ledger

__all__ = ["ledger"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(__name__, {"app": "ledger"})
