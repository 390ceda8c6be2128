"""The first `league.toml` of a league, with everything that is often changed in it, explained."""

from __future__ import annotations

import json
from typing import NamedTuple

_TEXT = """\
# A league: `arena serve {file}` runs it. Change this file at any time: it is read again when no round is played.
name = {name}
references = {references}  # always in the field, and not ranked

[plan]  # what a tournament's plan may have: see `arena docs results`
game = {game}
# players = "2,4"
# move = 0.05

[submissions]
drop = "drop"  # a folder for each submitter in it
upload = true  # each submitter has a page to upload to
trial_games = 4
per_hour = 6

# [[repository]]  # besides uploads: each new commit is a submission
# submitter = "ada"
# url = "https://git.example.org/ada/bot.git"
# branch = "main"

[rounds]
{rounds}
# zone = "Europe/Berlin"

[season]
name = {season}
# ends = 2027-01-31T20:00:00+01:00
# final = "groups+knockout"

[[mark]]
name = "pass"
beats = {beats}
sure = 0.95

[web]
port = 8780
# host = "192.0.2.10"  # an address of this machine, for others to reach it
replays = "1 day"  # when games are shown to others: "at once", "1 day" or "after the season"

[remote]
allowed = false  # bots that run on their authors' machines

[disk]
quota_gb = 20
"""


class Answers(NamedTuple):
    """What the first file depends on."""

    game: str
    name: str = "My league"
    every: str = "10 min"
    season: str = "season-1"
    references: tuple[str, ...] = ("@greedy", "@random_bot")


def first_league(file: str, answers: Answers) -> str:
    """Return the text of a first `league.toml`."""
    given = {key: json.dumps(value, ensure_ascii=False) for key, value in answers._asdict().items()}
    rounds = (
        "without_end = true"
        if answers.every == "without end"
        else f'every = {given["every"]}  # or cron = "0 22 * * mon-fri"'
    )
    beats = json.dumps(answers.references[0].removeprefix("@"))
    return _TEXT.format(file=file, rounds=rounds, beats=beats, **given)
