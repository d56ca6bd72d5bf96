"""Surveys whose answers are randomised at the person's side, beside other libraries for that.

Peers answer in an interpreter of their own, with xxhash 3 beside them, for which both were written:
`python -m venv FOLDER`, `FOLDER/bin/pip install pure-ldp==1.2.0 multi-freq-ldpy==0.2.5 'xxhash<4'
scikit-learn statsmodels` and `SFUMATO_PEERS=FOLDER/bin/python python -m benchmarks survey`.
"""

from __future__ import annotations

from importlib import import_module

PARTS = ("speed", "error", "shuffling", "simulating", "files")


def main() -> None:
    """Measure, print and save; a peer, which imports this package too, has no library of ours."""
    for part in PARTS:
        import_module(f"benchmarks.survey.{part}").main()
