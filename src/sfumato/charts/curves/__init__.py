"""Pictures of what a guarantee allows."""
