"""Messages between referee and bots, their encoding and their limits. It knows no game."""
