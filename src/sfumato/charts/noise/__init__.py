"""Pictures of what comes out of a mechanism."""
