"""A bot on disk to a running process: manifest, build, start, watch, stop."""
