"""The parts of `python -m benchmarks ledger`: stores, charges, and turns on an unsteady disk."""
