"""Receipts, and the key that signs them."""
