"""Reports in a file, a frame or a database, counted where they are."""
