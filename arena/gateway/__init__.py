"""Bots that run on their authors' machines, kept apart from the referee by a process of its own."""
