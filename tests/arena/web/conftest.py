import pytest

from tests.arena.ledgers import ledger, play

__all__ = ["lasting_site", "ledger", "play", "site"]


@pytest.fixture
def site(tmp_path):
    """A folder of pages, with what must not be sent in it and beside it."""
    return make_site(tmp_path)


@pytest.fixture(scope="module")
def lasting_site(tmp_path_factory):
    """The same for all tests of a module: none may change it."""
    return make_site(tmp_path_factory.mktemp("web"))


def make_site(beside):
    folder = beside / "site"
    (folder / "bots").mkdir(parents=True)
    (folder / "empty").mkdir()
    (folder / "index.html").write_text("<main>first</main>")
    (folder / "bots" / "index.html").write_text("bots")
    (folder / "bots" / "a b.js").write_text("arenaData(1)")
    (folder / ".published.json").write_text("secret")
    (beside / "secret.txt").write_text("secret")
    (folder / "out").symlink_to(beside)
    (folder / "secret.txt").symlink_to(beside / "secret.txt")
    return folder
