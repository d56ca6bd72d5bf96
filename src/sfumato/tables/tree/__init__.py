"""Questions to a private table, as frozen values."""
