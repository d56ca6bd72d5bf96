"""What is learned of private tables: fitting a model, saying what it found, drawing it."""

from sfumato.application.learning.page import centres_svg, cost_svg, kmeans_page

__all__ = ["centres_svg", "cost_svg", "kmeans_page"]
