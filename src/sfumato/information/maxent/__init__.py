"""The distribution of greatest entropy under linear constraints."""
