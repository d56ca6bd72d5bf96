"""The verbs ``sfumato survey …``: answers that are randomised at the person's side."""

from sfumato.cli.survey.app import survey

__all__ = ["survey"]
