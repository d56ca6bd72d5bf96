"""What was asked, done, guaranteed and released, in one signed document for a stranger."""
