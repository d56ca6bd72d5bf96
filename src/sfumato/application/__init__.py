"""The verbs a person would say, shared by every front end."""

from typing import TYPE_CHECKING

from sfumato.doors import door

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

__getattr__, __dir__ = door(
    __name__,
    {
        "certificates.checking": "CertificateReport check",
        "divergence_report": "DivergenceReport",
        "entropy_report": "EntropyReport",
        "information": "measure_divergence measure_entropy",
        "report": "ExactReport",
        "tables.inspecting": "inspect",
    },
)
