"""How a result is shown: lines for a terminal, JSON, pages and small pictures."""
