"""Makes the JSON Schema of what a game puts into messages, out of its types and of what protocol.md says of each field.

The types stand in `engine/<game>/types/`. Each becomes a struct first, since of a struct msgspec keeps the order of the
fields and what is said of each.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import import_module
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import msgspec

from arena.protocol.messages import PROTOCOL
from engine.rules import Index, Seat
from generators.protocol_document import SECTIONS, tables

FROM_0 = Annotated[int, msgspec.Meta(ge=0)]
DESCRIPTION = (
    "The edition of a `start`, and the view, actions and events of a `decide`. Numbers in parentheses are sections of "
    "protocol.md. A referee of this version sends what stands here and nothing else; one of a later minor version may "
    "add fields, phases, and kinds of action and event, so a client has to pass over what it does not know."
)


class Meaning(NamedTuple):
    """What is said of a type and its fields."""

    of_type: str | None
    of_fields: Mapping[str, str]
    """By name, with that of the field in which the type stands in front: `turn.further`."""
    path: str = ""


class GameTypes:
    """The types of a game as structs."""

    def __init__(self, game: str) -> None:
        self.title = game.title()
        self.enums: dict[tuple[str, ...], str] = {}
        """The names of the lists of texts that have one."""
        self.orders: dict[frozenset[str], tuple[str, ...]] = {}
        """All lists of texts, as the types have them: msgspec sorts them."""
        self._structs: dict[str, type] = {}
        section = SECTIONS[game]
        types = {part: vars(import_module(f"engine.{game}.types.{part}")) for part in ("edition", "view")}
        for name, alias in vars(import_module(f"engine.{game}.types.names")).items():
            if get_origin(alias) is Literal and name != "Literal":
                self.enums[get_args(alias)] = name
        self.kinds: dict[str, list[type]] = {
            "Edition": [self._struct(types["edition"][f"{self.title}EditionData"], _of_table(f"{section}.3"))],
            "View": [self._struct(types["view"][f"{self.title}View"], _of_table(f"{section}.7"))],
            "Action": self._union(f"engine.{game}.types.actions", "Action", f"{section}.5"),
            "Event": self._union(f"engine.{game}.types.events", "Event", f"{section}.6"),
        }

    def _union(self, module: str, name: str, section: str) -> list[type]:
        described, *details = tables(section)
        found: dict[tuple[bool, int], type] = {}  # in the order of protocol.md, and last what is not of this game alone
        for kind in get_args(getattr(import_module(module), f"{self.title}{name}")):
            fields = {}
            for table in details:  # of the kind that has all of these fields
                if {key.partition(".")[0] for key in table} <= set(get_type_hints(kind)):
                    fields = {key: _said(row[2]) for key, row in table.items()}
            tag, values = _tag(kind)
            for value in values:
                tagged = f"{value.title().replace('_', '')}{name}"
                meaning = Meaning(_said(described[value][-1]), fields)
                place = kind.__module__ != module, [*described].index(value)
                found[place] = self._struct(kind, meaning, tagged, (tag, value))
        return [found[place] for place in sorted(found)]

    def _struct(
        self, kind: Any, meaning: Meaning, name: str = "", tag: tuple[str, str] | tuple[None, None] = (None, None)
    ) -> type:
        name = name or kind.__name__.removeprefix(self.title).removesuffix("Data")
        if name in self._structs:
            return self._structs[name]
        if name == "Hidden":
            meaning = _of_table("4.7")
        fields: list[Any] = []
        for field, hint in get_type_hints(kind, include_extras=True).items():
            if field == tag[0]:
                continue
            path = f"{meaning.path}{field}"
            required = get_origin(hint) is not NotRequired
            inner = self._hint(hint if required else get_args(hint)[0], meaning._replace(path=f"{path}."))
            said = msgspec.Meta(description=meaning.of_fields.get(path))
            if required:
                fields.append((field, Annotated[inner, said]))
            else:
                fields.append((field, Annotated[inner, said] | msgspec.UnsetType, msgspec.UNSET))
        made = msgspec.defstruct(name, fields, kw_only=True, tag_field=tag[0], tag=tag[1])
        made.__doc__ = meaning.of_type or kind.__doc__ or meaning.of_fields[meaning.path.removesuffix(".")]
        self._structs[name] = made
        return made

    def _hint(self, hint: Any, meaning: Meaning) -> Any:
        """Return the same hint with structs in it."""
        if hint in (Index, Seat):
            return FROM_0
        if get_origin(hint) is Annotated:
            return self._hint(get_args(hint)[0], meaning)
        if is_typeddict(hint):
            return self._struct(hint, meaning._replace(of_type=None))
        args = get_args(hint)
        if get_origin(hint) is Literal:
            self.orders[frozenset(args)] = args
        elif get_origin(hint) in (list, dict, tuple):
            return get_origin(hint)[tuple(self._hint(each, meaning) for each in args)]
        elif args:
            return Union[tuple(self._hint(each, meaning) for each in args)]  # noqa: UP007
        return hint


def _tag(kind: Any) -> tuple[str, tuple[str, ...]]:
    """Return the field that says of what kind an action or event is, and what may stand in it."""
    [field] = {"do", "event"} & {*get_type_hints(kind)}
    return field, get_args(get_type_hints(kind)[field])


def _of_table(section: str) -> Meaning:
    return Meaning(None, {key: _said(row[2]) for key, row in tables(section)[0].items()})


def _said(cell: str) -> str:
    """Return the text of a cell as a sentence of its own."""
    text = cell.removesuffix(":").removesuffix(", below").removesuffix(", see below").removesuffix("; else null")
    return text[0].upper() + text[1:].replace("\\|", "|") + "." * (not text.endswith("."))


def game_schema(game: str) -> str:
    """Return the schema of the game's editions, views, actions and events."""
    types = GameTypes(game)
    every = [kind for kinds in types.kinds.values() for kind in kinds]
    _, found = msgspec.json.schema_components(every, ref_template="#/$defs/{name}")
    parts = {name: _with_names(part, types) for name, part in found.items()}
    unions = {name: {"oneOf": list(map(_ref, kinds))} for name, kinds in types.kinds.items() if len(kinds) > 1}
    used = json.dumps(parts)
    enums = {name: {"enum": values} for values, name in types.enums.items() if f'"#/$defs/{name}"' in used}
    top = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"what `{game}` puts into the messages of protocol {PROTOCOL[0]}.{PROTOCOL[1]}",
        "description": DESCRIPTION,
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in types.kinds],
        "$defs": unions | enums | parts,
    }
    return json.dumps(top, indent=2, ensure_ascii=False) + "\n"


def _ref(kind: type) -> dict[str, str]:
    return {"$ref": f"#/$defs/{kind.__name__}"}


def _with_names(part: Any, types: GameTypes) -> Any:
    """Put names in the place of texts that have one, and the others into the order of their type."""
    if isinstance(part, list):
        return [_with_names(each, types) for each in part]
    if not isinstance(part, dict):
        return part
    if "enum" in part:
        values = types.orders.get(frozenset(part["enum"]), tuple(part["enum"]))
        found = {"$ref": f"#/$defs/{types.enums[values]}"} if values in types.enums else {"enum": values}
        return {key: each for key, each in part.items() if key != "enum"} | found
    return {key: _with_names(each, types) for key, each in part.items()}
