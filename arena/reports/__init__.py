"""Reports on a tournament as data and as text: one for a bot's author, and the statement of what the results show."""
