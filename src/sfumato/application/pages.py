"""Pages and pictures that are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

from sfumato.charts.saving import check_picture, save
from sfumato.data.writing import check_folder, check_reachable, is_same_file, put_in_place

__all__ = [
    "check_folder",
    "check_picture",
    "check_reachable",
    "is_same_file",
    "put_page",
    "save",
]


def put_page(path: str, page: str) -> None:
    """Write a page into a file; what is no file, such as a pipe, is written to as it is."""
    file = Path(path).resolve()
    if file.exists() and not file.is_file():
        file.write_text(page, encoding="utf-8")
        return
    with put_in_place(file) as draft:
        draft.write_text(page, encoding="utf-8")
