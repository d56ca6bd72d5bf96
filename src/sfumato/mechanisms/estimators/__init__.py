"""Mechanisms that look at the rows of a table."""
