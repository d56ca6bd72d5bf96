"""What was asked, done, promised and released, in one signed document for a stranger."""
