"""The catalogues of sentences, made from the code: ``python -m tests.contracts.catalogues``.

Whatever the code marks is extracted: templates of errors, notes, sentences in ``tr``, and the help
of the shell.  Translations that are there are kept, and each catalogue is compiled beside itself.
"""

from __future__ import annotations

import ast
import inspect
import io
from argparse import ArgumentParser
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from sfumato.cli.localization import folded
from sfumato.translation import CATALOGUES, DOMAIN, ENGLISH, LANGUAGES, plain
from tests.cli.commands import the_command
from tests.contracts.house import PACKAGE, tree
from tests.contracts.refusals import sites

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TRANSLATED = [each for each in LANGUAGES if each != ENGLISH]
#: What is given a sentence or a template: functions, and one method.
TEMPLATES: dict[str, type[ast.AST]] = {
    "adding": ast.Attribute,
    **dict.fromkeys(("mark", "refute", "text", "tr"), ast.Name),
}
#: Errors that are given a word or two, and as what.
WORDS = {"UnknownNameError": "kind", "MissingExtraError": "purpose"}
_HEAD = """\
# The sentences of sfumato in {language}: python -m tests.contracts.catalogues keeps them in step
# with the code.  CONTRIBUTING.md says how to translate one."""


@dataclass
class Sentence:
    """A sentence of the code.

    Attributes
    ----------
    one, several
        What is said, and of any other number than one, if that is said otherwise.
    homes
        The files that say it.
    """

    one: str
    several: str = ""
    homes: list[str] = field(default_factory=list)

    @property
    def id(self) -> str | tuple[str, str]:
        """What a catalogue knows it by."""
        return (self.one, self.several) if self.several else self.one

    @property
    def fields(self) -> set[str]:
        """The fields of its templates."""
        return fields(self.one) | (fields(self.several) if self.several else set())


def fields(template: str) -> set[str]:
    """Return the names of the fields of a template; a sentence that is none has no fields."""
    try:
        return {name for _, name, _, _ in Formatter().parse(template) if name is not None}
    except ValueError:
        return set()


@cache
def messages() -> dict[str, Sentence]:
    """Return every sentence of the code, those of a file together."""
    found: dict[str, Sentence] = {}
    for home, one, several in (*_of_code(), *_of_errors(), *_of_help()):
        message = found.setdefault(one, Sentence(one))
        message.several = message.several or several
        if home not in message.homes:
            message.homes.append(home)
    return {each.one: each for each in sorted(found.values(), key=lambda each: min(each.homes))}


