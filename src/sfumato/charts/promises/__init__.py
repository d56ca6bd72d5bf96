"""Pictures of what a promise allows."""
