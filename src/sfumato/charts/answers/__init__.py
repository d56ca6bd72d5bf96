"""Pictures of answers about a table."""
