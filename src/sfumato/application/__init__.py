"""The verbs a person would say, shared by every front end."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.application.certificates.checking import CertificateReport, check
    from sfumato.application.divergence_report import DivergenceReport
    from sfumato.application.entropy_report import EntropyReport
    from sfumato.application.information import measure_divergence, measure_entropy
    from sfumato.application.report import ExactReport
    from sfumato.application.tables.inspecting import inspect

__all__ = [
    "CertificateReport",
    "DivergenceReport",
    "EntropyReport",
    "ExactReport",
    "check",
    "inspect",
    "measure_divergence",
    "measure_entropy",
]

#: Where each name lives; it is loaded when first used, so that a small verb stays small.
_HOMES = {
    "CertificateReport": "certificates.checking",
    "DivergenceReport": "divergence_report",
    "EntropyReport": "entropy_report",
    "ExactReport": "report",
    "check": "certificates.checking",
    "inspect": "tables.inspecting",
    "measure_divergence": "information",
    "measure_entropy": "information",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return __all__
