"""Which cells of a public hierarchy are crowded enough to be halved."""
