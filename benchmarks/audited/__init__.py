"""Mechanisms of other packages that are put to an audit, each in an interpreter that has it."""
