"""The shell: one verb a question."""

from sfumato.cli.app import main

__all__ = ["main"]
