"""A league's pages in a browser: a bot is uploaded, each step is shown as it happens, and the bot joins."""

from __future__ import annotations

import json
import threading

import msgspec
import pytest
from playwright.sync_api import expect

from arena.serve.pages.actions import StoreActions
from arena.serve.pages.app import CONNECTIONS, LeaguePages, create_league_app
from arena.serve.pages.facts import MemberFacts
from arena.serve.rounds import Season
from arena.serve.stands import Stands
from arena.serve.store import LeagueRound, LeagueStore, State, Submission, SubmissionStep
from arena.web.server import Server
from tests.arena.serve.pages.conftest import NOW, SECRETS, make_facts, write_league
from tests.browser.conftest import HOSTILE, LONG, SIZES, Reader

pytestmark = pytest.mark.browser


class Course(StoreActions):
    """A league that is driven by hand."""

    def __init__(self, folder, address="127.0.0.1"):
        self.pages = LeaguePages(write_league(folder, f'host = "{address}"'), make_facts(folder))
        self.received, self.wishes = [], []
        app = create_league_app(self.pages, self)
        self.server = Server(app, self.pages.feed, 0, address, connections=CONNECTIONS)

    def submit(self, member, file_name, file):
        self.received.append((member, file_name, file.read_bytes()))
        self.reach("received")
        return 3

    def withdraw(self, member, number):
        self.wishes.append(("withdraw", member, number))

    def organise(self, who, wish):
        self.wishes.append((who, *msgspec.structs.astuple(wish)))
        if wish.what == "new address":
            return "new-secret"
        facts = self.pages.facts
        league = msgspec.structs.replace(facts.public.league, is_paused=wish.what == "stop")
        public = msgspec.structs.replace(facts.public, league=league)
        self.pages.show(msgspec.structs.replace(facts, public=public))
        return None

    def reach(self, *states: State, reason=None):
        """Grace's submission got so far."""
        facts = self.pages.facts
        steps = tuple(SubmissionStep(3, NOW + n, state, f"what happened {n}") for n, state in enumerate(states))
        own = Submission(3, "grace", "upload", NOW, "d", states[-1], reason, None)
        members = {**facts.members, "grace": MemberFacts((own,), {3: list(steps)}, logs=facts.members["grace"].logs)}
        self.pages.show(msgspec.structs.replace(facts, members=members))


@pytest.fixture
def course(tmp_path):
    found = Course(tmp_path)
    with found.server:
        found.server.start()
        yield found


@pytest.fixture
def open_page(browser, course):
    readers = []

    def make(name, theme="light", size="wide", **options):
        context = browser.new_context(color_scheme=theme, viewport=SIZES[size], **options)
        readers.append(Reader(context.new_page(), course.server.address))
        readers[-1].open(f"enter/{SECRETS[name]}")
        readers[-1].page.wait_for_url("**/organiser" if name == "olga" else "**/me")
        return readers[-1]

    yield make
    for each in readers:
        each.page.context.close()
    assert [each.errors for each in readers if each.errors] == []


def test_a_bot_is_uploaded_and_its_steps_are_shown_until_it_joins(course, open_page, tmp_path):
    grace, ada = open_page("grace"), open_page("ada")
    page = grace.page
    (tmp_path / "mine.py").write_text("print()")
    page.get_by_label("A .zip, .tar.gz or .py file").set_input_files(tmp_path / "mine.py")
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_role("status")).to_have_text("Submission 3 was received.")
    assert course.received == [("grace", "mine.py", b"print()")]
    way: list[State] = ["received", "unpacked", "built", "checked", "tried", "joined"]
    for reached in range(1, len(way) + 1):
        course.reach(*way[:reached])
        expect(page.locator("[aria-labelledby=submission-3] .steps b")).to_have_text(way[:reached])
    expect(page.locator("#submission-3 .state")).to_have_text("joined")
    expect(page.get_by_role("button", name="Withdraw submission 3")).to_have_count(0)
    assert "Submission 3" not in ada.page.content()


def test_a_program_is_pasted_and_withdrawn(course, open_page):
    page = open_page("grace").page
    page.get_by_text("Or paste a program in Python").click()
    page.get_by_label("The program").fill("import json\n")
    page.get_by_role("button", name="Submit this").click()
    expect(page.get_by_role("status")).to_have_text("Submission 3 was received.")
    assert course.received == [("grace", "bot.py", b"import json\n")]
    page.get_by_role("button", name="Withdraw submission 3").click()
    expect(page.get_by_role("status")).to_have_text("Done.")
    assert course.wishes == [("withdraw", "grace", 3)]
    expect(page.get_by_label("The program")).to_have_value("import json\n")


@pytest.mark.parametrize("scripts", [True, False])
def test_in_a_network_without_tls_one_enters_after_a_click(tmp_path, browser, scripts):
    """To an address that is not this machine's own for sure, the browser says by http not from where it comes."""
    course = Course(tmp_path, "0.0.0.0")
    with course.server:
        course.server.start()
        reader = Reader(browser.new_context(java_script_enabled=scripts).new_page(), course.server.address)
        reader.open(f"enter/{SECRETS['ada']}")
        assert reader.page.context.cookies() == []
        reader.page.get_by_role("button", name="Enter as ada").click()
        reader.page.wait_for_url("**/me")
        expect(reader.page.get_by_role("heading", name="ada")).to_be_visible()
        assert reader.errors == []
        reader.page.context.close()


