"""Sfumato: the picture stays, the person blurs.

For people who hold a table about people: see how exposed it is, answer questions about it under
differential privacy, and let anyone re-check the guarantee.

The names at the top are those of the first hour.  The rest is in rooms: ``sf.tables``,
``sf.mechanisms``, ``sf.privacy``, ``sf.risk``, ``sf.survey``, ``sf.ledger`` and others.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from sfumato.doors import door
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
    from sfumato.mechanisms import sampled
    from sfumato.privacy import ApproxDP, PureDP, ZeroConcentratedDP, calibrate, compose
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
    "sampled",
    "std",
    "sum",
    "survey",
    "table",
    "tables",
    "variance",
    "verify",
    "when",
]

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

#: Rooms, which are loaded when they are first used.
_ROOMS = (
    *("application", "audit", "charts", "errors", "information", "language", "learning", "ledger"),
    *("mechanisms", "numeric", "privacy", "risk", "sampling", "survey", "tables"),
)

draw_in("sfumato.charts")


def _hint(name: str) -> str:
    """Say in which room a name is, or which one is meant, where that is known."""
    return "" if name.startswith("_") else _moved(name) or _nearest(name)


def _moved(name: str) -> str:
    """Say in which room a name is, where it is in one."""
    for room in ("tables", "mechanisms", "privacy", "errors", "numeric", "application"):
        if name in getattr(import_module(f"sfumato.{room}"), "__all__", ()):
            return f"; it is sf.{room}.{name}"
    return ""


def _nearest(name: str) -> str:
    """Say which name is meant, where one is known or spelt almost so."""
    from difflib import get_close_matches

    meant = _MEANT.get(name.lower())
    known = sorted({*__all__, *_ROOMS})
    near = [meant] if meant else get_close_matches(name, known, n=1, cutoff=0.75)
    return f"; write sf.{near[0]}" if near else ""


if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            **dict.fromkeys(_ROOMS, ""),
            "sfumato.application": "check inspect",
            "sfumato.audit": "verify",
            "sfumato.errors": "SfumatoError",
            "sfumato.learning": "KMeans",
            "sfumato.ledger": "Ledger",
            "sfumato.mechanisms": "sampled",
            "sfumato.privacy": "ApproxDP PureDP ZeroConcentratedDP calibrate compose",
            "sfumato.risk": "anonymize",
            "sfumato.survey": "Survey",
            "sfumato.tables": (
                "col count histogram maximum mean median minimum open people public quantile std "
                "sum table variance when"
            ),
        },
        hint=_hint,
    )
