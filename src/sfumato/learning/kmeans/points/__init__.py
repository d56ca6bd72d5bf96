"""Where the points are: an array, a tensor on its device, or rows in an engine."""
