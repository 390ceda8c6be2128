"""The formats that a tournament can have, by name."""
