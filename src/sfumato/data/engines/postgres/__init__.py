"""PostgreSQL as an engine: the rows stay on the server, and every run sees one moment of them."""