def _of_code() -> Iterator[tuple[str, str, str]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(tree(path)):
            for one, several in _said_by(node):
                yield _home(path), one, several


def _said_by(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield what a call or a table marks, and the plural of it."""
    if isinstance(node, ast.Call):
        yield from _said_by_call(node)
    elif isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "Sentences":
        assert isinstance(node.value, ast.Dict)
        yield from ((_found(each), "") for value in node.value.values for each in _texts(value))


def _said_by_call(node: ast.Call) -> Iterator[tuple[str, str]]:
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if name == "counted" and (nouns := _texts(node.args[-1])):
        yield from map(_counted, nouns)
    elif name == "tr_n" and not isinstance(node.args[0], ast.Starred):
        (one,), (several,) = map(_texts, node.args[:2])
        yield plain(one), plain(several)
    elif name in WORDS:
        named = [each.value for each in node.keywords if each.arg == WORDS[name]]
        yield from ((each, "") for word in [*node.args[:1], *named] for each in _texts(word))
    elif name in TEMPLATES and isinstance(node.func, TEMPLATES[name]):
        yield from ((_found(each), "") for each in _texts(node.args[0]))


def _found(text: str) -> str:
    """Return what a catalogue knows a text by: one with fields is a template."""
    return plain(text) if fields(text) else text


def _texts(node: ast.AST) -> list[str]:
    """Return the texts that an expression may stand for: one, or one of several."""
    if isinstance(node, ast.IfExp):
        return [*_texts(node.body), *_texts(node.orelse)]
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return [str(node.value)] if is_text and node.value else []  # type: ignore[attr-defined]


def _counted(noun: str) -> tuple[str, str]:
    from sfumato.printing.layout import of_number

    return of_number(noun)


def _of_errors() -> Iterator[tuple[str, str, str]]:
    for site in sites():
        home = f"src/sfumato/{site.where.partition(':')[0]}"
        for template in map(plain, site.parts or ()):
            if any(text.strip() for text, _, _, _ in Formatter().parse(template)):
                yield home, template, ""


def _of_help() -> Iterator[tuple[str, str, str]]:
    for home, said in _helped(the_command(), "src/sfumato/cli/app.py"):
        yield home, said, ""


def _helped(command: Any, above: str) -> Iterator[tuple[str, str]]:
    """Yield what the help page of a command and of those under it says, with the file."""
    home = _home_of(command) or above
    said = [command.help, command.short_help]
    said += [getattr(each, "help", None) for each in command.params if not _is_own(each)]
    yield from ((home, folded(each)) for each in said if each)
    for each in getattr(command, "commands", {}).values():
        yield from _helped(each, home)


def _is_own(param: Any) -> bool:
    """Whether it is --help, which Click words itself."""
    return bool(param.name == "help")


def _home_of(command: Any) -> str:
    if command.callback is None:
        return ""
    return _home(Path(str(inspect.getsourcefile(inspect.unwrap(command.callback)))))


def _home(path: Path) -> str:
    return f"src/sfumato/{path.relative_to(PACKAGE).as_posix()}"


def file_of(language: str, suffix: str = "po") -> Path:
    """Return where the catalogue of a language is."""
    return CATALOGUES / language / "LC_MESSAGES" / f"{DOMAIN}.{suffix}"


class Sentences(Catalog):
    """A catalogue with no date, author or tool in its head: it changes only with its sentences."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """Return what programs need to read it."""
        return [
            ("Language", str(self.locale_identifier)),
            ("Plural-Forms", self.plural_forms),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
        ]


def catalogue(language: str) -> Catalog:
    """Return the catalogue of a language as it is on disk; an empty one where there is none."""
    if not file_of(language).exists():
        return Catalog(language)
    with file_of(language).open(encoding="utf-8") as stream:
        return read_po(stream, locale=language, domain=DOMAIN)


def renewed(language: str) -> Catalog:
    """Return a catalogue with all sentences of the code, translated where they were."""
    before = catalogue(language)
    now = Sentences(language, DOMAIN, _HEAD.format(language=language), fuzzy=False)
    for message in messages().values():
        known = before.get(message.one)
        if known is None or bool(message.several) != known.pluralizable:
            known = Message(message.id)
        now.add(
            message.id,
            known.string or None,
            locations=[(home, 0) for home in message.homes],
            user_comments=known.user_comments,
        ).flags.clear()
    return now


def written(made: Catalog) -> bytes:
    """Return a catalogue as a file of sentences."""
    stream = io.BytesIO()
    write_po(stream, made, width=100, include_lineno=False)
    return stream.getvalue()


def compiled(made: Catalog) -> bytes:
    """Return a catalogue as programs read it: what is translated."""
    kept = Sentences(made.locale_identifier, fuzzy=False)
    for each in made:
        if each.id and all(translations(each)):
            kept.add(each.id, each.string)
    stream = io.BytesIO()
    write_mo(stream, kept)
    return stream.getvalue()


def translations(message: Message) -> list[str]:
    """Return what a message is in the language of its catalogue, by its number."""
    said = message.string
    return [said or ""] if said is None or isinstance(said, str) else list(said)


def taken(into: Catalog, parts: Iterable[Path]) -> None:
    """Take over what is translated in other files: parts of a catalogue that somebody worked on."""
    for part in parts:
        with part.open(encoding="utf-8") as stream:
            for each in read_po(stream, locale=into.locale):
                known = into.get(each.id) if each.id and all(translations(each)) else None
                if known is not None:
                    known.string = each.string


def split(made: Catalog, folder: Path) -> None:
    """Write what is not translated yet into files of a folder, one a room."""
    folder.mkdir(parents=True, exist_ok=True)
    parts: dict[str, Sentences] = {}
    for each in made:
        if each.id and not all(translations(each)):
            room = Path(min(each.locations)[0]).parts[2].removesuffix(".py")
            part = parts.setdefault(
                room,
                Sentences(made.locale_identifier, DOMAIN, made.header_comment, fuzzy=False),
            )
            part.add(each.id, each.string, locations=each.locations).flags.clear()
    for room, part in parts.items():
        (folder / f"{room}.po").write_bytes(written(part))


def main() -> None:
    """Write the catalogue of each language, and compile it; say how much it lacks."""
    reader = ArgumentParser(prog="python -m tests.contracts.catalogues", description=main.__doc__)
    reader.add_argument("parts", nargs="*", type=Path, help="files to take translations from")
    reader.add_argument("--split", type=Path, help="a folder for what is not translated, by room")
    asked = reader.parse_args()
    for language in TRANSLATED:
        made = renewed(language)
        taken(made, asked.parts)
        file_of(language).parent.mkdir(parents=True, exist_ok=True)
        file_of(language).write_bytes(written(made))
        file_of(language, "mo").write_bytes(compiled(made))
        if asked.split:
            split(made, asked.split / language)
        print(f"{language}: {len(lacking(made))} of {len(messages())} sentences are not translated")


def lacking(made: Catalog) -> list[str]:
    """Return the sentences that are not translated yet."""
    return [str(each.id) for each in made if each.id and not all(translations(each))]


if __name__ == "__main__":
    main()
