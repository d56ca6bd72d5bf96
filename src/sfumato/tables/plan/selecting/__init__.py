"""Quantiles, histograms and favourites: what is released of the cells that rows fall into."""
