"""Tests by betting: what may be said of a difference of two bots however often one looks."""
