"""Finished matches as data: what a page shows of one, kept beside its record, as a file of its own, and as tables."""
