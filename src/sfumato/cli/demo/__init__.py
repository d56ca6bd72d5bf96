"""The verbs ``sfumato demo …``: what sfumato shows, on tables that come with it."""

from sfumato.cli.demo.app import demo

__all__ = ["demo"]
