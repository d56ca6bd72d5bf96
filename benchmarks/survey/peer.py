"""A library of others, asked in its own interpreter: `python -m benchmarks.survey.peer REQUEST`.

The request and the answer are JSON; see `benchmarks.survey.asking`.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.survey.clock import once

if TYPE_CHECKING:
    from benchmarks.survey.oracle import Oracle

_ALONE = 2_000


def answered(request: dict[str, Any]) -> dict[str, Any]:
    """Run one protocol as often as is asked for, and time people and collector apart."""
    module = import_module(f"benchmarks.survey.{request['module']}")
    oracle: Oracle = module.oracle(request["protocol"], request["choices"], request["epsilon"])
    answers = np.load(request["answers"]).tolist()
    oracle.shares([oracle.report(answer) for answer in answers[:100]])
    return {
        "runs": [_run(oracle, answers) for _ in range(request["times"])],
        "alone": min(_alone(oracle, answers) for _ in range(5)),
    }


def _run(oracle: Oracle, answers: list[int]) -> dict[str, Any]:
    reports, people = once(lambda: [oracle.report(answer) for answer in answers])
    shares, collector = once(lambda: oracle.shares(reports))
    return {"people": people, "collector": collector, "shares": np.asarray(shares).tolist()}


def _alone(oracle: Oracle, answers: list[int]) -> float:
    """Return the processor's seconds of one report."""
    few = answers[:_ALONE]
    _, (_, busy) = once(lambda: [oracle.report(answer) for answer in few])
    return busy / len(few)


if __name__ == "__main__":
    print(json.dumps(answered(json.loads(sys.argv[1]))))
