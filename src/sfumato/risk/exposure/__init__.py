"""How exposed a table is: equivalence classes, and what they give away."""
