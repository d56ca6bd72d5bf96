"""Where a ledger is kept: one table that is only appended to, in a file or on a server."""
