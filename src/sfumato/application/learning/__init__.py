"""What is learned of private tables: fitting a model, saying what it found, drawing it."""

from sfumato.application.learning.kmeans_page import kmeans_page
from sfumato.application.learning.kmeans_pictures import centres_svg, cost_svg

__all__ = ["centres_svg", "cost_svg", "kmeans_page"]
