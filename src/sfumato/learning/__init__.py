"""Models from private rows, by the conventions of scikit-learn."""

from sfumato.learning.kmeans.estimator import KMeans
from sfumato.learning.kmeans.plan.plan import Plan

__all__ = ["KMeans", "Plan"]
