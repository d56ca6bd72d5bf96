"""Running a plan: exact sums inside the engine, noise here, and nothing else comes out."""
