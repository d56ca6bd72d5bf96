"""What is learned of private tables: fitting a model, saying what it found, drawing it."""

from typing import TYPE_CHECKING

from sfumato.application.learning.kmeans import centres_svg, cost_svg, kmeans_page
from sfumato.doors import door

__all__ = ["centres_svg", "cost_svg", "kmeans_page"]

if TYPE_CHECKING:
    from sfumato.application.learning.kmeans import KMeansReport, fit_kmeans, plan_kmeans

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(__name__, {"kmeans": "KMeansReport fit_kmeans plan_kmeans"})
