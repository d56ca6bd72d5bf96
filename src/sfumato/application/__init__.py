"""The verbs a person would say, shared by every front end."""

from sfumato.application.divergence_report import DivergenceReport
from sfumato.application.entropy_report import EntropyReport
from sfumato.application.information import measure_divergence, measure_entropy
from sfumato.application.report import ExactReport

__all__ = [
    "DivergenceReport",
    "EntropyReport",
    "ExactReport",
    "measure_divergence",
    "measure_entropy",
]
