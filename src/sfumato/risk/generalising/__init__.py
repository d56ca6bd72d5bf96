"""Generalising a table until it reaches its targets, with the least information loss."""
