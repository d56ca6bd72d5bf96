"""Models from private rows, by the conventions of scikit-learn."""
