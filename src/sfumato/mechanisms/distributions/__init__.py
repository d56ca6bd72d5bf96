"""The exact output distributions of mechanisms."""
