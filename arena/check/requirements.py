"""What `protocol.md` says, word for word, about each thing that a bot can get wrong, and how to correct it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from arena.check.report import Requirement

# Starting

BUILD: Final = Requirement(
    "2.1",
    "The arena starts a bot's process in a copy of the bot's folder as its working directory",
    "Run the build command of bot.toml by hand in a fresh copy of the folder, without what earlier builds left there.",
)
SHADOW: Final = Requirement(
    "2.1",
    "The arena starts a bot's process in a copy of the bot's folder as its working directory",
    "Rename the file: Python looks beside the bot first, so every import of that module finds this file instead, "
    "even in libraries.",
)
NO_HELLO: Final = Requirement(
    "2.2",
    "The bot connects and sends `hello` (3.1) within the start limit (5.1).",
    "Set the routing id to ARENA_TOKEN, connect a DEALER to ARENA_ENDPOINT, and send `hello` before waiting "
    "for any message. To look at it in a debugger: arena match wait:me BOT.",
)
ENDED: Final = Requirement(
    "6.1",
    "the process ended, or was ended for using more memory, processes or processor time than its limits allow",
    "Look at its last lines on standard error. A bot lives from `hello` to `bye`; limits are set in bot.toml; it may "
    "write in HOME and TMPDIR only.",
)
NOT_HELLO: Final = Requirement(
    "3.1",
    "The first message on every connection (2.2, 2.6).",
    "Send `hello` before everything else.",
)
VERSION: Final = Requirement(
    "9",
    "Referee and bot must speak the same major version",
    "Say the version of the protocol that the bot was written for; it is not the bot's own version.",
)
NO_GAME: Final = Requirement(
    "3.1",
    "A bot that does not name the game to be played is left out of a tournament",
    "Put the names that `arena games` lists into `games`, or leave it out for a bot that plays any.",
)

# Frames

PARTS: Final = Requirement(
    "1.3",
    "A message of several parts is `malformed`.",
    "Use a DEALER and send one frame: no empty frame in front (as REQ does), no send_multipart.",
)
TEXT: Final = Requirement(
    "1.4",
    "A frame is one [msgpack](https://msgpack.org) map from strings to values.",
    "This is text. Encode the message with a msgpack library: not JSON, not print.",
)
MSGPACK: Final = Requirement(
    "1.4",
    "A frame is one [msgpack](https://msgpack.org) map from strings to values.",
    "Send exactly what the msgpack library packed: a map at the outermost, all its bytes and nothing after them.",
)
ENCODING: Final = Requirement(
    "1.4",
    "texts are msgpack `str` in UTF-8, never `bin`",
    "Pack texts as `str` (some libraries need to be told), and only valid UTF-8.",
)
TYPE: Final = Requirement(
    "6.1",
    "a frame that is no message of section 3, or more than one part",
    "A bot sends `hello` and `act`, nothing else: the key `type` must say which.",
)
ACT_FIELD: Final = Requirement(
    "3.2",
    "The answer to one `decide`.",
    "Compare the field with the table there; fields that are not needed are left out or nil.",
)
HELLO_FIELD: Final = Requirement(
    "3.1",
    "These texts must not hold control characters",
    "Compare the field with the table there; what has a default may be left out.",
)
INDEX_TYPE: Final = Requirement(
    "3.2",
    "anything but a whole number of 64 bits with sign (a float, a text, a boolean) is `malformed`",
    'Pack `index` as an integer: 3, not 3.0, "3" or true.',
)
OVERSIZE: Final = Requirement(
    "6.1",
    "a frame larger than `limits.frame`",
    "Send what the message needs and no more: a note has at most 500 characters.",
)
FLOOD: Final = Requirement(
    "6.1",
    "more than 64 frames, or more than 8 connections, since the last `decide`",
    "Send one `act` for each `decide`, on one connection, and look for the loop that sends or connects.",
)

# Answers

NO_ANSWER: Final = Requirement(
    "2.3",
    "the bot must answer each with one `act` (3.2)",
    "Look whether the bot received the `decide` and what it waits for; a log on standard error is kept and shown.",
)
LATE: Final = Requirement(
    "5.2",
    "A decision that is not answered within `move` and all that is left in the bank is `late`",
    "Read `clock` in every `decide`, and stop thinking before `move` plus what may be spent of `bank` is over.",
)
NO_LIMIT: Final = Requirement(
    "5.3",
    "Where `clock` is null there is no limit.",
    "Look whether `clock` is null before reading from it: in `start` and in `decide`.",
)
ILLEGAL: Final = Requirement(
    "6.1",
    "an `act` for the open decision with an index that is not in the list",
    "`index` counts the `actions` of the very `decide` that is answered, from 0.",
)
TURN: Final = Requirement(
    "3.2",
    "as in the `decide`",
    "Copy `game_id` and `turn` from the `decide` that is answered: they say which question an answer belongs to.",
)
TWICE: Final = Requirement(
    "6.1",
    "an `act` for an earlier turn, a second answer",
    "Answer each `decide` once, and with nothing else than its one `act`.",
)
UNASKED: Final = Requirement(
    "3.2",
    "The answer to one `decide`. Sent at no other time.",
    "Send `act` only when a `decide` came: `welcome`, `start`, `fault` and `end` are not answered.",
)
FAULT_ANSWERED: Final = Requirement(
    "4.4",
    "A `fault` must not be answered.",
    "Log it and go on reading. If it cost a decision, that has been played already.",
)

# Conduct

CROSSING: Final = Requirement(
    "2.3",
    "A game may end while a `decide` is still unanswered, because of what happened to the others",
    "At `end` forget the game, whatever was open in it, and be ready for the next `start`.",
)
ANEW: Final = Requirement(
    "2.3",
    "a `start` with a known `game_id` may come too, and begins that game afresh",
    "At `start` begin with a clean slate for that `game_id`, also when it is known already.",
)
SESSION: Final = Requirement(
    "4.2",
    "names this game in all that follows; at most 64 characters, without meaning",
    "Compare with the worked session at the end of the document, sent here frame by frame; copy ids, never read them.",
)
PARALLEL: Final = Requirement(
    "2.5",
    "told apart by `game_id`, and several `decide` may be open",
    "Keep what belongs to a game in a map by `game_id`, or say `parallel: 1`.",
)
KEPT: Final = Requirement(
    "7",
    "no state that matters may pass from one game to the next",
    "Something of an earlier game was kept: reset at every `start` whatever belongs to a game (seat, players, edition, "
    "plans, random generator), or keep it in a map by `game_id`.",
)
DETERMINISTIC: Final = Requirement(
    "7",
    "plays the same game when it is asked the same",
    "Seed one generator with `bot_seed` at every `start`, draw from no other, look at no clock; or say "
    "`deterministic: false`.",
)
LATER: Final = Requirement(
    "9",
    "a bot must ignore fields and events that it does not know, must ignore messages of a type that it does not know",
    "Read the fields that you know by name and pass over the rest: no strict decoder, no default branch that fails.",
)
STOPPED: Final = Requirement(
    "2.4",
    "A bot must not rely on timers, on threads that work between decisions",
    "Repeat calls that were interrupted (EINTR), and take time from `clock`, not from when a message was read.",
)
OUTPUT: Final = Requirement(
    "2.1",
    "It goes to logs of which only the newest part is kept",
    "Log less: what you look for is overwritten before anybody reads it, and writing takes the bot's own time.",
)
MEMORY: Final = Requirement(
    "8",
    "Memory, number of processes, open files and size of files of a bot are bounded too",
    "At `end` let go of all that belongs to the game; a process plays hundreds of them.",
)
TOKEN: Final = Requirement(
    "1.2",
    "It is the value of the environment variable `ARENA_TOKEN`, or that value followed by `/` and any further bytes",
    "Set the socket's routing id to ARENA_TOKEN before connecting, that of every socket, and connect under no other.",
)
FOLDER: Final = Requirement(
    "2.1",
    "A bot should write in the folders `HOME` and `TMPDIR` only",
    "Write to the folders that HOME and TMPDIR name; what must be there at every start is made by `build` in bot.toml.",
)
BYE: Final = Requirement(
    "2.7",
    "After its last game a bot is sent `bye` (4.6) and should end.",
    "Leave the loop at `bye` and end with exit code 0; a thread or a child that goes on keeps the process alive.",
)


def ended(conduct: Requirement | None) -> Requirement:
    """Return the requirement for a process that ended during a step. `conduct`: what the step tries, if known."""
    if conduct is None:
        return ENDED
    return replace(ENDED, advice=f"{ENDED.advice} What was tried then: {conduct.advice}")


SECTION_OF_FIELD: Final = {"index": INDEX_TYPE, "turn": TURN, "game_id": TURN}
"""The requirement for a wrong field of an `act`; for fields not listed here it is `ACT_FIELD`."""
ALL: Final = tuple(value for value in list(globals().values()) if isinstance(value, Requirement))
