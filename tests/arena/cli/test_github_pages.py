"""`arena publish --github-pages`: what it writes, and what it leaves alone."""

from __future__ import annotations

from tests.arena.cli.conftest import parsed


def test_it_says_what_it_wrote_and_what_is_left_to_do(cli, tmp_path):
    lines = cli("publish", "--github-pages").stdout.splitlines()
    files = [".github/workflows/arena.yml", "README-arena.md", "tournament.toml"]
    assert lines[:3] == [f"written: {file}" for file in files]
    assert all((tmp_path / file).read_text("utf-8") for file in files)
    assert lines[-1] == "In the repository's settings choose Pages, Source, GitHub Actions."
    assert cli("publish", "--github-pages").stdout.startswith("nothing to write: all is there\n")


def test_what_differs_is_overwritten_with_force_alone(cli, tmp_path):
    (tmp_path / "README-arena.md").write_text("mine")
    refused = cli("publish", "--github-pages", code=2)
    assert refused.stderr == ("arena: README-arena.md would be overwritten: look at what differs, then add --force\n")
    assert not (tmp_path / ".github").exists()
    written = parsed(cli("publish", "--github-pages", "--force", "--json"))["written"]
    assert written == [".github/workflows/arena.yml", "README-arena.md", "tournament.toml"]
    assert (tmp_path / "README-arena.md").read_text("utf-8") != "mine"


def test_what_does_not_go_together_is_told(cli, tmp_path):
    for words in (("--to", "x"), ("--jobs", 3), ("--title", "T"), ("--url", "https://example.org")):
        refused = cli("publish", "--github-pages", *words, code=2).stderr
        assert f"{words[0]}: --github-pages and {words[0]}: choose one" in refused
    assert "DIR: --github-pages writes into the present folder" in cli("publish", "x", "--github-pages", code=2).stderr
    assert not list(tmp_path.glob("*.toml")), "nothing is written"
    assert "only together with --github-pages" in cli("publish", "--to", "x", "--force", code=2).stderr
    assert "name the folder of the site" in cli("publish", code=2).stderr
