"""What counts as a private number, and what as none."""
