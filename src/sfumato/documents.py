"""Documents, read strictly: JSON and TOML, numbers as they were written, nothing twice or unknown.

Whatever is wrong is refused by one sentence that says where it stands.  The checker of certificates
reads by itself (``audit.certificate``), so that two readers have to agree on one.  A person who
answers a survey loads this page and the standard library, so numbers are shown by late imports.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from sfumato.errors import InputError, UnknownNameError
from sfumato.refusal import Given, text
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


#: The longest text that is read or written.
MOST_CHARACTERS = 10_000_000

_MOST_DEPTH = 100
_MOST_DIGITS = 1000
_LONGEST_NAME = 60
_WHERE = re.compile(r" \(at ([^()]*)\)$")
_TOO_DEEP = (
    f"the document is nested deeper than {_MOST_DEPTH} levels",
    mark("list events side by side"),
)


class _Repeating(dict[str, Any]):
    """A JSON object in whose text a field stood twice."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        names = [name for name, _ in pairs]
        self.twice = Counter(names).most_common(1)[0][0]


def read_text(source: Any, name: Given, *, most: int | None = MOST_CHARACTERS, mend: str) -> str:
    """Return the text of a file, or as much of it as shows that it is too long.

    Parameters
    ----------
    source
        A path, or an open text file such as standard input.
    name
        What errors call it.
    most
        The most characters that it may have, if there is a limit.
    mend
        What to do about a file that cannot be read.
    """
    size = -1 if most is None else most + 1
    with readable(name, mend):
        if hasattr(source, "read"):
            return str(source.read(size))
        with Path(source).open(encoding="utf-8-sig", newline="") as file:
            return file.read(size)


@contextmanager
def readable(name: Given, mend: str, **fields: Given) -> Iterator[None]:
    """Refuse a file that cannot be read, whatever reads it, by the sentence of its cause.

    ``fields`` are those of ``mend``, which says what to do where the cause does not.
    """
    try:
        yield
    except FileNotFoundError:
        failure = InputError(
            "E-FILE-MISSING",
            "there is no file {name}",
            "check the spelling and the folder",
            name=name,
        )
    except UnicodeDecodeError:
        failure = InputError(
            "E-FILE-ENCODING", "{name} is not text in UTF-8", "save it again as UTF-8", name=name
        )
    except IsADirectoryError:
        failure = InputError(
            "E-FILE-IS-FOLDER", "{name} is a folder", "name one file in it", name=name
        )
    except OSError as error:
        failure = InputError(
            "E-FILE-UNREADABLE",
            "{name} cannot be read ({reason})",
            mend,
            name=name,
            reason=error.strerror,
            **fields,
        )
    except ValueError:
        failure = InputError(
            "E-FILE-NAME", "{name} cannot be the name of a file", mend, name=name, **fields
        )
    else:
        return
    raise failure


def read_json(given: Any, *, writer: str = "to_json") -> Any:
    """Return what a JSON text says: numbers with a point stay the text they were written as.

    Parameters
    ----------
    given
        What a document says.
    writer
        What writes such documents, for the sentence about one that is no JSON.
    """
    if not isinstance(given, str):
        from sfumato.numeric import shown

        raise InputError(
            "E-ARGUMENT-TYPE",
            "a document must be text, not {text}",
            "write from_json(path.read_text())",
            text=shown(given),
        )
    if len(given) > MOST_CHARACTERS:
        raise InputError(
            "E-TOO-LARGE",
            "the document is longer than {most_characters:,} characters",
            "write several",
            most_characters=MOST_CHARACTERS,
        )
    document = _loaded(given, writer)
    if given.count("[") + given.count("{") > _MOST_DEPTH:
        check_depth(document)
    return document


