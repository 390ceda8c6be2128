"""`arena publish --github-pages`: what it writes, and what it leaves alone."""

from __future__ import annotations

from tests.arena.cli.conftest import parsed

FILES = [".github/workflows/arena.yml", "README-arena.md", "tournament.toml"]


def test_it_names_what_it_wrote_and_what_is_left_to_do(cli, tmp_path):
    done = parsed(cli("publish", "--github-pages", "--json"))
    assert done["written"] == FILES
    assert all((tmp_path / file).read_text("utf-8") for file in FILES)
    assert done["to_do"]
    assert parsed(cli("publish", "--github-pages", "--json")) == {**done, "written": []}


def test_what_differs_is_overwritten_with_force_alone(cli, tmp_path):
    (tmp_path / "README-arena.md").write_text("mine")
    cli("publish", "--github-pages", code=2)
    assert not (tmp_path / ".github").exists()
    written = parsed(cli("publish", "--github-pages", "--force", "--json"))["written"]
    assert written == FILES
    assert (tmp_path / "README-arena.md").read_text("utf-8") != "mine"


def test_what_does_not_go_together_writes_nothing(cli, tmp_path):
    cli("publish", "--github-pages", "--to", "x", code=2)
    cli("publish", "x", "--github-pages", code=2)
    assert not list(tmp_path.iterdir())
