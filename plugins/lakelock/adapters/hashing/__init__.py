"""Digests of whole columns."""
