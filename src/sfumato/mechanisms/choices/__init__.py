"""Mechanisms that choose, or answer at random."""
