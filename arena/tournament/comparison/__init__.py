"""Compare two bots: who they are, the games that they play, and what these show."""
