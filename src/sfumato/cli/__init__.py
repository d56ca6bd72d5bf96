"""The shell: one verb a question."""

from sfumato.cli.app import command, main

__all__ = ["command", "main"]
