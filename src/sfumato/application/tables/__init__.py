"""Private tables: drafting a policy, planning a question, answering it."""
