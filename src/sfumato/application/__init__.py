"""The verbs a person would say, shared by every front end."""

from sfumato.application.information import measure_divergence, measure_entropy
from sfumato.application.reports import DivergenceReport, EntropyReport, ExactReport

__all__ = [
    "DivergenceReport",
    "EntropyReport",
    "ExactReport",
    "measure_divergence",
    "measure_entropy",
]
