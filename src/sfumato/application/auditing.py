"""Functions and tables of probabilities that a person names: audited, or verified exactly."""

from __future__ import annotations

import importlib
import inspect
import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from sfumato.application.mechanism_tables import read_mechanism
from sfumato.application.relations import named_relation
from sfumato.audit import STATEMENTS, audit, run_book, verify
from sfumato.data import check_readable, is_csv, is_tabbed, quoted
from sfumato.documents import read_text
from sfumato.errors import InputError, MissingExtraError, UnknownNameError
from sfumato.numeric import shown
from sfumato.privacy import AddRemove, Relation
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from sfumato.audit import AuditReport, BookReport, BookStatement, Verdict
    from sfumato.privacy.theorems import EpsilonLike, NumberLike


_ALL = "all"
_COUNTS = mark("the entries were read as counts, and each line divided by its sum")


def verify_table(
    source: str | PathLike[str],
    *,
    epsilon: EpsilonLike,
    delta: NumberLike = 0,
    order: NumberLike | None = None,
    relation: Relation | str | None = None,
) -> Verdict:
    """Decide exactly whether a table of output probabilities keeps a guarantee.

    Parameters
    ----------
    source
        A CSV file: one line an input, one column an output; or one line a probability, under
        ``input,output,probability``.  Probabilities are written as 0.25 or 1/4, counts as whole
        numbers.  An input of several rows has ``;`` between them.
    epsilon, delta, order
        The claim: pure or (ε, δ), or Rényi at an order.
    relation
        Which inputs are neighbours: "substitute" (the default), "add-remove", "all", or a
        relation.
    """
    neighbours: Any = "all" if relation == _ALL else named_relation(relation, _ALL)
    table = read_mechanism(source, tables=isinstance(neighbours, AddRemove))
    verdict = verify(
        table.distributions, epsilon=epsilon, delta=delta, order=order, neighbours=neighbours
    )
    return replace(verdict, note=tr(_COUNTS)) if table.counts else verdict


_DATASET = mark(
    "write JSON such as '[0, 1, 1]', a .json, .csv or .parquet file, or module:name for an object"
)
#: A module by its dotted name, and something in it.
_TARGET = re.compile(r"[^\W\d]\w*(\.\w+)*:[^\W\d]\w*(\.\w+)*")
_TABLES = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".parquet", ".pq")


def load_callable(target: str) -> Callable[..., Any]:
    """Return the function that ``module:name`` names, from an installed module or a local file."""
    found = _named(target, mark("function"))
    if not callable(found):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{target} is not a function",
            "name one that takes a dataset",
            target=shown(target),
        )
    loaded: Callable[..., Any] = found
    return loaded


def load_dataset(text: str) -> Any:
    """Return a dataset from its text: JSON, a file, or ``module:name`` of an object.

    A CSV or Parquet file becomes a pandas table.
    """
    if text.lower().endswith(_TABLES):
        return _table(text)
    if text.lower().endswith(".json"):
        return _json_file(Path(text))
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    if is_target(text):
        return _named(text, mark("dataset"))
    raise InputError("E-DATASET-FORM", "{text} is no dataset", _DATASET, text=shown(text))


def is_target(text: str) -> bool:
    """Tell whether a text is ``module:name``."""
    return _TARGET.fullmatch(text) is not None


def _named(target: str, kind: str) -> Any:
    module, _, name = target.partition(":")
    if not is_target(target):
        raise InputError(
            "E-MODULE-NAME",
            "{target} names no function",
            "write module:function, such as mine:release",
            target=shown(target),
        )
    found: Any = _imported(module)
    for part in name.split("."):
        if not hasattr(found, part):
            raise _no_such_name(found, part, kind, module)
        found = getattr(found, part)
    return found


