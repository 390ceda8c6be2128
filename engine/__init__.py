"""The rules of board games with hidden hands: no clock, no socket, no thread."""
