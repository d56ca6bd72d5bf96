"""The verbs ``sfumato attack …``: what others could find in what is published."""

from sfumato.cli.attack.app import attack

__all__ = ["attack"]
