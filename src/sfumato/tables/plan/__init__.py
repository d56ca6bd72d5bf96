"""What a question costs and how exact its answer will be, before a row is read."""
