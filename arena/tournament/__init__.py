"""A plan, its schedule, and the run that drives, records and resumes it."""

import logging

logging.getLogger(__name__).addHandler(logging.NullHandler())  # silent until somebody asks for the log
