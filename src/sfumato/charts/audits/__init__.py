"""Pictures of what an audit or an attack found."""
