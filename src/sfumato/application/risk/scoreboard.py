"""Whom a few facts fit in a sparse table, for the front ends."""

from __future__ import annotations

from sfumato.risk.attacks.scoreboard import scoreboard

__all__ = ["scoreboard"]
