"""Views and actions as numbers, for programs that learn."""
