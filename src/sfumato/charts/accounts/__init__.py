"""Pictures of what was spent."""
