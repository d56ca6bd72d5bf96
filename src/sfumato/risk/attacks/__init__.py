"""Attacks on published tables, figures and models, as anybody could run them."""
