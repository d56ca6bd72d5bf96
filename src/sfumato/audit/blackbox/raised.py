"""An exception as an outcome like any other."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.translation import tr

__all__ = ["Happened", "Raised"]


class Happened(str):
    """An outcome in words that say what happened, not what there is."""

    __slots__ = ()


@dataclass(frozen=True)
class Raised:
    """An exception as an outcome; its message tells outcomes apart and is never shown."""

    kind: str
    message: str

    @classmethod
    def of(cls, error: Exception) -> Raised:
        """Return the outcome that an exception is."""
        try:
            message = str(error)
        except Exception:  # noqa: BLE001 - whatever it is, it has no message
            message = ""
        return cls(type(error).__name__, message)

    def __str__(self) -> str:
        return Happened(tr("raised {kind}", kind=self.kind))

    def with_its_message(self) -> Happened:
        """Return that it was raised with this message, which is not shown."""
        return Happened(tr("raised {kind} with a certain message", kind=self.kind))
