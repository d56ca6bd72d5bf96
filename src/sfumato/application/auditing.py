"""Functions that a person names, audited by their outputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.application.targets import load_callable, load_dataset
from sfumato.audit import audit, run_book

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.audit import AuditReport, BookReport
    from sfumato.privacy.theorems.reading import EpsilonLike, NumberLike

__all__ = ["audit_target", "check_theorems"]


def audit_target(
    target: str,
    *,
    d0: str,
    d1: str,
    epsilon: EpsilonLike,
    delta: NumberLike = 0,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> AuditReport:
    """Audit a function that is named, on two datasets that are written or named.

    Parameters
    ----------
    target
        ``module:function``; it takes a dataset, and how many outputs to return.
    d0, d1
        Two neighbouring datasets: JSON, a file, or ``module:name``.
    epsilon, delta
        What the function claims.
    progress
        Called with how many draws are done, and of how many.
    options
        Those of :func:`sfumato.audit.audit`.
    """
    release = load_callable(target)
    first, second = load_dataset(d0), load_dataset(d1)
    return audit(release, first, second, epsilon=epsilon, delta=delta, progress=progress, **options)


def check_theorems() -> BookReport:
    """Check the numbered statements of the source chapter, each with a false variant."""
    return run_book()
