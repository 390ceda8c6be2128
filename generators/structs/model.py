"""The schemas of docs/schema as types that any language can write down."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
GAMES = ("kosmos", "ravensburger")
COMMAND = "python -m generators.structs"
LIST_NAMES = {"lacked": "Lacked", "legs": "LegOptions", "to": "Target"}
"""Names for what stands in a field and has none in the schema: lists of unlike things, and a text or something else."""


@dataclass(frozen=True)
class Plain:
    """`int`, `index` (never below 0), `int64`, `uint64`, `float`, `bool`, or `data`, whose type depends on the game."""

    kind: str


@dataclass(frozen=True)
class Text:
    """A text; one of these values if there are any."""

    values: tuple[str, ...] = ()
    name: str | None = None


@dataclass(frozen=True)
class ListOf:
    """A list."""

    item: Type


@dataclass(frozen=True)
class MapOf:
    """A map from texts."""

    value: Type


@dataclass(frozen=True)
class Row:
    """A list of just these."""

    items: tuple[Type, ...]
    name: str


@dataclass(frozen=True)
class Either:
    """A text or something else."""

    text: Text
    other: Type
    name: str


@dataclass(frozen=True)
class OrNull:
    """Something, or null."""

    of: Type


@dataclass(frozen=True)
class Named:
    """A struct or a union."""

    name: str


Type = Plain | Text | ListOf | MapOf | Row | Either | OrNull | Named


TEXT_OR_NUMBER = Either(Text(), Plain("int"), "TextOrNumber")
"""What stands in fields of one name, of different kinds."""


@dataclass(frozen=True)
class Field:
    """A field of a struct."""

    name: str
    type: Type
    doc: str
    required: bool = True
    default: Any = None


@dataclass(frozen=True)
class Struct:
    """A map with fields. `tag`: the value of the field that says of what kind it is, which is not among the fields."""

    name: str
    doc: str
    fields: tuple[Field, ...]
    tag: str | None = None


@dataclass(frozen=True)
class Union:
    """One of several structs, which a field tells apart."""

    name: str
    doc: str
    tag: str
    kinds: tuple[Struct, ...]


@dataclass(frozen=True)
class Module:
    """All types of one schema. `game` is None for the messages."""

    game: str | None
    doc: str
    section: str
    structs: tuple[Struct, ...]
    unions: tuple[Union, ...]
    texts: tuple[Text, ...] = ()

    @property
    def title(self) -> str:
        """What types of the game are called after."""
        return (self.game or "").title()


class _Reader:
    def __init__(self, file: str) -> None:
        self.defs: Mapping[str, Any] = json.loads((ROOT / "docs" / "schema" / file).read_text("utf-8"))["$defs"]

    def type(self, part: Mapping[str, Any], name: str) -> Type:
        if "anyOf" in part:
            parts = [self.type(each, name) for each in part["anyOf"] if each != {"type": "null"}]
            if len(parts) == 2:
                [text] = [each for each in parts if isinstance(each, Text)]
                [other] = [each for each in parts if each is not text]
                return Either(text, other, LIST_NAMES.get(name, ""))
            return OrNull(parts[0])
        if "$ref" in part:
            name = part["$ref"].rpartition("/")[2]
            found = self.defs[name]
            return Text(tuple(found["enum"]), name) if "enum" in found else Named(name)
        if "enum" in part:
            return Text(tuple(part["enum"]))
        if part["type"] == "array":
            if "prefixItems" in part:
                items = tuple(self.type(each, name) for each in part["prefixItems"])
                return Row(items, LIST_NAMES.get(name, ""))
            return ListOf(self.type(part["items"], name))
        if part["type"] == "object":
            return (
                MapOf(self.type(part["additionalProperties"], name))
                if "additionalProperties" in part
                else Plain("data")
            )
        return Text() if part["type"] == "string" else Plain(_number(part))

    def struct(self, name: str) -> Struct:
        part = self.defs[name]
        tag, fields = None, []
        for key, each in part["properties"].items():
            if key in ("type", "do", "event") and len(each.get("enum", ())) == 1:
                tag = each["enum"][0]
                continue
            of = self.type(each, key)
            doc = each.get("description") or self._doc_of(of)
            fields.append(Field(key, of, doc, key in part["required"], each.get("default")))
        return Struct(name, _from_whom(part["description"]), tuple(fields), tag)

    def _doc_of(self, of: Type) -> str:
        return str(self.defs[of.name]["description"]) if isinstance(of, Named) else ""

    def union(self, name: str, doc: str, tag: str, part: str | None = None) -> Union:
        kinds = [each["$ref"].rpartition("/")[2] for each in self.defs[part or name]["oneOf"]]
        return Union(name, doc, tag, tuple(map(self.struct, kinds)))

    def rest(self, unions: tuple[Union, ...]) -> tuple[Struct, ...]:
        """Return the structs that are no kind of a union."""
        kinds = {kind.name for union in unions for kind in union.kinds}
        return tuple(
            self.struct(name) for name, part in self.defs.items() if "properties" in part and name not in kinds
        )


def _from_whom(doc: str) -> str:
    """`Bot: its answer.` as `Its answer. Sent by the bot.`"""
    sender, colon, about = doc.partition(": ")
    if not colon or sender not in ("Bot", "Referee"):
        return doc
    return f"{about[0].upper()}{about[1:]} Sent by the {sender.lower()}."


def _number(part: Mapping[str, Any]) -> str:
    if part["type"] != "integer":
        return {"number": "float", "boolean": "bool"}[part["type"]]
    largest = part.get("maximum", 0)
    if largest > 2**63 - 1:
        return "uint64"
    if largest > 2**31 - 1:
        return "int64"
    return "index" if part.get("minimum") == 0 and "maximum" not in part else "int"


@cache
def messages() -> Module:
    """The messages, and what the games have in common."""
    reader = _Reader("messages.json")
    unions = (
        reader.union("FromBot", "What a bot sends.", "type", "from_bot"),
        reader.union("FromReferee", "What the referee sends.", "type", "from_referee"),
    )
    structs = reader.rest(unions) + tuple(each for each in _game(GAMES[0]).structs if each.name == "Hidden")
    return Module(None, "The messages of the protocol", "3 and 4", structs, unions)


@cache
def _game(game: str) -> Module:
    reader = _Reader(f"{game}.json")
    section = {"kosmos": "10", "ravensburger": "11"}[game]
    unions = (
        reader.union("Action", f"One thing that can be done ({section}.5).", "do"),
        reader.union("Event", f"One thing that has happened ({section}.6).", "event"),
    )
    texts = tuple(Text(tuple(part["enum"]), name) for name, part in reader.defs.items() if "enum" in part)
    return Module(game, f"What `{game}` puts into messages", section, reader.rest(unions), unions, texts)


@cache
def game(name: str) -> Module:
    """What a game puts into messages, without what all games have in common."""
    found = _game(name)
    return Module(
        name, found.doc, found.section, tuple(s for s in found.structs if s.name != "Hidden"), found.unions, found.texts
    )


def flat(union: Union, module: Module) -> Struct:
    """Put all kinds of a union into one struct, for languages that have no unions."""
    fields = [Field(union.tag, Text(), f"What it is: see protocol.md {module.section}.")]
    for name in dict.fromkeys(field.name for kind in union.kinds for field in kind.fields):
        kinds = {str(kind.tag): field for kind in union.kinds for field in kind.fields if field.name == name}
        doc = "" if len(kinds) > len(union.kinds) // 2 else f"Of {', '.join(kinds)}."
        types = {type(_bare(field.type)) for field in kinds.values()}
        of = _of(next(iter(kinds.values())))
        if types == {Text}:
            of = Text(tuple(dict.fromkeys(value for field in kinds.values() for value in _values(field.type))))
            of = OrNull(of) if any(isinstance(field.type, OrNull) for field in kinds.values()) else of
        elif types == {Text, Plain}:
            of = OrNull(TEXT_OR_NUMBER)
        elif len(types) > 1:
            numbers = [kind for kind, field in kinds.items() if isinstance(field.type, Plain)]
            of, doc = Plain("data"), f"{doc} To be read as a number of {', '.join(numbers)}, else as a list of texts."
        fields.append(Field(name, of, doc, required=False))
    doc = f"{union.doc} Its `{union.tag}` says what, and which other fields are set."
    return Struct(union.name, doc, tuple(fields))


def _of(field: Field) -> Type:
    """Return the type of a field of a kind; what may be missing can be null."""
    return field.type if field.required or isinstance(field.type, OrNull) else OrNull(field.type)


def _values(of: Type) -> tuple[str, ...]:
    bare = _bare(of)
    return bare.values if isinstance(bare, Text) else ()


def _bare(of: Type) -> Type:
    return of.of if isinstance(of, OrNull) else of


def parts_of(of: Type) -> Iterator[Type]:
    """Yield a type and all that it is made of."""
    yield of
    match of:
        case ListOf(inner) | MapOf(inner) | OrNull(inner):
            yield from parts_of(inner)
        case Row(items, _):
            for item in items:
                yield from parts_of(item)
        case Either(_, other, _):
            yield from parts_of(other)


def pascal(name: str) -> str:
    """`turn_over` as TurnOver."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def camel(name: str) -> str:
    """`turn_over` as turnOver."""
    whole = pascal(name)
    return whole[:1].lower() + whole[1:]


def said(struct_field: Field, *, values: bool = True) -> str:
    """What a field is, with the texts that it may be, for languages in which its type does not say so."""
    doc = struct_field.doc
    of = struct_field.type.of if isinstance(struct_field.type, OrNull) else struct_field.type
    if values and isinstance(of, Text) and 0 < len(of.values) <= 8 and f'"{of.values[0]}"' not in doc:
        words = ", ".join(f'"{value}"' for value in of.values)
        doc = f"{doc.removesuffix('.')}: {words}." if doc else f"{words}."
    return plain(doc)


def plain(doc: str) -> str:
    """Take the marks of Markdown out of a text, but for those of code."""
    return re.sub(r"\*([^*]+)\*", r"\1", doc)


def snake(name: str) -> str:
    """`HiddenByDeck` as hidden_by_deck."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
