"""Verbatim extraction: which training texts a named function goes on with word for word.

What comes back, and what is memory of it, is worked out by :func:`sfumato.audit.extraction`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.application.auditing import is_target, load_callable, load_dataset
from sfumato.audit import extraction
from sfumato.data import quoted
from sfumato.documents import read_text
from sfumato.translation import mark

if TYPE_CHECKING:
    from sfumato.audit import ExtractionReport

_JSON = ".json"


def extract_target(
    target: str, *, texts: str, controls: str | None = None, **options: Any
) -> ExtractionReport:
    """Attack a function that is named, with texts from files or by name.

    Parameters
    ----------
    target
        ``module:function`` of what goes on with a text.
    texts, controls
        Texts it was trained on, and texts that it never saw: a file with one on each line, a JSON
        file with a list, or ``module:name``.
    options
        Those of :func:`sfumato.audit.extraction`.
    """
    model = load_callable(target)
    seen, others = load_texts(texts), None if controls is None else load_texts(controls)
    return extraction(model, seen, controls=others, **options)


def load_texts(place: str) -> Any:
    """Return texts by where they are; lines with nothing on them are left out."""
    path = Path(place)
    if path.suffix.lower() == _JSON or (is_target(place) and not path.is_file()):
        return load_dataset(place)
    given = read_text(path, quoted(path), most=None, mend=mark("name another file"))
    lines = (line.removesuffix("\r") for line in given.split("\n"))
    return [line for line in lines if line.strip()]
