"""The pages of a league: for everybody, for a submitter, for organisers, and for programs."""
