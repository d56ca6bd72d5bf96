"""What the code refuses, read from the code: each sentence with its code, as ``docs/errors.md``.

``python -m tests.contracts.refusals`` writes the page anew.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING

from sfumato.causes import CAUSES
from sfumato.tables.notes import DETAILS
from sfumato.tables.notes import KINDS as KINDS_OF_NOTES
from tests.contracts.house import PACKAGE, tree

if TYPE_CHECKING:
    from collections.abc import Iterator

_FIELD = re.compile(r"\{\w+\}")
PAGE = Path(__file__).parents[2] / "docs" / "errors.md"
#: Exceptions that are raised with a code and a sentence.
KINDS = {
    *("BudgetError", "InputError", "InternalError", "NoEnclosureError", "PendingError"),
    *("RefusedError", "RolledBackError", "StoreError"),
}
_HEAD = """\
# Error codes

Every refusal has a code that stays the same when its sentence is reworded or translated: \
`error.code` in Python, and the place to look it up is here. Below each code are its cause and the \
sentences that carry it, with what is put in between braces; after the arrow stands what to do. \
What is raised in which case is [on one page](reference/errors.md) of the reference.

This page is made from the code (`python -m tests.contracts.refusals`), and a test holds the two \
together.
"""
_NOTES = """\
## Notes under an answer

What is to be known of an answer beside its figures has codes, too: `answer.notes` in Python, \
`--notes` in the shell, `notes` in JSON. They are in order of how much they change how an answer \
is read. The first three that apply are printed, and details only where all notes are asked for.
"""


@dataclass(frozen=True)
class Site:
    """A place where something is refused.

    Attributes
    ----------
    where
        The file and the line.
    code
        The code, or several of which one is chosen.
    parts
        The templates: the sentence, and what to write; None where they are not written there.
    fields
        The names of what the templates are filled with; None where they are not written there.
    """

    where: str
    code: tuple[str, ...]
    parts: tuple[str, ...] | None
    fields: frozenset[str] | None

    @property
    def wanted(self) -> set[str]:
        """The fields of the templates."""
        parsed = (field for each in self.parts or () for field in Formatter().parse(each))
        return {name for _, name, _, _ in parsed if name is not None}


def sites() -> Iterator[Site]:
    """Every call of an exception of ours with a code."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and _is_refusal(node):
                constants = _constants(tree(path))
                yield _site(node, f"{path.relative_to(PACKAGE)}:{node.lineno}", constants)


def _is_refusal(node: ast.Call) -> bool:
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if name == "__init__":
        return bool(node.args) and bool(_codes(node.args[0]))
    return name in KINDS or (bool(node.args) and bool(_codes(node.args[0])))


def _site(node: ast.Call, where: str, known: dict[str, tuple[str, ...]]) -> Site:
    code = _codes(node.args[0]) if node.args else ()
    parts: list[str] | None = []
    for each in node.args[1:]:
        found = _texts(each, known)
        parts = None if parts is None or found is None else [*parts, *found]
    names = frozenset(each.arg for each in node.keywords if each.arg is not None)
    is_open = any(each.arg is None for each in node.keywords)
    return Site(where, code, None if parts is None else tuple(parts), None if is_open else names)


def _codes(node: ast.AST) -> tuple[str, ...]:
    if isinstance(node, ast.IfExp):
        return (*_codes(node.body), *_codes(node.orelse))
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return (node.value,) if is_text and node.value.startswith("E-") else ()  # type: ignore[attr-defined]


def _texts(node: ast.expr, known: dict[str, tuple[str, ...]]) -> tuple[str, ...] | None:
    """Return the templates that an argument stands for, if they can be read."""
    if (marked := _marked(node)) is not None:
        return (marked,)
    inner = node.value if isinstance(node, ast.Starred) else node
    return known.get(inner.id) if isinstance(inner, ast.Name) else None


def _marked(node: ast.AST) -> str | None:
    """Return a template as it is written there, in ``mark`` or bare."""
    is_marked = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "mark"
    inner = node.args[0] if is_marked else node  # type: ignore[attr-defined]
    return str(inner.value) if isinstance(inner, ast.Constant) else None


def _constants(module: ast.Module) -> dict[str, tuple[str, ...]]:
    """Return the texts, and pairs of texts, that a module gives a name."""
    found = {}
    for each in module.body:
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name):
            parts = each.value.elts if isinstance(each.value, ast.Tuple) else [each.value]
            texts = [text for part in parts if (text := _marked(part)) is not None]
            if len(texts) == len(parts):
                found[each.targets[0].id] = tuple(texts)
    return found


def page() -> str:
    """Return the page of all codes."""
    said: dict[str, dict[str, None]] = defaultdict(dict)
    for site in sites():
        for code in site.code:
            sentence, *mends = site.parts or ("",)
            mend = "".join(f" → {each}" for each in mends)
            if sentence and not _FIELD.fullmatch(sentence):
                said[code][f"{sentence}{mend}"] = None
    parts = [_HEAD]
    for code, cause in CAUSES.items():
        parts.append(f"## {code}\n\n{cause[0].upper()}{cause[1:]}.\n")
        parts += [f"- {_shown(each)}" for each in said[code]]
        parts += [""] if said[code] else []
    return "\n".join([*parts, _NOTES, *map(_note, KINDS_OF_NOTES.items())]).rstrip() + "\n"


def _note(kind: tuple[str, str]) -> str:
    code, sentence = kind
    detail = " (a detail)" if code in DETAILS else ""
    return f"- {code}{detail}: `{sentence}`"


def _shown(template: str) -> str:
    """Return a template as a page shows it: fields without their formats."""
    fields = Formatter().parse(template)
    plain = "".join(text if name is None else f"{text}{{{name}}}" for text, name, _, _ in fields)
    return f"`{plain}`" if "`" not in plain else f"`` {plain} ``"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
