"""The house as a machine reads it: which room a file is in, and what it imports."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import sfumato

PACKAGE = Path(sfumato.__file__).parent

#: What every room may import.
FOR_ALL = {"doors", "errors", "refusal", "translation"}

#: What each room may import from its own package, besides itself and that.
MAY_IMPORT: dict[str, set[str]] = {
    "doors": set(),
    "causes": set(),
    "errors": {"causes", "refusal"},
    "language": set(),
    "refusal": set(),
    "translation": set(),
    "numeric": set(),
    "documents": {"numeric"},
    "printing": set(),
    "information": {"numeric", "printing"},
    "sampling": {"numeric"},
    "privacy": {"documents", "information", "numeric", "printing"},
    "mechanisms": {"privacy", "sampling", "information", "numeric", "printing"},
    "ledger": {"documents", "privacy", "numeric", "printing"},
    "data": {"documents", "privacy"},
    "tables": {"mechanisms", "privacy", "ledger", "data", "numeric", "printing"},
    "survey": {"documents", "mechanisms", "privacy", "data", "sampling", "numeric", "printing"},
    "learning": {"data", "documents", "ledger", "mechanisms", "numeric", "printing", "privacy"}
    | {"sampling"},
    "risk": {"information", "data", "numeric", "printing"},
    "audit": {"privacy", "information", "numeric", "printing"},
    "charts": {"audit", "data", "information", "ledger", "learning", "mechanisms", "numeric"}
    | {"printing", "privacy", "risk", "sampling", "survey", "tables"},
    "cli": {"application", "language", "printing"},
    "__main__": {"cli"},
}
MAY_IMPORT["application"] = MAY_IMPORT["charts"] | {"charts", "documents"}
#: The top of the house shows the public surface, so it sees every room.
MAY_IMPORT["__init__"] = set(MAY_IMPORT) - {"cli", "__main__"}

#: Third parties that only some rooms may import.
ONLY_IN: dict[str, set[str]] = {
    "ibis": {"data", "tables", "learning", "risk", "survey"},
    "duckdb": {"data"},
    "psycopg": {"data", "ledger"},
    "pyspark": {"data"},
    "altair": {"charts", "printing"},
    "vl_convert": {"charts"},
    "typer": {"cli"},
    "rich": {"cli"},
}


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def room(module: str) -> str:
    """The room a module is in."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def imports(module: str, path: Path, known: dict[str, Path]) -> set[str]:
    """Every module that one imports, at the top, in functions and for type checking alike."""
    return {_deepest(name, known) for name in _imported(module, path)}


@cache
def tree(path: Path) -> ast.Module:
    """A source file, parsed once, whichever contract asks."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def _imported(module: str, path: Path) -> frozenset[str]:
    return frozenset(name for node in ast.walk(tree(path)) for name in _names(node, module))


def _names(node: ast.AST, module: str) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            base = ".".join([*module.split(".")[: -node.level], base]).rstrip(".")
        return [f"{base}.{alias.name}" for alias in node.names]
    return []


def _deepest(name: str, known: dict[str, Path]) -> str:
    """Return the module that ``from a.b import c`` loads: a.b.c if it is one, else a.b."""
    return name if name in known or "." not in name else name.rsplit(".", 1)[0]