def _no_such_name(searched: Any, name: str, kind: str, module: str) -> InputError:
    """Offer the functions that a module defines, or the objects; nothing that it imports."""
    known = [
        each
        for each, value in getattr(searched, "__dict__", {}).items()
        if not each.startswith("_") and _is_own(value, kind, module)
    ]
    if known:
        return UnknownNameError(kind=kind, name=name, known=known, where=f"{module!r}")
    return InputError(
        "E-MODULE-NAME",
        "there is no {kind} {name} in {module!r}, which has none",
        "write one there",
        kind=kind,
        name=shown(name),
        module=module,
    )


def _is_own(value: Any, kind: str, module: str) -> bool:
    if kind == "dataset":
        return not (callable(value) or isinstance(value, ModuleType))
    home = getattr(value, "__module__", None) or ""
    return inspect.isroutine(value) and f"{home}.".startswith(f"{module}.")


def _imported(module: str) -> ModuleType:
    """Import a module, the working folder's own first, as ``python -m`` does."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and not f"{module}.".startswith(f"{error.name}."):
            failure = InputError(
                "E-MODULE-MISSING",
                "the module {module!r} needs {error!r}, which is not installed",
                module=module,
                error=error.name,
            )
        else:
            failure = InputError(
                "E-MODULE-MISSING",
                "there is no module {module!r} here or among the installed",
                "write it without .py, and run the command in its folder",
                module=module,
            )
    except (Exception, SystemExit) as error:  # noqa: BLE001, a user's module fails in any way
        failure = InputError(
            "E-MODULE-FAILED",
            "the module {module!r} cannot be imported ({kind})",
            "run it alone",
            module=module,
            kind=type(error).__name__,
        )
    raise failure


def _json_file(path: Path) -> Any:
    given = read_text(path, quoted(path), most=None, mend=mark("name another file"))
    try:
        return json.loads(given)
    except (ValueError, RecursionError):
        raise InputError(
            "E-FILE-FORM",
            "{path} is not JSON in UTF-8",
            "write a list of rows, such as [0, 1, 1]",
            path=quoted(path),
        ) from None


def _table(text: str) -> Any:
    try:
        import pandas as pd
    except ImportError:
        raise MissingExtraError(purpose=mark("a table as a dataset"), extra="pandas") from None
    check_readable(Path(text))
    try:
        if not is_csv(Path(text)):
            return pd.read_parquet(text)
        return pd.read_csv(text, sep="\t" if is_tabbed(Path(text)) else ",")
    except (ValueError, OSError, ImportError):
        raise InputError(
            "E-FILE-UNREADABLE",
            "{path} cannot be read as a table",
            "check that it is whole",
            path=quoted(Path(text)),
        ) from None


def audit_target(
    target: str,
    *,
    d0: str,
    d1: str,
    epsilon: EpsilonLike,
    delta: NumberLike = 0,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> AuditReport:
    """Audit a function that is named, on two datasets that are written or named.

    Parameters
    ----------
    target
        ``module:function``; it takes a dataset, and how many outputs to return.
    d0, d1
        Two neighbouring datasets: JSON, a file, or ``module:name``.
    epsilon, delta
        What the function claims.
    progress
        Called with how many draws are done, and of how many.
    options
        Those of :func:`sfumato.audit.audit`.
    """
    release = load_callable(target)
    first, second = load_dataset(d0), load_dataset(d1)
    return audit(release, first, second, epsilon=epsilon, delta=delta, progress=progress, **options)


def check_theorems(
    *, figures: bool = False, progress: Callable[[int, int], None] | None = None
) -> BookReport:
    """Check the numbered statements of the sources, each with a false variant.

    Parameters
    ----------
    figures
        Whether to compute every figure that the sources print as well.
    progress
        Called with how many are done and how many there are.
    """
    return run_book((*STATEMENTS, *_figures()) if figures else STATEMENTS, progress=progress)


def _figures() -> tuple[BookStatement, ...]:
    """Return the figures, which take all rooms to compute, and pictures."""
    from sfumato.application.textbook.definition import DEFINITION
    from sfumato.application.textbook.information import INFORMATION
    from sfumato.application.textbook.mechanisms import MECHANISMS
    from sfumato.application.textbook.problem import PROBLEM

    return *PROBLEM, *DEFINITION, *MECHANISMS, *INFORMATION
