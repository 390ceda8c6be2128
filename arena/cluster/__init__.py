"""Play a tournament on other machines: the workers of a Dask cluster, which is an extra (`cluster`)."""

import logging

logging.getLogger(__name__).addHandler(logging.NullHandler())  # silent unless logging is configured
