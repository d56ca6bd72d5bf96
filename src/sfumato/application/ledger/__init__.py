"""The verbs of the ledger."""
