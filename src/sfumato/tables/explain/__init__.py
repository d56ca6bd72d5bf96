"""What a plan would have the engine do, and how far one person can move each part of it."""
