"""What the owner of a table asks about its exposure, and what attackers would find."""
