"""Whether a model returns what it was trained on: texts word for word, and canaries by rank."""
