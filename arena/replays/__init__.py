"""Finished games as data: page data, its cache, a file for one game, and tables."""
