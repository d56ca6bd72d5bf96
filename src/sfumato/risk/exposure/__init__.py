"""How exposed a table is: classes of people who look alike, and what they give away."""
