"""What runs queries on rows: DuckDB embedded, or a server or cluster that holds them already."""
