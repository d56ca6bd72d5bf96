"""Private k-means: the textbook's algorithm, and better ones."""
