"""The exact laws of what mechanisms give out."""
