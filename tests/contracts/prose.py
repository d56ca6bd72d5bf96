"""Prose that fills a field of a refusal and that no catalogue has: English in any language.

What is marked, said by ``tr`` or a part of its own by ``text`` is translated; a bare text is not.
Fields are followed to where a module gives them a name, or returns them from a function.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from tests.contracts.house import PACKAGE, tree
from tests.contracts.refusals import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

#: What is given fields besides errors.
_TEMPLATES = {"adding", "filled", "refute", "text", "tr"}
_WORD = re.compile(r"[A-Za-z]?[a-z]*[,;:.]?")
#: What is left of a value that an f-string writes: no word.
_VALUE = "{}"
_DEEPEST = 6


@dataclass(frozen=True)
class Module:
    """A module, with its constants and functions by their names."""

    constants: dict[str, list[ast.expr]] = field(default_factory=dict)
    functions: dict[str, list[ast.expr]] = field(default_factory=dict)


def bare_fields() -> Iterator[str]:
    """Yield each field of the code that is bare prose, with its place."""
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        for name, prose in bare(tree(path)):
            yield f"{place}: {name}={prose!r}"


def bare(code: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the fields of a module that are bare prose, and what each says."""
    module = Module(_named(code.body), _returned(code))
    for scope in (node for node in ast.walk(code) if isinstance(node, ast.FunctionDef)):
        known = {**module.constants, **_named(list(ast.walk(scope)))}
        for call in (node for node in ast.walk(scope) if isinstance(node, ast.Call)):
            for given in call.keywords if _has_fields(call) else ():
                texts = _texts(given.value, Module(known, module.functions))
                yield from ((str(given.arg), text) for text in texts if is_prose(text))


def is_prose(text: str) -> bool:
    """Tell whether a text says two words of English one after another; a command says none."""
    if text.startswith("sfumato"):
        return False
    words = [_WORD.fullmatch(each.strip("()“”")) is not None for each in text.split()]
    return any(one and other for one, other in pairwise(words))


def _has_fields(call: ast.Call) -> bool:
    first = call.args[0] if call.args else None
    chosen = first.body if isinstance(first, ast.IfExp) else first
    has_code = isinstance(chosen, ast.Constant) and str(chosen.value).startswith("E-")
    return has_code or _name(call) in {*KINDS, *_TEMPLATES}


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _named(nodes: list[ast.stmt] | list[ast.AST]) -> dict[str, list[ast.expr]]:
    """Return what names are given, each time that they are given something."""
    found: dict[str, list[ast.expr]] = {}
    for node in nodes:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) else None
        if isinstance(target, ast.Name) and value is not None:
            found.setdefault(target.id, []).append(value)
    return found


def _returned(tree: ast.Module) -> dict[str, list[ast.expr]]:
    return {
        scope.name: [
            node.value
            for node in ast.walk(scope)
            if isinstance(node, ast.Return) and node.value is not None
        ]
        for scope in ast.walk(tree)
        if isinstance(scope, ast.FunctionDef)
    }


def _texts(node: ast.expr, module: Module, depth: int = 0) -> Iterator[str]:
    """Yield the bare texts that an expression may be, or be made of."""
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.JoinedStr):
        yield "".join(
            str(part.value) if isinstance(part, ast.Constant) else _VALUE for part in node.values
        )
    elif depth < _DEEPEST:
        for inner in _inner(node, module):
            yield from _texts(inner, module, depth + 1)


def _inner(node: ast.expr, module: Module) -> list[ast.expr]:
    """Return what an expression is made of, as far as it is not marked."""
    match node:
        case ast.Name(id=name):
            return module.constants.get(name, [])
        case ast.IfExp(body=body, orelse=otherwise):
            return [body, otherwise]
        case ast.BoolOp(values=values):
            return values
        case ast.BinOp(left=left, right=right):
            return [left, right]
        case ast.Call(func=ast.Attribute(value=between, attr="join")):
            return [between]
        case ast.Call(func=ast.Name(id="Argument"), args=[name, *_]):
            return [name]
        case ast.Call(func=ast.Name(id=name)):
            return module.functions.get(name, [])
    return []
