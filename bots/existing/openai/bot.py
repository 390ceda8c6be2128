"""Lets a language model play any game, at a server that speaks as OpenAI's does. `bot.toml` says which, and its limits.

`arena.text` puts a decision into words and reads the answer; docs/language-models.md explains the options.
"""

import argparse
import json
import math
import os
import sys
import time
from dataclasses import dataclass
from http.client import HTTPException
from queue import Empty, SimpleQueue
from threading import Thread
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from arena.client import Bot, run
from arena.text import briefing, complaint, parse, question
from engine import catalog

PASSING = (408, 409, 425, 429)  # and all from 500 on: it may do better when it is asked again
FIRST_WAIT, LONGEST_WAIT = 0.5, 20.0
OF_BANK = 1 / 8  # so much of the bank a decision may use, besides its free time
RESERVE = 0.2  # seconds, for the way to and from the referee
MOST_BYTES = 4 << 20
MOST_KEPT = 4000  # letters of an unreadable answer that the model is shown again
MOST_SHOWN = 1 << 16  # bytes of an error; first the key is taken out, then the text is cut
LETTERS_OF_TOKEN = 4  # where the server does not count
LOCAL = ("127.0.0.1", "::1", "localhost")


class NoAnswer(Exception):
    """The server gives none: why."""


class Busy(Exception):
    """This request has failed, another may not. `after`: in so many seconds, if the server says so."""

    def __init__(self, why, after=None):
        super().__init__(why)
        self.after = after


@dataclass
class Spent:
    """What was asked, in a game or in the life of this process."""

    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def excess(self, requests, tokens):
        """Return in words which of these limits is reached; 0 is none."""
        if 0 < requests <= self.requests:
            return f"{requests} requests"
        return f"{tokens} tokens" if 0 < tokens <= self.tokens_in + self.tokens_out else ""


@dataclass
class Said:
    """What the model said, and what it thought if that came apart."""

    text: str
    thoughts: str = ""


class NoRedirects(HTTPRedirectHandler):
    """Follows no redirection: it might lead the key elsewhere."""

    def redirect_request(self, *_):
        return None


class Server:
    """Where the model is asked."""

    def __init__(self, key):
        self.key, self.spent = key, Spent()
        self.opener = build_opener(NoRedirects)

    def ask(self, messages, until, game):
        """Return what the model says. Raises `NoAnswer`. `game`: what was spent in this game."""
        wait = FIRST_WAIT
        while True:
            self.check_budget(game)
            left = min(until - time.monotonic(), OPTIONS.timeout)
            if left <= 0:
                raise NoAnswer("no time is left")
            for spent in (self.spent, game):
                spent.requests += 1
            try:
                return self.read(within(left, lambda left=left: self.send(messages, left)), messages, game)
            except Busy as error:
                log(failed=str(error))
                pause = wait if error.after is None else error.after
                if time.monotonic() + pause >= until:
                    raise NoAnswer(f"{error}, and no time is left to ask again") from None
            time.sleep(pause)
            wait = min(2 * wait, LONGEST_WAIT)

    def check_budget(self, game):
        excess = game.excess(OPTIONS.game_requests, OPTIONS.game_tokens)
        if excess:
            raise NoAnswer(f"the budget of a game is spent, {excess}")
        excess = self.spent.excess(OPTIONS.requests, OPTIONS.tokens)
        if excess:
            raise NoAnswer(f"the budget is spent, {excess}")

    def send(self, messages, seconds):
        """Send one request, and return what comes. Raises `Busy`, and `SystemExit` if no other can do better."""
        body = {"model": OPTIONS.model, "messages": messages}
        body |= {} if OPTIONS.temperature is None else {"temperature": OPTIONS.temperature}
        body |= {"max_tokens": OPTIONS.answer_tokens} if OPTIONS.answer_tokens else {}
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {self.key}"} if self.key else {})}
        request = Request(f"{OPTIONS.url.rstrip('/')}/chat/completions", json.dumps(body).encode(), headers)
        try:
            with self.opener.open(request, timeout=seconds) as response:
                data = response.read(MOST_BYTES + 1)
        except HTTPError as error:
            with error:
                why = f"HTTP {error.code}: {shown(error.read(MOST_SHOWN))}"
            if error.code not in PASSING and error.code < 500:
                raise SystemExit(f"{OPTIONS.url} refuses what it is asked: {why}") from None
            raise Busy(why, after(error.headers.get("Retry-After"))) from None
        except TimeoutError:
            raise Busy(f"no answer within {seconds:.1f} s") from None
        except (OSError, HTTPException) as error:
            raise Busy(f"{OPTIONS.url} cannot be reached: {without_key(str(error) or type(error).__name__)}") from None
        if len(data) > MOST_BYTES:
            raise Busy(f"it sends more than {MOST_BYTES >> 20} MiB")
        return data

    def read(self, data, messages, game):
        """Return what the model says by the bytes that came, and count them. Raises `Busy` if they say nothing."""
        try:
            whole = json.loads(data)
            message = whole["choices"][0]["message"]
            text, thoughts = message.get("content") or "", message.get("reasoning_content") or message.get("reasoning")
            if not isinstance(text, str):
                raise TypeError("the content is no text")
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise Busy(f"it sends no completion ({type(error).__name__}): {shown(data)}") from None
        said = Said(without_key(text), without_key(thoughts) if isinstance(thoughts, str) else "")
        used = whole.get("usage")
        used = used if isinstance(used, dict) else {}
        for spent in (self.spent, game):
            spent.tokens_in += counted(used.get("prompt_tokens"), sum(len(each["content"]) for each in messages))
            spent.tokens_out += counted(used.get("completion_tokens"), len(said.text) + len(said.thoughts))
        return said


