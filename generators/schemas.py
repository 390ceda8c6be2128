"""Makes docs/schema out of the types that read the files. To write it anew: python -m generators.schemas"""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from pathlib import Path
from typing import Any, get_args

import msgspec

from arena.entrants.manifest import BotManifest, LimitCeilings, ManifestAuthor, ResourceLimits
from arena.entrants.plan_bot import PlanBot
from arena.isolation.settings import IsolationPlan, RemoteBots
from arena.protocol import messages
from arena.tournament.hooks import events as hook_events
from arena.tournament.hooks.commands import Hooks
from arena.tournament.plan import SETTINGS, Plan
from generators.game_schemas import SECTIONS, game_schema

FOLDER = Path(__file__).parents[1] / "docs" / "schema"


def documented(kind: type) -> dict[str, str]:
    """The texts that stand under the fields of a class."""
    [node] = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(node, ast.ClassDef)
    found = {}
    for field, text in zip(node.body, node.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(text, ast.Expr):
            assert isinstance(text.value, ast.Constant)
            found[field.target.id] = str(text.value.value)
    return found


def plain(part: dict[str, Any]) -> dict[str, Any]:
    """The schema of a field without null, which TOML does not have: who wants none leaves the key out."""
    kinds = [kind for kind in part.pop("anyOf", []) if kind != {"type": "null"}]
    if part.get("default", 0) is None:
        del part["default"]
    return {**kinds[0], **part} if len(kinds) == 1 else {**part, **({"anyOf": kinds} if kinds else {})}


def written(top: dict[str, Any]) -> str:
    """The text of a file, with docstrings as they read: whether they come with their indentation is up to msgspec."""
    for part in (top, *top.get("$defs", {}).values()):
        if "description" in part:
            part["description"] = inspect.cleandoc(part["description"])
    return json.dumps(top, indent=2, ensure_ascii=False) + "\n"


def schema(kind: type, title: str, texts: dict[str, dict[str, str]]) -> str:
    """The schema of a file that is read as `kind`. `texts`: by type, what each field is for."""
    parts = msgspec.json.schema(kind)["$defs"]
    for name, part in parts.items():
        fields = part["properties"]
        part["properties"] = {key: {"description": texts[name][key], **plain(fields[key])} for key in fields}
    top = {"$schema": "https://json-schema.org/draft/2020-12/schema", **parts.pop(kind.__name__), "title": title}
    return written(top | ({"$defs": parts} if parts else {}))


def message_schema() -> str:
    """Return the schema of every message. A later version may bring fields that it does not name."""
    senders = {"bot": get_args(messages.FromBot), "referee": get_args(messages.FromReferee)}
    kinds = [*senders["bot"], *senders["referee"]]
    _, parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    structs = {each.__name__: each for each in vars(messages).values() if isinstance(each, type)}
    for name, part in parts.items():
        texts = {"type": "Which message this is."} | documented(structs[name])
        for key, field in part["properties"].items():
            part["properties"][key] = {"description": texts[key], **field}
    parts["End"]["properties"]["scores"]["items"]["additionalProperties"] = {"type": "number"}  # an integer is one
    for sender, sent in senders.items():
        parts[f"from_{sender}"] = {"oneOf": [{"$ref": f"#/$defs/{each.__name__}"} for each in sent]}
    top = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"the messages of protocol {messages.PROTOCOL[0]}.{messages.PROTOCOL[1]}",
        "oneOf": [{"$ref": f"#/$defs/from_{sender}"} for sender in senders],
        "$defs": parts,
    }
    return written(top)


def hooks_schema() -> str:
    """Return the schema of what hooks get. A later version may bring fields that it does not name."""
    kinds = get_args(hook_events.AnyHookEvent)
    _, parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    structs = {each.__name__: each for each in vars(hook_events).values() if isinstance(each, type)}
    for name, part in parts.items():
        bases = [each for each in structs[name].__mro__[::-1] if each in structs.values()]
        texts = {"event": "What happened."} | {key: text for each in bases for key, text in documented(each).items()}
        for key, field in part["properties"].items():
            part["properties"][key] = {"description": texts[key], **field}
    top = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"what hooks get, version {hook_events.VERSION}",
        "oneOf": [{"$ref": f"#/$defs/{each.__name__}"} for each in kinds],
        "$defs": parts,
    }
    return written(top)


def schemas() -> dict[Path, str]:
    """What stands in each file."""
    return {
        FOLDER / "bot.json": schema(
            BotManifest,
            "bot.toml",
            {each.__name__: documented(each) for each in (BotManifest, ManifestAuthor, ResourceLimits)},
        ),
        FOLDER / "messages.json": message_schema(),
        FOLDER / "hooks.json": hooks_schema(),
        FOLDER / "plan.json": schema(
            Plan,
            "the plan of a tournament",
            {
                "Plan": {name: each.help for name, each in SETTINGS.items()}
                | {key: documented(Plan)[key] for key in ("hooks", "limits", "remote")},
                "PlanBot": documented(PlanBot),
                "Hooks": documented(Hooks),
                "LimitCeilings": documented(LimitCeilings),
                "IsolationPlan": documented(IsolationPlan),
                "RemoteBots": documented(RemoteBots),
            },
        ),
        **{FOLDER / f"{game}.json": game_schema(game) for game in SECTIONS},
    }


if __name__ == "__main__":
    for file, text in schemas().items():
        file.write_text(text, "utf-8")
