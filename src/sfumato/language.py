"""Which language sfumato speaks: English, or another one that is asked for by its code.

Messages, notes, help and reports are translated; names, codes, figures, ledgers and certificates
are the same in every language.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.translation import EVERYWHERE, LANGUAGES, VARIABLE, asked, speaking

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["spoken", "use", "using"]


def spoken() -> str:
    """Return the language that is spoken here: that of the block, the process, or SFUMATO_LANG.

    Examples
    --------
    >>> import sfumato as sf
    >>> with sf.language.using("zh"):
    ...     sf.language.spoken()
    'zh'
    """
    return _known(asked())


def use(language: str) -> None:
    """Speak a language from now on, in all threads of this process.

    Parameters
    ----------
    language
        "en" (English) or "zh" (Chinese).

    Examples
    --------
    >>> import sfumato as sf
    >>> before = sf.language.spoken()
    >>> sf.language.use("zh")
    >>> sf.language.spoken()
    'zh'
    >>> sf.language.use(before)
    """
    EVERYWHERE[VARIABLE] = _known(language)


@contextmanager
def using(language: str) -> Iterator[None]:
    """Speak a language in a block, whatever others speak beside it.

    Threads that the block starts speak the language of the process.

    Parameters
    ----------
    language
        "en" (English) or "zh" (Chinese).

    Examples
    --------
    >>> import sfumato as sf
    >>> with sf.language.using("en"):
    ...     sf.language.spoken()
    'en'
    """
    with speaking(_known(language)):
        yield


def _known(language: str) -> str:
    """Return a language that is spoken, or refuse."""
    if language in LANGUAGES:
        return language
    raise InputError(
        "E-LANGUAGE-UNKNOWN",
        "there are no sentences in the language {language!r:.60}",
        "write en (English) or zh (Chinese)",
        language=language,
    )
