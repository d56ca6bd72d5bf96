"""Whether a model returns what it was trained on: texts word for word, and canaries by rank."""

from sfumato.audit.memorization.allowance import allowed_exposure
from sfumato.audit.memorization.canaries import ExposureReport, RankedCanary, exposure
from sfumato.audit.memorization.candidates import canaries
from sfumato.audit.memorization.verbatim import ExtractedShare, ExtractionReport, extraction

__all__ = [
    "ExposureReport",
    "ExtractedShare",
    "ExtractionReport",
    "RankedCanary",
    "allowed_exposure",
    "canaries",
    "exposure",
    "extraction",
]
