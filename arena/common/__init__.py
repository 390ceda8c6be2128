"""Small modules that several packages need."""
