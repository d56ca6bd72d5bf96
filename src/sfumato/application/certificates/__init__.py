"""Certificates in files: held for an answer, and checked again by a stranger."""
