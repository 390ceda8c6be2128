"""`arena publish`."""

from __future__ import annotations

import errno
import importlib.util

import pytest

from tests.arena.cli.wording.scenario import Place, scenario, tournament

FILES = r"\d+(?= files written)"
PROGRESS = r"(?<=err\| )tables(?:\nerr\| \w+: \d+.*)+"
"""Shown in full where it is printed first."""


def something_else(place: Place) -> None:
    place.tournament()
    place.write("other/file")


def two(place: Place) -> None:
    place.tournament()
    place.tournament("UPDATE meta SET value = json_set(value, '$.strikes', 9) WHERE key = 'time'", name="second")


def without_jinja2(place: Place) -> None:
    real = importlib.util.find_spec
    place.monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "jinja2" else real(name))
    place.tournament()


def failing(number: int, place_of: str = "arena.cli.publish.publish", text: str = "it is lacking"):
    """The system refuses what is needed."""

    def fail(*_: object, **__: object) -> None:
        raise OSError(number, text)

    def given(place: Place) -> None:
        place.tournament()
        place.monkeypatch.setattr(place_of, fail)

    return given


SCENARIOS = [
    scenario(
        "a site",
        "publish t --to site --jobs 1",
        given=tournament(),
        hide=[FILES, r"(?<=err\| pages: )\d+(?:\nerr\| pages: .*)*"],
    ),
    scenario(
        "games that have no replay",
        "publish t --to site --jobs 1",
        given=tournament("UPDATE steps SET idx = 99 WHERE n = 3"),
        hide=[FILES, PROGRESS],
        marks=[pytest.mark.slow],
    ),
    scenario(
        "the site of another tournament",
        "publish t --to site --jobs 1",
        "publish second --to site --jobs 1",
        given=two,
        hide=[FILES, PROGRESS, "(?<=seed hash )[0-9a-f]+"],
        marks=[pytest.mark.slow],
    ),
    scenario(
        "what cannot be done",
        "publish t",
        "publish none --to site",
        "publish t --to other",
        "publish t --to other/file",
        "publish t --to site --url ftp://x",
        "publish t --to site --force",
        "publish t --to site --jobs 0",
        given=something_else,
    ),
    scenario("libraries that are missing", "publish t --to site", given=without_jinja2),
    *(
        scenario(
            f"the machine lacks something: {errno.errorcode[number]}", "publish t --to site", given=failing(number)
        )
        for number in (errno.ENOSPC, errno.EMFILE, errno.EAGAIN, errno.EROFS)
    ),
    scenario(
        "a disk that is full",
        "publish t --to site --jobs 1",
        given=failing(errno.ENOSPC, "arena.common.regular_files._usual_mode", "No space left on device"),
    ),
    scenario("pages of GitHub", "publish --github-pages", "publish --github-pages"),
    scenario(
        "pages of GitHub where something differs",
        "publish --github-pages",
        "publish --github-pages --force",
        given=lambda place: place.write("README-arena.md", "mine"),
    ),
    scenario(
        "pages of GitHub, and what does not go together",
        *(
            f"publish --github-pages {words}"
            for words in ("--to x", "--jobs 3", "--title T", "--url https://example.org", "--replace")
        ),
        "publish x --github-pages",
    ),
]
