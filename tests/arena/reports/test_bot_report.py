"""The report for a bot's author: what is counted, what is chosen, and that it stays small."""

from __future__ import annotations

import pytest

from arena.game.clock import TimeControl
from arena.ledger import EntrantRecord, FaultRecord, FieldEvent, Ledger, LedgerError
from arena.reports.bot_record import RivalRecord, group_faults, timings
from arena.reports.bot_report import REVIEWED, bot_report, games_to_analyse
from arena.reports.game_review import NOTHING, ChanceChange, GameReview, lost_games, notable_games
from tests.arena.ledgers import Play


def fall(before: float, after: float) -> ChanceChange:
    return ChanceChange(before, after, 7, "the train is late")


def review(reason: str = "", peak: float = 0.5, margin: float = 0.5, swing: ChanceChange | None = None) -> GameReview:
    return GameReview(reason, peak, swing, swing, margin)


def test_it_counts_games_places_and_who_finished_before_whom(ledger: Ledger, play: Play) -> None:
    play("ant", "bee")
    play("bee", "ant", ranks=[1, 2])
    play("bee", "ant", "cat", ranks=[1, 1, 3])
    play("bee", "cat")
    found = bot_report(ledger, "ant")
    assert (found.games, found.bot, found.versions) == (3, "ant", ["ant"])
    two, three = found.counts
    assert (two.players, two.games, two.wins, two.places, two.mean_finish) == (2, 2, 1.0, [1, 1], 0.5)
    assert (three.players, three.wins, three.places) == (3, 0.5, [1, 0, 0])
    by_rival = {each.rival: (each.games, each.before, each.behind, each.tied) for each in found.rivals}
    assert by_rival == {"bee": (3, 1, 1, 1), "cat": (1, 1, 0, 0)}
    assert (found.losses.number, found.losses.behind) == (1, {"bee": 1})
    assert found.standing is not None
    assert (found.standing.games, found.standing.of) == (3, 3)


def test_the_newest_version_with_games_is_meant_unless_one_is_named(ledger: Ledger, play: Play) -> None:
    play("ant", "bee")
    added = [EntrantRecord(f"ant@{number}", "bots/ant.py", "0") for number in (2, 3)]
    leave, join = FieldEvent("leave", "ant", 1, 1), FieldEvent("join", "ant@2", 1, 1)
    ledger.change_field(added, [leave, join], 1)
    assert bot_report(ledger, "ant").bot == "ant"
    play("ant@2", "bee")
    assert bot_report(ledger, "ant").bot == "ant@2"
    assert bot_report(ledger, "ant@1").standing is not None
    unplayed = bot_report(ledger, "ant@3")
    assert (unplayed.games, unplayed.standing, unplayed.notable) == (0, None, [])
    assert unplayed.versions == ["ant", "ant@2", "ant@3"]
    for name in ("nobody", "ant@4", "ant@x", "@", ""):
        with pytest.raises(LedgerError, match="no bot"):
            bot_report(ledger, name)


