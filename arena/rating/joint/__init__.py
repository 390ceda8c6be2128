"""TrueSkill, Plackett-Luce and Bradley-Terry, each fitted to all games at once, with errors and rank bands."""
