"""Where the views are that all sessions of an application see."""

from __future__ import annotations

__all__ = ["VIEWS"]

#: Spark's name for their database.
VIEWS = "global_temp"
