"""Small things that several packages need, each with a name of its own."""
