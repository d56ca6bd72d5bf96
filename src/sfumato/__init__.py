"""Sfumato: the picture stays, the person blurs.

For people who hold a table about people: see how exposed it is, answer questions about it under
differential privacy, and let anyone re-check the guarantee.

The names at the top are those of the first hour.  The rest is in rooms: ``sf.tables``,
``sf.mechanisms``, ``sf.privacy``, ``sf.risk``, ``sf.survey``, ``sf.ledger`` and others.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sfumato.printing import draw_in

if TYPE_CHECKING:
    from sfumato import application as application
    from sfumato import charts, information, ledger, mechanisms, privacy, risk, survey, tables
    from sfumato import errors as errors
    from sfumato import language as language
    from sfumato import learning as learning
    from sfumato import numeric as numeric
    from sfumato import sampling as sampling
    from sfumato.application import check, inspect
    from sfumato.audit import audit, verify
    from sfumato.errors import SfumatoError
    from sfumato.learning import KMeans
    from sfumato.ledger import Ledger
    from sfumato.privacy import (
        ApproxDP,
        PureDP,
        ZeroConcentratedDP,
        calibrate,
        compose,
    )
    from sfumato.risk import anonymize
    from sfumato.survey import Survey
    from sfumato.tables import (
        col,
        count,
        histogram,
        maximum,
        mean,
        median,
        minimum,
        open,
        people,
        public,
        quantile,
        std,
        sum,
        table,
        variance,
        when,
    )

__version__ = "0.1.0"

__all__ = [
    "ApproxDP",
    "KMeans",
    "Ledger",
    "PureDP",
    "SfumatoError",
    "Survey",
    "ZeroConcentratedDP",
    "__version__",
    "anonymize",
    "audit",
    "calibrate",
    "charts",
    "check",
    "col",
    "compose",
    "count",
    "histogram",
    "information",
    "inspect",
    "ledger",
    "maximum",
    "mean",
    "mechanisms",
    "median",
    "minimum",
    "open",
    "people",
    "privacy",
    "public",
    "quantile",
    "risk",
    "std",
    "sum",
    "survey",
    "table",
    "tables",
    "variance",
    "verify",
    "when",
]

#: The room of each name; it is loaded when the name is first used.
_HOMES = {
    "KMeans": "learning",
    "Ledger": "ledger",
    "SfumatoError": "errors",
    "Survey": "survey",
    "anonymize": "risk",
    "check": "application",
    "inspect": "application",
    "verify": "audit",
    **dict.fromkeys(
        ("ApproxDP", "PureDP", "ZeroConcentratedDP", "calibrate", "compose"), "privacy"
    ),
    **dict.fromkeys(("col", "open", "public", "table", "when"), "tables"),
    **dict.fromkeys(("count", "histogram", "maximum", "mean", "median", "minimum"), "tables"),
    **dict.fromkeys(("people", "quantile", "std", "sum", "variance"), "tables"),
}
#: Rooms, which are loaded when they are first used.
_ROOMS = {
    *("application", "audit", "charts", "errors", "information", "language"),
    *(
        "learning",
        "ledger",
        "mechanisms",
        "numeric",
        "privacy",
        "risk",
        "sampling",
        "survey",
        "tables",
    ),
}

#: What others call the names at the top.
_MEANT = {
    **dict.fromkeys(("avg", "average"), "mean"),
    **dict.fromkeys(("read_csv", "read_parquet", "dataframe", "load", "connect"), "table"),
    **dict.fromkeys(("max", "amax"), "maximum"),
    **dict.fromkeys(("min", "amin"), "minimum"),
    **dict.fromkeys(("var",), "variance"),
    **dict.fromkeys(("nunique", "count_distinct"), "people"),
    "stddev": "std",
}

draw_in("sfumato.charts")


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"sfumato.{_HOMES[name]}"), name)
    if name in _ROOMS:
        return import_module(f"sfumato.{name}")
    message = f"module 'sfumato' has no attribute {name!r}{_moved(name) or _nearest(name)}"
    raise AttributeError(message)


def _moved(name: str) -> str:
    """Say in which room a name is, where it is in one."""
    if name.startswith("_"):
        return ""
    for room in ("tables", "mechanisms", "privacy", "errors", "numeric", "application"):
        if name in getattr(import_module(f"sfumato.{room}"), "__all__", ()):
            return f"; it is sf.{room}.{name}"
    return ""


def _nearest(name: str) -> str:
    """Say which name is meant, where one is known or spelt almost so."""
    if name.startswith("_"):
        return ""
    from difflib import get_close_matches

    meant = _MEANT.get(name.lower())
    near = [meant] if meant else get_close_matches(name, __dir__(), n=1, cutoff=0.75)
    return f"; write sf.{near[0]}" if near else ""


def __dir__() -> list[str]:
    return sorted({*__all__, *_ROOMS})
