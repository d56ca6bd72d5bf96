"""Is the promise kept: exact verdicts, rigorous enclosures, and black-box audits.

- You know the probabilities of the outputs, or a law: ``sf.verify`` proves or refutes.
- You only have code: ``sf.audit(release, d0, d1, epsilon=1)`` looks for a violation by its outputs,
  and ``search_pairs`` for the datasets to do it on.
- You have scores of an attack on a model: ``membership`` and ``one_run``.

The room itself can be called: ``sf.audit(...)`` is ``sfumato.audit.audit(...)``, and
``help(sfumato.audit.audit)`` describes it.
"""

import inspect
import sys
from types import ModuleType

from sfumato.audit.blackbox import AuditReport, PairSearch, audit, search_pairs
from sfumato.audit.blackbox.testing import TestedEvent
from sfumato.audit.book import BookReport, BookRow, run_book
from sfumato.audit.claim import Claim
from sfumato.audit.comparison import Interval, Least, WitnessEvent
from sfumato.audit.exact.datasets import Datasets
from sfumato.audit.exact.independent import Independent, Parts, each
from sfumato.audit.exact.paths import Transcript
from sfumato.audit.exact.programs import unroll
from sfumato.audit.membership import MembershipReport, membership, one_run
from sfumato.audit.verdict import Verdict, Witness
from sfumato.audit.verify import verify

__all__ = [
    "AuditReport",
    "BookReport",
    "BookRow",
    "Claim",
    "Datasets",
    "Independent",
    "Interval",
    "Least",
    "MembershipReport",
    "PairSearch",
    "Parts",
    "TestedEvent",
    "Transcript",
    "Verdict",
    "Witness",
    "WitnessEvent",
    "audit",
    "each",
    "membership",
    "one_run",
    "run_book",
    "search_pairs",
    "unroll",
    "verify",
]


class _Room(ModuleType):
    """A package and its foremost function have one name, so the package answers for both."""

    __call__ = staticmethod(audit)


sys.modules[__name__].__class__ = _Room
__signature__ = inspect.signature(audit)
