"""TrueSkill fitted to all games at once, with errors and rank bands."""
