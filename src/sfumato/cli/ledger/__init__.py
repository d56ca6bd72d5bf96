"""The verbs ``sfumato ledger …``: a durable account of what was spent."""

from sfumato.cli.ledger.app import ledger

__all__ = ["ledger"]
