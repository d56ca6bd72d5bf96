"""Pages that are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

from sfumato.data.writing import put_in_place

__all__ = ["put_page"]


def put_page(path: str, page: str) -> None:
    """Write a page into a file; what is no file, such as a pipe, is written to as it is.

    Examples
    --------
    >>> from sfumato.application.pages import put_page
    >>> put_page("/dev/null", "<p>hello</p>")
    """
    file = Path(path).resolve()
    if file.exists() and not file.is_file():
        file.write_text(page, encoding="utf-8")
        return
    with put_in_place(file) as draft:
        draft.write_text(page, encoding="utf-8")
