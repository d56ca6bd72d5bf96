"""Whether a ledger holds what was written."""
