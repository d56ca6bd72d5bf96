"""The statements of the source, in its order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.audit.book.composition import MANY_STEPS, TWO_STEPS
from sfumato.audit.book.consequences import GROUPS, POST_PROCESSING
from sfumato.audit.book.definition import BOTH_WAYS, BY_OUTCOMES
from sfumato.audit.book.densities import BY_DENSITIES, LAPLACE
from sfumato.audit.book.divergence import BY_DIVERGENCES
from sfumato.audit.book.lemmas import NEAR_DISTRIBUTIONS, SMALL_MEAN
from sfumato.audit.book.lloyd import LLOYD
from sfumato.audit.book.surveys import RANDOMIZED_RESPONSE
from sfumato.audit.book.tails import ADVANCED, AZUMA

if TYPE_CHECKING:
    from sfumato.audit.book.statement import Statement

__all__ = ["STATEMENTS"]

#: Propositions 5.1-5.7 and theorems 5.1-5.3 of the chapter; then, of the part on composition,
#: remark 3.1, lemmas 3.17-3.19 and the theorem they are for, 3.20.
STATEMENTS: tuple[Statement, ...] = (
    BOTH_WAYS,
    BY_OUTCOMES,
    BY_DENSITIES,
    TWO_STEPS,
    MANY_STEPS,
    POST_PROCESSING,
    GROUPS,
    RANDOMIZED_RESPONSE,
    LAPLACE,
    LLOYD,
    BY_DIVERGENCES,
    NEAR_DISTRIBUTIONS,
    SMALL_MEAN,
    AZUMA,
    ADVANCED,
)