class ModelBot(Bot):
    """Asks the model for each decision, with nothing but what its seat was sent."""

    def start(self, start):
        self.rules = catalog.rules(start.game)
        self.edition = self.rules.strip_unknown(start.edition)
        self.briefing = briefing(self.rules, self.edition, start.players, start.seat)
        self.spent = Spent()

    def decide(self, game):
        began, before = time.monotonic(), Spent(**vars(self.spent))
        asked = question(self.rules, self.edition, game.view, game.actions, game.events)
        messages = [{"role": "system", "content": self.briefing}, {"role": "user", "content": asked}]
        index, why, unreadable = None, "", 0
        try:
            while index is None and unreadable <= OPTIONS.retries:
                said = SERVER.ask(messages, began + seconds(game.clock), self.spent)
                found = parse(said.text, game.actions, self.rules.words, OPTIONS.parsing == "strict")
                index, why = found.index, found.why
                log(game=game.game_id, turn=game.turn, **prompted(messages), answer=said.text, read=why or index)
                unreadable += index is None
                again = [("assistant", said.text[-MOST_KEPT:] or "(nothing)"), ("user", complaint(why))]
                messages += [{"role": role, "content": content} for role, content in again]
        except NoAnswer as error:
            why = f"no answer: {error}"
        for name, value in vars(self.spent).items():
            game.metric(name, value - getattr(before, name))
        game.metric("unreadable", unreadable)
        if index is not None:
            game.note(thoughts(said))
            return index
        log(game=game.game_id, turn=game.turn, unanswered=why)
        game.note(f"{OPTIONS.on_unreadable}: {why}")
        return game.random.randrange(len(game.actions)) if OPTIONS.on_unreadable == "random" else len(game.actions)


def seconds(clock):
    """Return how long a decision may take: its free time and a part of the bank."""
    if clock is None:
        return OPTIONS.patience
    return max(RESERVE, (clock["move"] + clock["bank"] * OF_BANK) / 1000 - RESERVE)


def thoughts(said):
    """Return what led to an answer, or the answer if nothing did."""
    return said.thoughts.strip() or said.text.strip().rpartition("\n")[0].strip() or said.text.strip()


def within(limit, call):
    """Return what a call returns, or raise `Busy` if it takes longer: looking up a name has no limit of its own."""
    done = SimpleQueue()

    def work():
        try:
            done.put((call(), None))
        except BaseException as error:
            done.put((None, error))

    Thread(target=work, daemon=True).start()
    try:
        value, error = done.get(timeout=limit)
    except Empty:
        raise Busy(f"no answer within {limit:.1f} s") from None
    if error is not None:
        raise error
    return value


def after(text):
    """Return the seconds of a `Retry-After`; None: it is a date, or no such thing."""
    try:
        found = float(text)
    except (TypeError, ValueError):
        return None
    return found if math.isfinite(found) and found >= 0 else None


def counted(said, letters):
    """Return the tokens that a server counted, or about how many so many letters are."""
    return said if type(said) is int and said >= 0 else letters // LETTERS_OF_TOKEN


def without_key(text):
    """Return a text without the key: servers repeat what they were sent."""
    return text.replace(SERVER.key, "(the key)") if SERVER.key else text


def shown(data):
    """Return the begin of what a server sent, as one line."""
    return " ".join(without_key(data[:MOST_SHOWN].decode("utf-8", "replace")).split())[:200] or "nothing"


def prompted(messages):
    return {"prompt": [each["content"] for each in messages[-1:]]} if OPTIONS.log == "all" else {}


def log(**what):
    if OPTIONS.log != "off":
        print(json.dumps(what, ensure_ascii=False), file=sys.stderr, flush=True)


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--key", default="")
    parser.add_argument("--temperature", type=float)
    parser.add_argument("--parsing", choices=["strict", "lenient"], default="lenient")
    parser.add_argument("--retries", type=int, default=2)
    parser.add_argument("--on-unreadable", choices=["illegal", "random"], default="illegal")
    parser.add_argument("--timeout", type=float, default=120.0)
    parser.add_argument("--patience", type=float, default=600.0)
    for name in ("--answer-tokens", "--game-requests", "--game-tokens", "--requests", "--tokens"):
        parser.add_argument(name, type=int, default=0)
    parser.add_argument("--log", choices=["off", "answers", "all"], default="answers")
    return parser.parse_args()


def key():
    """Return the key. Raises `SystemExit` if there is none, or if others would read it."""
    where = urlsplit(OPTIONS.url)
    if where.scheme not in ("http", "https") or not where.hostname:
        sys.exit(f"--url {OPTIONS.url}: write an address such as https://api.openai.com/v1")
    if not OPTIONS.key:
        return ""
    if not os.environ.get(OPTIONS.key):
        sys.exit(f"there is no {OPTIONS.key} here: export it, and give it to this bot: --network NAME={OPTIONS.key}")
    if where.scheme == "http" and where.hostname not in LOCAL:
        sys.exit(f"--url {OPTIONS.url} is not encrypted, and others could read the key: use https")
    return os.environ[OPTIONS.key]


if __name__ == "__main__":
    OPTIONS = options()
    SERVER = Server(key())
    run(ModelBot, name="openai-bot", deterministic=False)
