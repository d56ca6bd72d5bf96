"""A language in which every sentence of the catalogues is English in brackets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sfumato import translation
from sfumato.language import using
from tests.noise import same_noise

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["same_noise"]


class Bracketed:
    """A catalogue that has every sentence."""

    def gettext(self, sentence: str) -> str:
        return f"⟦{sentence}⟧"

    def ngettext(self, one: str, several: str, number: int) -> str:
        return self.gettext(one if number == 1 else several)


@pytest.fixture
def bracketed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Speak that language."""
    catalogue = Bracketed()
    monkeypatch.setattr(translation, "_catalogue", lambda _: catalogue)
    with using("zh"):
        yield
