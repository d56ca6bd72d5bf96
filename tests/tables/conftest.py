"""Answers of private tables: their noise is the same in every run."""

from __future__ import annotations

from tests.noise import same_noise

__all__ = ["same_noise"]
