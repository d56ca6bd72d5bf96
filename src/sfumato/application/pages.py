"""Pages and pictures that are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

from sfumato.charts.saving import check_parts, check_picture, save
from sfumato.data.writing import check_folder, check_reachable, is_same_file, put_in_place
from sfumato.errors import MissingExtraError
from sfumato.translation import tr

__all__ = [
    "check_folder",
    "check_picture",
    "check_reachable",
    "is_same_file",
    "put_page",
    "save",
    "without_pictures",
]


def put_page(path: str, page: str) -> None:
    """Write a page into a file; what is no file, such as a pipe, is written to as it is."""
    file = Path(path).resolve()
    if file.exists() and not file.is_file():
        file.write_text(page, encoding="utf-8")
        return
    with put_in_place(file) as draft:
        draft.write_text(page, encoding="utf-8")


def without_pictures() -> list[str]:
    """Return how to get the pictures that a report lacks; nothing where it has them all."""
    try:
        check_parts()
    except MissingExtraError as error:
        return [tr("The report lacks pictures: {error}", error=error)]
    return []
