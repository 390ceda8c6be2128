"""What can be verified of a tournament with nothing but its ledger, or an export of it."""
