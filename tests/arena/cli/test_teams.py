"""Games of teams with real bots: who holds which seats, what each process sees, and what is made of the games."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.game.game import retired_teams
from arena.ledger import Ledger
from arena.standings import leaderboard
from engine import catalog
from engine.testing import check
from tests.arena.cli.conftest import UNCONFINED, parsed
from tests.isolation_demand import need
from tests.plugin.high_card import ROUNDS, RULES, TEAMS, HighCard, install

pytestmark = [pytest.mark.slow, pytest.mark.process]

BOT = """
import os, sys
from pathlib import Path
from arena.client import run

games = []


def decide(decision):
    if decision.game_id not in games:
        games.append(decision.game_id)
    mark = Path(os.environ["TMPDIR"]) / "seat"
    seen = mark.read_text() if mark.exists() else ""
    mark.write_text(str(decision.seat))
    decision.note(f"{os.getpid()} {decision.seat} {len(games)} {seen} {decision.view['hand']}")
    FAULT
    return CHOICE


run(decide)
"""
TALKER = """
import os, socket, sys
from pathlib import Path
from arena.client import run

FOLDERS = [Path(__file__).parent, *map(Path, ELSEWHERE)]
own = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)


def decide(decision):
    name = f"hand-{decision.game_id}"
    heard = []
    for folder in FOLDERS:
        try:
            heard += [each.name for each in folder.glob(f"{name}-*") if each.name != f"{name}-{decision.seat}"]
            (folder / f"{name}-{decision.seat}").write_text(str(decision.view["hand"]))
        except OSError:
            pass
    for seat in range(4):
        try:
            if seat == decision.seat:
                own.bind(f"\\0{name}-{seat}")
                own.listen()
                continue
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as other:
                other.connect(f"\\0{name}-{seat}")
                heard.append(f"socket of {seat}")
        except OSError:
            pass
    decision.note(f"heard {sorted(set(heard))}")
    return 0


run(decide)
"""
GAME = ["--game", "high-card", "--start", 60, "--bank", 60, "--jobs", 1, "--seed", 1, *UNCONFINED]


@pytest.fixture
def bots(cli: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that has the game and some bots: those that play their highest cards, and those that do not."""
    install(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3]))
    catalog._catalog.cache_clear()
    choices = {"high": "-1 % len(decision.actions)", "low": "0", "lower": "0", "middle": "len(decision.actions) // 2"}
    for name, choice in choices.items():
        (tmp_path / f"{name}.py").write_text(BOT.replace("CHOICE", choice).replace("FAULT", ""))
    fails = "decision.seat == 0 and sys.exit(3)"
    (tmp_path / "fails.py").write_text(BOT.replace("CHOICE", "0").replace("FAULT", fails))
    yield tmp_path
    catalog._catalog.cache_clear()


def test_the_small_game_keeps_the_contract() -> None:
    check(RULES)


def test_an_entrant_holds_a_team_by_a_process_for_each_seat(cli, bots: Path) -> None:
    cli("tournament", "high.py", "low.py", *GAME, "--players", 4, "--games", 8, "--out", "t")
    with Ledger.open(bots / "t") as ledger:
        records = list(ledger.games())
        board = leaderboard(ledger)
        blocks = ledger.blocks()
    assert [block.bots for block in blocks] == [block.bots for block in blocks if len(block.bots) == 2]
    assert {tuple(record.bots) for record in records} == {("high", "low") * 2, ("low", "high") * 2}
    assert records[0].id == "p4-b0000-r0"
    by_process: dict[str, set[tuple[str, str]]] = {}
    last: dict[str, str] = {}
    for record in records:
        game: dict[str, set[str]] = {}
        for step in record.steps:
            if step.by == "bot":
                process, seat, _, seen, *_ = step.note.split(" ")
                assert seat == str(step.seat)
                assert seen == last.get(process, ""), "nobody else writes to its scratch folder"
                last[process] = seat
                game.setdefault(process, set()).add(seat)
                by_process.setdefault(process, set()).add((record.id, seat))
        assert sorted(game.values(), key=min) == [{"0"}, {"1"}, {"2"}, {"3"}], "a process plays one seat of a game"
    assert len(by_process) == 4, "two processes of two entrants play all games"
    beginners = Counter((record.bots[record.steps[0].seat]) for record in records)
    assert beginners == {"high": 4, "low": 4}, "each team begins once in each block"
    assert [row.bot for row in board.overall or []] == ["high", "low"]
    assert [row.games for row in board.overall or []] == [8, 8]
    assert [(row.mean_finish, row.wins) for row in board.overall or []] == [(0.125, 0.875), (0.875, 0.125)]
    assert list(board.players) == ["4"]
    cli("verify", "t")
    cli("export", "t", "--to", "exported")
    cli("verify", "exported")
    cli("publish", "t", "--to", "site")
    cli("report", "t", "--bot", "high")
    cli("replay", "t", records[0].id)
    cli("show", "t")
    cli("verify", "t", "--bot", "high.py")


@pytest.mark.parametrize("level", ["none", "landlock", "box"])
def test_processes_of_an_entrant_cannot_show_each_other_their_hands(cli, bots: Path, level: str) -> None:
    need(level)  # type: ignore[arg-type]
    elsewhere = [] if level == "none" else ["/tmp", "/var/tmp", "/dev/shm"]
    (bots / "talker.py").write_text(TALKER.replace("ELSEWHERE", str(elsewhere)))
    asked = [*GAME[: -len(UNCONFINED)], "--isolation", level, "--players", 4, "--games", 2, "--out", "t"]
    cli("tournament", "talker.py", "low.py", *asked)
    with Ledger.open(bots / "t") as ledger:
        records = list(ledger.games())
    notes = {step.note for record in records for step in record.steps if record.bots[step.seat] == "talker"}
    assert all("heard" in note for note in notes)
    assert (notes == {"heard []"}) == (level != "none"), notes


