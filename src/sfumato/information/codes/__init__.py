"""Entropy as code length: how few bits tell what came."""