def read_toml(given: str, name: Given) -> dict[str, Any]:
    """Return what a TOML text says: numbers with a point are decimals, as they were written.

    Parameters
    ----------
    given
        What a file says.
    name
        What errors call it.
    """
    import tomllib

    try:
        return tomllib.loads(given, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        where = _WHERE.search(str(error))
        failure = InputError(
            "E-FILE-FORM",
            "{name} is not TOML{place}: {sub}",
            "correct it there",
            name=name,
            place=text(" at {where}", where=where[1]) if where else "",
            sub=_WHERE.sub("", str(error))[:100],
        )
    except (ValueError, ArithmeticError):
        failure = InputError(
            "E-NUMBER-FORM", "{name} has a number of too many digits", "write fewer", name=name
        )
    except RecursionError:
        failure = InputError(
            "E-FILE-FORM",
            "{name} has lists within lists, too deep to read",
            "write fewer",
            name=name,
        )
    raise failure


def check_depth(document: Any) -> None:
    """Refuse a document whose brackets are nested too deep."""
    level = _brackets([document])
    for _ in range(_MOST_DEPTH):
        level = [inner for each in level for inner in _brackets(_inside(each))]
    if level:
        raise InputError("E-DOCUMENT-FORM", *_TOO_DEEP)


def check_version(document: Any, version: int, form: str) -> None:
    """Refuse a document that says no version, or one that this program does not read."""
    if not isinstance(document, dict) or "version" not in document:
        raise InputError(
            "E-DOCUMENT-FORM", "the document does not say its version", "write {form}", form=form
        )
    given = document["version"]
    if type(given) is int and 1 <= given <= version:
        return
    from sfumato.numeric import shown

    if type(given) is not int or given < 1:
        raise InputError(
            "E-FORMAT-VERSION",
            "version must be {version}, not {given}",
            "write {form}",
            version=version if version == 1 else f"1 to {version}",
            given=shown(given),
            form=form,
        )
    raise InputError(
        "E-FORMAT-VERSION",
        "this document is of version {given}, this program reads {version}",
        "install a newer sfumato",
        given=shown(given),
        version=version,
    )


def check_fields(
    entry: Mapping[Any, Any], wanted: Sequence[str], place: Given, optional: Sequence[str] = ()
) -> None:
    """Refuse a field that is unknown, is missing or stood twice in the text."""
    if isinstance(entry, _Repeating):
        raise InputError(
            "E-DOCUMENT-FORM",
            "{place}: the field {twice!r} stands twice",
            "write it once",
            place=place,
            twice=cut(entry.twice),
        )
    check_known(entry, dict.fromkeys([*wanted, *optional]), "field", place)
    for name in wanted:
        if name not in entry:
            raise InputError(
                "E-DOCUMENT-FORM",
                "{place}: the field {name!r} is missing",
                "write all of {wanted}",
                place=place,
                name=name,
                wanted=", ".join(wanted),
            )


def check_known(names: Iterable[Any], known: Iterable[str], kind: str, where: Given = "") -> None:
    """Refuse the first name that is not among the known ones, and offer the nearest of them."""
    known = tuple(known)
    for name in names:
        if name not in known:
            raise UnknownNameError(kind=kind, name=cut(name), known=known, where=where)


def cut(name: Any) -> str:
    """Return a name as a message can show it."""
    said = str(name)
    return said if len(said) <= _LONGEST_NAME else f"{said[:_LONGEST_NAME]}…"


def _inside(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value


def _brackets(values: Iterable[Any]) -> list[Any]:
    return [each for each in values if isinstance(each, (dict, list))]


def _loaded(given: str, writer: str) -> Any:
    try:
        return json.loads(
            given,
            parse_float=str,
            parse_int=_whole,
            parse_constant=_no_number,
            object_pairs_hook=_object,
        )
    except RecursionError:
        raise InputError("E-DOCUMENT-FORM", *_TOO_DEEP) from None
    except json.JSONDecodeError as error:
        raise InputError(
            "E-DOCUMENT-FORM",
            "the document is not JSON ({error})",
            "write what {writer} returns",
            error=error,
            writer=writer,
        ) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else _Repeating(pairs)


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise InputError(
            "E-NUMBER-FORM",
            "a number has more than {most_digits:,} digits",
            "write a shorter one",
            most_digits=_MOST_DIGITS,
        )
    return int(digits)


def _no_number(constant: str) -> NoReturn:
    raise InputError(
        "E-NUMBER-NOT-FINITE",
        "a number must be finite, not {constant}",
        "write the number itself",
        constant=constant,
    )
