"""The SQLite file of a tournament; the only code that knows SQL."""
