"""Many questions of which few are answered yes."""
