"""What pure-ldp has: one client and one server for each protocol."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from benchmarks.survey.oracle import Oracle

if TYPE_CHECKING:
    from collections.abc import Sequence

PACKAGE = "pure-ldp"
PROTOCOLS = ("response", "unary", "hashing", "hadamard")


def oracle(protocol: str, choices: int, epsilon: float) -> Oracle:
    """Return one of its protocols; answers are numbered from 0."""
    client, server = _pair(import_module("pure_ldp.frequency_oracles"), protocol, choices, epsilon)
    return Oracle(client.privatise, lambda reports: _shares(server, choices, reports))


def _pair(oracles: Any, protocol: str, choices: int, epsilon: float) -> tuple[Any, Any]:
    told: dict[str, Any] = {"epsilon": epsilon, "d": choices, "index_mapper": _same}
    if protocol == "response":
        return oracles.DEClient(**told), oracles.DEServer(**told)
    if protocol == "unary":
        return oracles.UEClient(**told, use_oue=True), oracles.UEServer(**told, use_oue=True)
    if protocol == "hashing":
        return oracles.LHClient(**told, use_olh=True), oracles.LHServer(**told, use_olh=True)
    server = oracles.HadamardResponseServer(**told)
    return oracles.HadamardResponseClient(**told, hash_funcs=server.get_hash_funcs()), server


def _same(answer: int) -> int:
    return answer


def _shares(server: Any, choices: int, reports: Sequence[Any]) -> Any:
    server.reset()
    server.aggregate_all(reports)
    return server.estimate_all(range(choices), suppress_warnings=True) / len(reports)
