"""Accountants that answer the same cases, each in an interpreter that has its package."""
