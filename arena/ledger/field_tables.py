"""The tables of a ledger that say who plays: versions of bots, changes of the field, and the blocks drawn for it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

import msgspec

from arena.common.authors import Author, is_avatar
from arena.common.labels import bot_name, version_number
from arena.ledger import dates
from arena.ledger.chain import bot_entry, event_entry
from arena.ledger.ledger_file import LedgerFile
from arena.ledger.records import BlockRecord, EntrantRecord, FieldEvent, FieldNote, with_builds
from arena.ledger.rows import entrant_row, storable

NO_AVATARS: Final[Mapping[str, bytes]] = MappingProxyType({})


class FieldTables(LedgerFile):
    """Writes and reads who plays."""

    def set_entrants(
        self, entrants: Sequence[EntrantRecord], note: str = "", avatars: Mapping[str, bytes] = NO_AVATARS
    ) -> None:
        """Set the entrants with which the tournament begins. Include those that were left out.

        `note`: what the user says about them; `avatars`: their authors' pictures, by name.
        """
        joins = [FieldEvent("join", each.name) for each in entrants if each.left_out is None]
        with self._transaction() as db:
            db.execute("DELETE FROM field_notes")
            db.execute("DELETE FROM field_events")
            db.execute("DELETE FROM entrants")
            self._add(entrants, joins, note, avatars)

    def change_field(
        self,
        entrants: Sequence[EntrantRecord],
        events: Sequence[FieldEvent],
        place: int,
        note: str = "",
        avatars: Mapping[str, bytes] = NO_AVATARS,
    ) -> None:
        """Add versions of bots, or replace what is known of them, and add events that hold from `place` on.

        Blocks that were drawn beyond that place are forgotten, because other rounds will be drawn in their stead.
        `note`: what the user says about the events; `avatars`: the pictures of the bots' authors, by name.
        """
        with self._transaction() as db:
            self._add(entrants, events, note, avatars)
            if events:
                self._put("finished", False)
                db.execute("DELETE FROM blocks WHERE place >= ?", (place,))

    def _add(
        self,
        entrants: Sequence[EntrantRecord],
        events: Sequence[FieldEvent],
        note: str,
        avatars: Mapping[str, bytes] = NO_AVATARS,
    ) -> None:
        before = {each.name: each.builds for each in self.entrants()}
        entrants = [with_builds(each, before.get(each.name, [])) for each in entrants]
        values = ", ".join("?" * len(EntrantRecord.__struct_fields__))
        self._db.executemany(f"INSERT OR REPLACE INTO entrants VALUES ({values})", map(entrant_row, entrants))
        self._db.executemany("INSERT OR REPLACE INTO avatars VALUES (?, ?)", avatars.items())
        self._db.executemany(
            "INSERT INTO field_events (kind, bot, round, place, stops) VALUES (?, ?, ?, ?, ?)",
            [storable(msgspec.structs.astuple(each)) for each in events],
        )
        for entrant in entrants:
            self.chain.append(bot_entry(entrant))
        for event in events:
            self.chain.append(event_entry(event))
        moment = dates.now()
        self._db.execute(  # of all events that have no date so far
            "INSERT INTO field_notes (event, moment, note)"
            " SELECT n, ?, ? FROM field_events WHERE n NOT IN (SELECT event FROM field_notes)",
            (moment, *storable((note,))),
        )
        if not events:
            return
        if note:
            self.chain.append(["note", *storable((note,))])
        if not self.settings.awaits_beacon:  # else the seed, which follows from the head, would depend on the moment
            self.chain.append(["date", moment])

    def entrants(self) -> list[EntrantRecord]:
        """Return all versions of bots, sorted by label, with those that left or were left out."""
        fields = ", ".join(EntrantRecord.__struct_fields__)
        return [self._reader.entrant(row) for row in self._rows(f"SELECT {fields} FROM entrants ORDER BY name")]

    def avatar(self, author: Author) -> bytes | None:
        """Return the picture of an author. None: there is none, or it is not the one that was recorded."""
        rows = self._rows("SELECT data FROM avatars WHERE name = ?", (author.avatar,)) if author.avatar else []
        data = rows[0][0] if rows else None
        return data if isinstance(data, bytes) and is_avatar(author.avatar, data) else None

    def note_build(self, bot: str, build: str) -> None:
        """Record the hash over what a bot's build made, behind those of earlier builds."""
        [entrant] = [each for each in self.entrants() if each.name == bot]
        with self._transaction():
            self._add([msgspec.structs.replace(entrant, builds=[build])], [], "")

    def left_out(self) -> list[EntrantRecord]:
        """Return the versions that could not take part, of bots of which no newer version could."""
        newest: dict[str, EntrantRecord] = {}
        for each in sorted(self.entrants(), key=lambda each: version_number(each.name)):
            newest[bot_name(each.name)] = each
        return [newest[bot] for bot in sorted(newest) if newest[bot].left_out is not None]

    def field_events(self) -> list[FieldEvent]:
        """Return who joined and left the field, in this order."""
        rows = self._rows("SELECT kind, bot, round, place, stops FROM field_events ORDER BY n")
        fields = FieldEvent.__struct_fields__
        return [self._reader.typed("a field event", dict(zip(fields, row, strict=True)), FieldEvent) for row in rows]

    def field_notes(self) -> list[FieldNote]:
        """Return for each of the field's events when it was recorded, and what was said about it."""
        rows = self._rows(
            "SELECT moment, COALESCE(note, '') FROM field_events LEFT JOIN field_notes ON event = field_events.n"
            " ORDER BY field_events.n"
        )
        fields = FieldNote.__struct_fields__
        return [
            self._reader.typed("a note on the field", dict(zip(fields, row, strict=True)), FieldNote) for row in rows
        ]

    def field(self) -> list[str]:
        """Return the labels of the versions in the field now, sorted."""
        found: set[str] = set()
        for event in self.field_events():
            (found.add if event.kind == "join" else found.discard)(event.bot)
        return sorted(found)

    # What was drawn

    def add_blocks(self, blocks: Sequence[BlockRecord]) -> None:
        """Add the blocks of a round that was drawn."""
        rows = [(each.place, each.round, each.number, json.dumps(each.bots)) for each in blocks]
        with self._transaction() as db:
            db.executemany("INSERT INTO blocks VALUES (?, ?, ?, ?)", rows)

    def blocks(self) -> list[BlockRecord]:
        """Return the blocks of the rounds that were drawn, in the order of the schedule."""
        found = []
        for place, round, number, bots in self._rows("SELECT place, round, number, bots FROM blocks ORDER BY place"):
            what = f"the block at place {place}"
            data = {"place": place, "round": round, "number": number, "bots": self._reader.loaded(what, bots)}
            found.append(self._reader.typed(what, data, BlockRecord))
        return found
