"""How long tests wait for what is sure to come."""

from __future__ import annotations

__all__ = ["PATIENCE"]

#: In seconds: so long that a busy machine is no reason to fail, and only what hangs takes it.
PATIENCE = 300
