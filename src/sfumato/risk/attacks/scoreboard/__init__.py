"""Who, of all people in a sparse table, do a few noisy facts fit: the Scoreboard algorithm."""