def test_a_team_stays_while_one_of_its_seats_does(cli, bots: Path) -> None:
    cli("tournament", "high.py", "fails.py", *GAME, "--players", 4, "--games", 4, "--out", "t")
    with Ledger.open(bots / "t") as ledger:
        records = list(ledger.games())
    crashed = [record for record in records if record.bots[0] == "fails"]
    assert crashed
    for record in crashed:
        assert record.retired == [0]
        assert record.ending == "finished", "its partner plays on, and the substitute in its seat"
        assert record.ranks[0] == record.ranks[2], "partners have one rank"
        assert {step.by for step in record.steps if step.seat == 0 and step.kind == "play"} == {"substitute"}
        assert "bot" in {step.by for step in record.steps if step.seat == 2}
    assert not retired_teams(TEAMS[4], [0, 1])
    cli("verify", "t")


def test_partners_are_drawn_so_that_all_have_all_others(cli, bots: Path) -> None:
    names = ["high.py", "low.py", "lower.py", "middle.py"]
    asked = [*GAME, "--players", 4, "--games", 24, "--out", "t"]
    cli("tournament", *names, *asked, "--partners", "drawn")
    with Ledger.open(bots / "t") as ledger:
        results = ledger.results()
        board = leaderboard(ledger)
    partners = Counter(frozenset(result.bots[seat] for seat in team) for result in results for team in TEAMS[4])
    assert set(partners.values()) == {8}, "six pairs, each in 8 of 24 games"
    assert [row.bot for row in board.overall or []][:2] == ["high", "middle"]
    cli("verify", "t")
    cli("export", "t", "--to", "exported")
    cli("verify", "exported")
    cli("publish", "t", "--to", "site")
    refused = cli("tournament", *names, *asked, code=2)
    assert "its partners are drawn, not own" in refused.output


def test_partners_share_in_the_table_of_games_with_persons(cli, shell, bots: Path) -> None:
    shell.environment["PYTHONPATH"] = os.pathsep.join([str(bots), str(Path(__file__).parents[3])])
    words = ["high.py", "low.py", "middle.py", "--text", "--hints", "none", "--game", "high-card", *UNCONFINED]
    shell.run("play", *words, input_text="1\n" * 2 * ROUNDS)
    with Ledger.open(bots / "tournaments" / "play-high-card") as ledger:
        [result] = ledger.results()
        rows = {row.bot: row for row in leaderboard(ledger).overall or []}
    for team in TEAMS[4]:
        one, other = (rows[result.bots[seat]] for seat in team)
        assert one.wins == other.wins == result.ranks[team[0]] % 3
        assert one.mean_finish == other.mean_finish == 1 - result.ranks[team[0]] % 3
    cli("verify", "tournaments/play-high-card")


def test_an_edition_with_an_opening_that_cannot_be_played_is_refused(cli, bots: Path, monkeypatch) -> None:
    monkeypatch.setitem(HighCard.named, "standard", {"name": "standard", "openings": [["card 99"]]})
    asked = ["tournament", "high.py", "low.py", *GAME, "--players", 2, "--games", 2, "--out", "t"]
    assert "openings: entry 1, ply 1: 'card 99' is not" in " ".join(cli(*asked, "--openings", 1, code=2).output.split())
    assert not (bots / "t").exists()
    cli(*asked)


def test_ten_play_at_one_table(cli, bots: Path) -> None:
    for number in range(9):
        (bots / f"n{number}.py").write_text((bots / "low.py").read_text())
    names = ["high.py", *(f"n{number}.py" for number in range(9))]
    cli("tournament", *names, *GAME, "--players", 10, "--games", 20, "--out", "t")
    cli("verify", "t")
    with Ledger.open(bots / "t") as ledger:
        results = ledger.results()
    assert len(results) == 20
    assert {seat for result in results for seat, bot in enumerate(result.bots) if bot == "n3"} == set(range(10))
    assert "high" in cli("leaderboard", "t").output
    cli("replay", "t", results[0].id)
    cli("publish", "t", "--to", "site")
    assert (bots / "site" / "index.html").is_file()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--players", 3, "--partners", "own"], "high-card has teams with 4, 6: leave out --partners"),
        (["--players", "2-4"], "games of 2, 4 players are for as many bots"),
        (["--players", 4, "--partners", "drawn", "--until", "resolved"], "an order is resolved for bots that play for"),
        (["--players", 6, "--games", 1], "2 bots can take part, the games are for 3 at least"),
    ],
)
def test_what_cannot_be_is_refused(cli, bots: Path, words: list[object], said: str) -> None:
    refused = cli("tournament", "high.py", "low.py", *GAME, *words, "--out", "t", code=2)
    assert said in " ".join(refused.output.split())


def test_a_comparison_is_played_by_teams(cli, bots: Path) -> None:
    found = cli(
        "compare", "low.py", "high.py", "--against", "middle.py", *GAME[:-4], "--players", 4, "--json", code=None
    )
    assert parsed(found)["verdict"] != "worse"
    assert parsed(found)["games"] >= 4
