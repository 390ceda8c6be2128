"""Small things that several rooms need, each with a name of its own."""
