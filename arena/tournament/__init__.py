"""A plan, its schedule, and the run that drives, records and resumes it."""
