"""What runs at the person's side: small, and of the standard library alone."""
