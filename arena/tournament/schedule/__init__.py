"""Which games are played, with which seeds, and which of them count: a function of what is recorded alone."""
