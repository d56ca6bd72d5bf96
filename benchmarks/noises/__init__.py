"""Packages that add the same noise, each in an interpreter that has it."""
