"""What multi-freq-ldpy has: one function for a client and one for the shares, by protocol.

Its shares are cut at 0 and scaled to the sum 1; it gives no others.
"""

from __future__ import annotations

from importlib import import_module

from benchmarks.survey.oracle import Oracle

PACKAGE = "multi-freq-ldpy"
PROTOCOLS = ("response", "unary", "hashing", "subset")
_NAMES = {"response": "GRR", "unary": "UE", "hashing": "LH", "subset": "SS"}


def oracle(protocol: str, choices: int, epsilon: float) -> Oracle:
    """Return one of its protocols; answers are numbered from 0."""
    name = _NAMES[protocol]
    module = import_module(f"multi_freq_ldpy.pure_frequency_oracles.{name}")
    client, shares = getattr(module, f"{name}_Client"), getattr(module, f"{name}_Aggregator_MI")
    known = (epsilon,) if protocol == "unary" else (choices, epsilon)
    return Oracle(
        lambda answer: client(answer, choices, epsilon), lambda reports: shares(reports, *known)
    )