def test_games_that_reports_name_are_analysed_first_and_then_some_of_the_others(ledger: Ledger, play: Play) -> None:
    for number in range(30):
        play("ant", "bee", times=[[10] * (40 if number in (11, 12, 13) else 1), [10]])
    play("bee", "ant", ranks=[1, 2])
    named = {each.game for bot in ("ant", "bee") for each in bot_report(ledger, bot).notable}
    assert 2 < len(named) < 7
    all_ = [each.id for each in ledger.results()]
    found = [each.id for each in games_to_analyse(ledger, len(named) + 3)]
    assert found == sorted(found, key=all_.index)
    assert named < {*found}
    others = [each for each in all_ if each not in named]
    assert [each for each in found if each not in named] == [others[len(others) * part // 3] for part in range(3)]
    assert {each.id for each in games_to_analyse(ledger, 2)} < named
    assert [each.id for each in games_to_analyse(ledger, 99)] == all_


def test_the_slowest_decisions_are_the_slowest_of_all_and_the_bank_is_added_up(ledger: Ledger, play: Play) -> None:
    play("ant", "bee", times=[[1000, 90_000, 60_000], [9_000_000]])
    play("bee", "ant", times=[[], [80_000]])
    play("ant", "bee", times=[[], []])
    found = timings(ledger.results(), "ant", TimeControl(move=0.05, bank=5), most=3)
    assert [(each.ms, each.turn, each.seat) for each in found.slowest] == [(90, 2, 0), (80, 1, 1), (60, 3, 0)]
    assert (found.decisions, found.beyond_free, found.most_bank_ms, found.most_bank_game) == (4, 3, 50, "2-0-0")
    assert found.median_ms == 70
    assert timings([], "ant", TimeControl(), most=3).median_ms is None


def test_faults_that_differ_in_numbers_only_are_one_kind_of_which_the_latest_is_shown() -> None:
    late = [(f"g{n}", FaultRecord(0, n, "late", f"no answer within {n}.5 s", f"try {n}")) for n in range(1, 6)]
    crash = ("g9", FaultRecord(1, None, "crash", "exit code 3"))
    groups, number = group_faults([*late, crash], most=5)
    assert number == 6
    assert [(each.code, each.times, each.game, each.turn, each.stderr) for each in groups] == [
        ("late", 5, "g5", 5, "try 5"),
        ("crash", 1, "g9", None, ""),
    ]
    chatter = [("g", FaultRecord(0, 1, "malformed", f"no message: {chr(0x4E00 + n)}")) for n in range(3000)]
    groups, number = group_faults(chatter, most=1)
    assert (number, groups[0].times) == (3000, 2000)


def test_losses_with_the_same_reason_are_counted_together_and_the_best_position_comes_first(
    ledger: Ledger, play: Play
) -> None:
    reviews: dict[str, GameReview] = {}
    for rank, why in (
        (2, "was home after 84 days, 3 more than bee"),
        (2, "was home after 97 days, 1 more than bee"),
        (2, "was not home, but in Calcutta"),
        (1, "was first"),
    ):
        play("ant", "bee", ranks=[rank, 3 - rank])
        last = ledger.ids()[-1]
        reviews[last] = review(why, peak=len(reviews) / 10, swing=fall(0.4, 0.1))
    found = lost_games(ledger.results(), "ant", reviews, most=2)
    assert [(each.games, each.game) for each in found.reasons] == [(2, "2-0-0"), (1, "2-0-2")]
    assert found.reviewed == sum(each.games for each in found.reasons) + found.others
    assert [each.game for each in found.listed] == ["2-0-2", "2-0-1"]
    assert (found.number, found.games, found.reviewed) == (3, 4, 3)
    retired = play("ant", "bee", ranks=[2, 1], retired=[0])
    [loss] = lost_games(ledger.results()[-1:], "ant", {retired.id: NOTHING}, most=2).listed
    assert "retired" in loss.why


def test_three_different_games_are_worth_a_look(ledger: Ledger, play: Play) -> None:
    for number in range(6):
        first = number == 5
        play("ant", "bee", ranks=[1, 2] if first else [2, 1], times=[[1] * number, []])
    ids = ledger.ids()
    reviews = {game: review(margin=0.3, swing=fall(0.5, 0.4)) for game in ids}
    reviews[ids[1]] = review(margin=0.01, swing=fall(0.9, 0.1))  # the closest too, but it stands there already
    reviews[ids[2]] = review(margin=0.02)
    rivals = {"bee": RivalRecord("bee", 6, 1, 5, 0, None)}
    found = notable_games(ledger.results(), "ant", rivals, reviews)
    assert [(each.kind, each.game) for each in found] == [
        ("swing", ids[1]), ("closest", ids[2]), ("strangest", ids[5]),
    ]  # fmt: skip
    without = notable_games(ledger.results(), "ant", rivals, {})
    assert [each.kind for each in without] == ["strangest", "longest"]
    assert notable_games([], "ant", {}, {}) == []


def test_no_more_games_are_looked_through_than_stated(
    ledger: Ledger, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def look(*args: object) -> GameReview:
        seen.append(str(args[3]))
        return NOTHING

    monkeypatch.setattr("arena.reports.bot_report.review_game", look)
    for number in range(REVIEWED + 60):
        play("ant", "bee", ranks=[2, 1] if number % 8 else [1, 2], block=number)
    found = bot_report(ledger, "ant", most=4)
    assert len(seen) == len(set(seen)) == found.reviewed == REVIEWED
    assert found.losses.reviewed == REVIEWED - 20  # there are 20 others
    assert len(found.losses.listed) <= 4
    assert int(seen[0].split("-")[1]) < 10
    assert max(int(each.split("-")[1]) for each in seen) > 150


def test_what_is_damaged_is_said_or_left_out(ledger: Ledger, play: Play) -> None:
    play("ant", "bee", times=[[1], [2]])  # its steps are lost: no replay
    [slow] = bot_report(ledger, "ant").decisions.slowest
    assert slow.asked is None
    ledger.set_meta("time", {"move": "quick"})
    with pytest.raises(LedgerError, match="time control"):
        bot_report(ledger, "ant")
