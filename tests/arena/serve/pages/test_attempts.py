"""What hostile visitors and submitters try against the pages, besides what test_pages.py and test_server.py try."""

from __future__ import annotations

import hmac

import msgspec
import pytest

from tests.arena.serve.pages.conftest import HOME, NOW, ORIGIN, SECRETS, UPLOAD, Office, events_of

UPWARDS = ("..", "%2e%2e", "..%2f..", "%2e%2e%2f", "....//", "..%5c", "%252e%252e", ".%00.", "\u2025")
BASES = ("/", "/assets/", "/seasons/2025/", "/games/", "/me/logs/", "/enter/", "/api/v1/", "/bots/")
FILES = ("league.toml", "ada.log", "grace.log", "grace.html", "secret.txt", ".published.json")


@pytest.mark.parametrize("base", BASES)
def test_no_path_leads_out_of_what_is_served(office, tmp_path, base):
    (tmp_path / "old").mkdir()
    (tmp_path / "secret.txt").write_text("what lies beside")
    (tmp_path / "site" / ".published.json").write_text("what lies beside")
    (tmp_path / "site" / "way").symlink_to(tmp_path)
    facts = msgspec.structs.replace(office.pages.facts, archive={"2025": tmp_path / "old"})
    office.pages.show(facts)
    browser = office.browser("ada")
    for up in (*UPWARDS, "way", ""):
        for name in FILES:
            for path in (f"{base}{up}/{name}", f"{base}{up}/{up}/{name}", f"{base}/{up}//{name}"):
                answer = browser.get(f"{HOME}{path}")
                assert answer.status_code in (400, 403, 404), path
                assert b"what" not in answer.content.replace(b"there is no such page", b"")


def test_others_pages_cannot_be_had_by_a_number_or_a_name(office):
    ada = office.browser("ada")
    for path in ("/me/logs/1", "/me/logs/-1", "/me/logs/99999999999999999999", "/me/logs/0/../1", "/me/logs/grace"):
        assert ada.get(path).status_code == 404, path
    for query in ("?name=grace", "?member=grace", "?submission=2"):
        assert "grace" not in ada.get(f"/me{query}").text.replace("game-of-grace", "")
    for path in ("/api/v1/submissions/2", "/api/v1/members", "/api/v1/organiser", "/api/v1/marks/grace"):
        assert ada.get(path).status_code == 404, path
    assert "traceback" not in ada.get("/api/v1/submissions?first=0").text + ada.get("/api/v1/games?first=0").text
    for query in ("", "live", "live&game=game-of-grace", "member=grace", "live&game=organiser"):
        assert "traceback" not in events_of(office, ada, query)


@pytest.mark.parametrize("name", ["ada", "olga"])
def test_numbers_of_any_length_are_refused(office, name):
    browser = office.browser(name)
    for digits in ("9" * 5000, "-" + "9" * 5000, "\u0663" * 5000):
        for path in (f"/me/logs/{digits}", f"/organiser/logs/{digits}", f"/{digits}", f"/seasons/{digits}/{digits}"):
            assert browser.get(path).status_code in (403, 404)
        assert browser.get(f"/api/v1/games?first={digits}").status_code == 400
        assert browser.get(f"/events?live&game={digits}").status_code == 400
    kind = {"Content-Type": "application/json", **ORIGIN}
    for path, key in (("/me/withdraw", "submission"), ("/organiser", "number")):
        body = b'{"what": "try again", "%s": %s}' % (key.encode(), b"9" * 4000)
        assert browser.post(path, content=body, headers=kind).status_code in (400, 403)


def test_every_secret_is_compared_in_constant_time(office, monkeypatch):
    compared, equal = [], hmac.compare_digest

    def compare(one, other):
        compared.append(other)
        return equal(one, other)

    monkeypatch.setattr(hmac, "compare_digest", compare)
    for guess in (SECRETS["ada"], "guess", ""):
        compared.clear()
        office.pages.facts.known(guess)
        assert sorted(compared) == sorted(office.pages.facts.secrets)
        assert guess not in compared


def test_games_of_a_final_are_shown_when_the_season_is_over(tmp_path):
    """They are in a site of their own, whose games have the same ids as those of the season."""
    office = Office(tmp_path)
    for path in ("index.html", "games.csv", "games/game-of-ada/public.js", "games/game-of-ada/seat-0.js"):
        (tmp_path / "site" / "final" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / "final" / path).write_text("of the final")
    paths = ("/final/index.html", "/final/games.csv", "/final/games/game-of-ada/public.js")
    office.now = NOW + 10 * 86_400

    def seen():
        return {path for name in (None, "ada") for path in paths if office.browser(name).get(path).status_code == 200}

    assert seen() == set()
    league = msgspec.structs.replace(office.pages.facts.public.league, is_season_over=True)
    public = msgspec.structs.replace(office.pages.facts.public, league=league)
    office.pages.show(msgspec.structs.replace(office.pages.facts, public=public))
    assert seen() == set(paths)


@pytest.mark.parametrize("path", ["/me/submissions", "/me/withdraw", "/organiser", "/leave"])
def test_a_form_of_another_site_does_nothing(office, path):
    """A browser sends forms without asking first, and in an old one with neither origin nor cookie rules."""
    browser = office.browser("olga" if path == "/organiser" else "ada")
    kinds = ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain")
    for kind in kinds:
        for origin in ({}, {"Origin": "null"}, {"Origin": "https://evil.example"}):
            answer = browser.post(path, content=b'{"what": "stop"}', headers={"Content-Type": kind, **origin})
            assert answer.status_code in (403, 415)
        assert browser.post(path, content=b"{}", headers={"Content-Type": kind, **ORIGIN}).status_code == 415
    assert browser.get(path).status_code in (200, 404, 405)
    assert office.actions.asked == []


def test_what_is_nested_too_deep_or_no_text_is_refused(office):
    olga = office.browser("olga")
    kind = {"Content-Type": "application/json", **ORIGIN}
    for body in (b"[" * 4000, b'{"what": "pause", "name": "\xff"}', b'{"what": ' + b"1" * 4000 + b"}", b"\0"):
        assert olga.post("/organiser", content=body, headers=kind).status_code == 400
    assert (
        office.browser("ada")
        .post("/me/submissions", content=b"x", headers={**UPLOAD, "X-File-Name": "%ff"})
        .status_code
        == 400
    )
    assert office.actions.asked == []
