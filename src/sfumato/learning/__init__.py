"""Models from private rows, by the conventions of scikit-learn."""

from typing import TYPE_CHECKING

from sfumato.doors import door
from sfumato.learning.kmeans.domain import L1Ball
from sfumato.learning.kmeans.estimator import KMeans
from sfumato.learning.kmeans.plan import NoGuarantee, Plan

__all__ = ["KMeans", "L1Ball", "NoGuarantee", "Plan"]

if TYPE_CHECKING:
    from sfumato.learning.kmeans.model import DEVIATIONS, FittedModel, found_by, with_errors

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "kmeans.model": "DEVIATIONS FittedModel found_by with_errors",
        },
    )
