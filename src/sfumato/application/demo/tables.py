"""The tables of two hospitals that the textbook begins with (tables 5.1 to 5.3).

Both sexes are written as in the first, where the textbook shortens them in the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping


Language = Literal["en", "zh"]
Name = Literal["hospital-a", "hospital-a-generalised", "hospital-b-generalised"]

#: The tables that were generalised, and published.
PUBLISHED: tuple[Name, Name] = ("hospital-a-generalised", "hospital-b-generalised")

_FOLDER = files("sfumato.application.demo") / "hospital_tables"
_COLUMNS: dict[Language, dict[str, str]] = {
    "en": {each: each for each in ("name", "age", "sex", "zip", "smoker", "diagnosis")},
    "zh": {
        "name": "姓名",
        "age": "年龄",
        "sex": "性别",
        "zip": "邮政编码",
        "smoker": "是否吸烟",
        "diagnosis": "诊断",
    },
}


@dataclass(frozen=True)
class HospitalTable:
    """One of the tables, and what its columns are called in its language.

    Attributes
    ----------
    path
        The CSV file that comes with sfumato.
    columns
        The header, by the English names.
    """

    path: Path
    columns: dict[str, str]


def hospital_table(name: Name, *, language: Language = "en") -> HospitalTable:
    """Return a table of the textbook: 5.1, 5.2 and 5.3 are the three names in their order."""
    suffix = ".csv" if language == "en" else f".{language}.csv"
    return HospitalTable(Path(str(_FOLDER / f"{name}{suffix}")), _COLUMNS[language])


def copy_tables(folder: str, *, language: Language = "en") -> list[Path]:
    """Copy the three tables into a folder, made if it is new; refuse to write over a file."""
    tables = [hospital_table(name, language=language).path for name in get_args(Name)]
    return copied({each.name: each for each in tables}, folder)


def copied(shipped: Mapping[str, Path], folder: str) -> list[Path]:
    """Copy files into a folder, made if it is new; refuse to write over any.

    Parameters
    ----------
    shipped
        The files, by the names that they get.
    folder
        Where they go.
    """
    copies = [Path(folder) / name for name in shipped]
    for copy in copies:
        if copy.exists():
            raise InputError(
                "E-OUTPUT-EXISTS",
                "{copy!r} exists already",
                "name a folder without it",
                copy=str(copy),
            )
    _make(folder)
    for copy, table in zip(copies, shipped.values(), strict=True):
        _write(copy, table.read_bytes())
    return copies


def _make(folder: str) -> None:
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            "E-OUTPUT-UNWRITABLE",
            "{folder!r} cannot be a folder ({reason})",
            "name another one",
            folder=folder,
            reason=error.strerror,
        ) from None


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise InputError(
            "E-OUTPUT-UNWRITABLE",
            "{path!r} cannot be written ({reason})",
            "name another folder",
            path=str(path),
            reason=error.strerror,
        ) from None