def test_a_submitter_leaves_a_computer_that_others_use(open_page):
    reader = open_page("ada")
    reader.page.get_by_role("button", name="Log out").click()
    reader.page.wait_for_url(reader.home)
    assert reader.page.context.cookies() == []


def test_an_organiser_pauses_the_league(course, open_page):
    page = open_page("olga").page
    page.get_by_role("button", name="Pause the league").click()
    expect(page.get_by_text("The organisers have paused the league.")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("button", name="Pause the league")).to_be_visible()
    assert course.wishes == [("olga", "stop", "", 0), ("olga", "go on", "", 0)]


def test_an_organiser_is_asked_before_an_address_counts_no_more_and_sees_the_new_one(course, open_page):
    page = open_page("olga").page
    page.evaluate("window.confirm = (text) => { document.title = text; return false; }")
    page.get_by_role("button", name="New address for ada").click()
    assert "counts no more" in page.title()
    assert course.wishes == []
    page.evaluate("window.confirm = () => true")
    page.get_by_role("button", name="New address for ada").click()
    expect(page.get_by_role("status")).to_contain_text(f"{course.server.address}enter/new-secret")
    assert course.wishes == [("olga", "new address", "ada", 0)]


def test_moments_are_those_of_the_readers_clock_also_when_the_page_is_renewed(course, open_page):
    page = open_page("grace", timezone_id="Asia/Kolkata", locale="en-GB").page
    expect(page.locator(".steps time").last).to_have_text("15 Jan 2027, 13:29 GMT+5:30")
    course.reach("received", "unpacked")
    expect(page.locator(".steps time")).to_have_text(["15 Jan 2027, 13:30 GMT+5:30"] * 2)


def test_what_an_organiser_does_is_shown_and_in_the_chain(tmp_path, browser):
    league = write_league(tmp_path)
    with LeagueStore(tmp_path, lambda: NOW) as store:
        secret = store.add_member("olga", "organiser")
        store.add_member("ada")
        number = store.receive("ada", "upload", "d").id
        (tmp_path / "submissions" / "000001" / "received").mkdir(parents=True)
        store.move(number, "refused", reason="no main.py")
        store.begin_round(LeagueRound("season-1", 1, NOW, {"ada": 1}))
        store.end_round("season-1", 1, "not complete: a disk was full", 0, {})
        stands, lock = Stands(Season(league, store), store), threading.RLock()
        pages = LeaguePages(league, stands.facts(NOW))

        class Shown(StoreActions):
            def organise(self, who, wish):
                super().organise(who, wish)
                pages.show(stands.facts(NOW))

        actions = Shown(store, lock, lambda *_: 0, lambda who, number: store.reopen_round("season-1", number, who))
        server = Server(create_league_app(pages, actions), pages.feed, connections=CONNECTIONS)
        with server:
            server.start()
            reader = Reader(browser.new_context().new_page(), server.address)
            reader.open(f"enter/{secret}")
            reader.page.wait_for_url("**/organiser")
            expect(reader.page.get_by_text("round 1: not complete: a disk was full")).to_be_visible()
            reader.page.remove_listener("dialog", reader._dialog)  # here questions are expected
            reader.page.on("dialog", lambda dialog: dialog.accept())
            for button, then, done in (
                ("Pause ada", "Resume ada", ["set", {"is_paused": True, "name": "ada"}]),
                ("Resume ada", "Pause ada", ["set", {"is_paused": False, "name": "ada"}]),
                ("Remove ada", "Restore ada", ["set", {"is_removed": True, "name": "ada"}]),
                ("Restore ada", "Remove ada", ["set", {"is_removed": False, "name": "ada"}]),
                ("Pause the league", "Go on", ["put", {"paused": True}]),
                ("Go on", "Pause the league", ["put", {"paused": False}]),
                ("Play round 1 again", None, ["play again", {"round": 1}]),
                ("Try submission 1 again", None, ["try again", {"submission": 1}]),
            ):
                reader.page.get_by_role("button", name=button).click()
                if then is not None:
                    expect(reader.page.get_by_role("button", name=then)).to_be_visible()
                expect(reader.page.get_by_role("button", name=button)).to_have_count(0)
                with lock:
                    said = [json.loads(each) for each in store.chain.texts()]
                assert [done[0], "olga", NOW, done[1]] in said, button
            expect(reader.page.get_by_text("Submission 1 of ada, came")).to_be_visible()
            assert reader.errors == []
            reader.page.context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["wide", "phone"])
def test_pages_fit_and_are_accessible_whatever_bots_say(course, open_page, theme, size):
    course.reach("received", "refused", reason=f"{HOSTILE} {LONG}")
    facts = course.pages.facts
    queue = (Submission(3, "grace", "upload", NOW, "d", "tried", None, None),)
    organiser = msgspec.structs.replace(facts.organiser, faults=(f"{HOSTILE} {LONG}",), queue=queue)
    course.pages.show(msgspec.structs.replace(facts, organiser=organiser, site=None))
    for name in ("grace", "ada", "olga"):
        reader = open_page(name, theme, size)
        reader.assert_fits()
        reader.assert_accessible()
    reader.open("")
    expect(reader.page.get_by_text("27.5")).to_be_visible()
    reader.assert_fits()
    reader.assert_accessible()


def test_all_but_uploading_works_without_scripts(course, open_page):
    page = open_page("grace", java_script_enabled=False).page
    expect(page.get_by_text("grace's secret traceback").first).to_be_visible()
    page.get_by_role("link", name="trial").click()
    expect(page.get_by_text("what grace's bot printed")).to_be_visible()
