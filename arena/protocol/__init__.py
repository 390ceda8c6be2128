"""Messages and bytes, and their limits; knows no game."""
