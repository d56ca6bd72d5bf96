"""The verbs ``sfumato ledger …``: a durable account of what was spent."""
