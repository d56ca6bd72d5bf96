"""Programs that measure ours, the peer and the floor side by side; see `python -m benchmarks`."""
