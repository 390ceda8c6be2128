from tests.arena.match.conftest import race

__all__ = ["race"]
