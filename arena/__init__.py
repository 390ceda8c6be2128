"""A tournament and bot arena for board games with hidden hands."""
