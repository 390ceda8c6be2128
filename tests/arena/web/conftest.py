import pytest

from tests.arena.ledgers import ledger, play

__all__ = ["ledger", "play", "site"]


@pytest.fixture
def site(tmp_path):
    """A folder of pages, with what must not be sent in it and beside it."""
    folder = tmp_path / "site"
    (folder / "bots").mkdir(parents=True)
    (folder / "empty").mkdir()
    (folder / "index.html").write_text("<main>first</main>")
    (folder / "bots" / "index.html").write_text("bots")
    (folder / "bots" / "a b.js").write_text("arenaData(1)")
    (folder / ".published.json").write_text("secret")
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "out").symlink_to(tmp_path)
    (folder / "secret.txt").symlink_to(tmp_path / "secret.txt")
    return folder
