"""Keep bots apart from the system and from each other: find what this machine can do, and do it."""
