"""A mechanism seen as a channel: what its output tells about its input."""
