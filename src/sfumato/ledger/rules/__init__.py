"""The budgets of a book: over whom each is, how often it is given, and what it guarantees."""
