"""Is a guarantee kept: exact verdicts, rigorous enclosures, and black-box audits.

- You know the probabilities of the outputs, or a distribution: ``sf.verify`` proves or refutes.
- You only have code: ``sf.audit(release, d0, d1, epsilon=1)`` looks for a violation by its outputs,
  and ``search_pairs`` for the datasets to do it on.
- You have scores of an attack on a model: ``membership`` and ``one_run``.
- You have a language model: ``extraction`` counts the training texts that it returns word for word,
  and ``exposure`` ranks canaries that were put into its training data.

The room itself can be called: ``sf.audit(...)`` is ``sfumato.audit.audit(...)``, and
``help(sfumato.audit.audit)`` describes it.
"""

from __future__ import annotations

import inspect
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from sfumato.doors import CallableRoom, door

if TYPE_CHECKING:
    from sfumato.audit.blackbox.audit import audit
    from sfumato.audit.blackbox.bounds import TestedEvent
    from sfumato.audit.blackbox.pairs import PairSearch, search_pairs
    from sfumato.audit.blackbox.report import AuditReport
    from sfumato.audit.book.report import STATEMENTS, BookReport, BookRow, run_book
    from sfumato.audit.book.statement import BookStatement, Finding
    from sfumato.audit.comparison import Claim, Interval, Least, WitnessEvent
    from sfumato.audit.exact.datasets import Datasets
    from sfumato.audit.exact.independent import Independent, Parts, each
    from sfumato.audit.exact.programs import Transcript, unroll
    from sfumato.audit.membership_inference.attack import membership, one_run
    from sfumato.audit.membership_inference.report import MembershipReport, allowed_edge
    from sfumato.audit.memorization.allowance import allowed_exposure, allowed_rank_share
    from sfumato.audit.memorization.canaries import ExposureReport, RankedCanary
    from sfumato.audit.memorization.candidates import canaries
    from sfumato.audit.memorization.continuations import extraction
    from sfumato.audit.memorization.ranking import exposure
    from sfumato.audit.memorization.verbatim import (
        ExtractedShare,
        ExtractionReport,
        TriedText,
    )
    from sfumato.audit.model_calls import as_number, called
    from sfumato.audit.verdict import Verdict, Witness
    from sfumato.audit.verification import verify

__all__ = [
    "AuditReport",
    "BookReport",
    "BookRow",
    "Claim",
    "Datasets",
    "ExposureReport",
    "ExtractedShare",
    "ExtractionReport",
    "Independent",
    "Interval",
    "Least",
    "MembershipReport",
    "PairSearch",
    "Parts",
    "RankedCanary",
    "TestedEvent",
    "Transcript",
    "TriedText",
    "Verdict",
    "Witness",
    "WitnessEvent",
    "allowed_exposure",
    "audit",
    "canaries",
    "each",
    "exposure",
    "extraction",
    "membership",
    "one_run",
    "run_book",
    "search_pairs",
    "unroll",
    "verify",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "blackbox.audit": "audit",
            "blackbox.bounds": "TestedEvent",
            "blackbox.pairs": "PairSearch search_pairs",
            "blackbox.report": "AuditReport",
            "book.report": "STATEMENTS BookReport BookRow run_book",
            "book.statement": "BookStatement Finding",
            "comparison": "Claim Interval Least WitnessEvent",
            "exact.datasets": "Datasets",
            "exact.independent": "Independent Parts each",
            "exact.programs": "Transcript unroll",
            "membership_inference.attack": "membership one_run",
            "membership_inference.report": "MembershipReport allowed_edge",
            "memorization.allowance": "allowed_exposure allowed_rank_share",
            "memorization.canaries": "ExposureReport RankedCanary",
            "memorization.continuations": "extraction",
            "memorization.ranking": "exposure",
            "memorization.candidates": "canaries",
            "memorization.verbatim": "ExtractedShare ExtractionReport TriedText",
            "model_calls": "as_number called",
            "verdict": "Verdict Witness",
            "verification": "verify",
        },
    )

sys.modules[__name__].__class__ = CallableRoom
