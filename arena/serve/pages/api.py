"""The read-only interface for programs: public facts as JSON, described by their types, and figures for Prometheus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from http import HTTPStatus
from typing import Any, Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from arena.serve.pages.facts import LeagueFacts, PublicFacts
from arena.web.posts import JSON_TYPE

ROOT: Final = "/api/v1"
_MOST: Final = 1000
"""Of a list, so many at a time."""


def api_answers(facts: Callable[[], LeagueFacts]) -> dict[str, Callable[[Request], Any]]:
    """Return by path what answers, but for events. `facts` returns what holds now."""

    def sender(name: str) -> Callable[[Request], Any]:
        async def answer(request: Request) -> Response:
            found = getattr(facts().public, name)
            if isinstance(found, tuple):
                found = found[(first := _first(request)) : first + _MOST]
            return _json(request, msgspec.json.encode(found))

        return answer

    described = msgspec.json.encode(openapi())

    async def describe(request: Request) -> Response:
        return _json(request, described)

    return {f"{ROOT}/{name}": sender(name) for name in PublicFacts.__struct_fields__} | {
        f"{ROOT}/openapi.json": describe
    }


def _first(request: Request) -> int:
    text = request.query_params.get("first", "0")
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise HTTPException(HTTPStatus.BAD_REQUEST, "first: how many of the list to skip")
    return int(text)


def _json(request: Request, body: bytes) -> Response:
    """Send what the asker has not got yet."""
    tag = f'"{blake2b(body, digest_size=12).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if tag in request.headers.get("If-None-Match", ""):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return Response(body, media_type=JSON_TYPE, headers=headers)


def openapi() -> dict[str, Any]:
    """Return the description of the interface."""
    fields = msgspec.structs.fields(PublicFacts)
    kinds = [each.type for each in fields]
    schemas, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    skipped = {"name": "first", "in": "query", "schema": {"type": "integer", "minimum": 0, "default": 0}}
    skipped["description"] = f"How many to skip: {_MOST} are sent"
    paths: dict[str, Any] = {}
    for each, schema in zip(fields, schemas, strict=True):
        summary = schema["description"]
        responses = {
            "200": {"description": summary, "content": {JSON_TYPE: {"schema": schema}}},
            "304": {"description": "What was sent before still holds"},
        }
        get = {"summary": summary, "operationId": each.name, "responses": responses}
        paths[f"{ROOT}/{each.name}"] = {"get": get | ({"parameters": [skipped]} if "items" in schema else {})}
    stream = {"description": "Events all and delta: an object of what is new", "content": {"text/event-stream": {}}}
    paths[f"{ROOT}/events"] = {
        "get": {"summary": "What changes, as it does", "operationId": "events", "responses": {"200": stream}}
    }
    about = {"title": "A league of bots", "version": "1", "description": "Read only. Moments are seconds since 1970."}
    return {"openapi": "3.1.0", "info": about, "paths": paths, "components": {"schemas": dict(components)}}


def metrics(facts: LeagueFacts) -> str:
    """Return figures in the text format of Prometheus. They name nobody."""
    return "".join(f"{line}\n" for line in _metrics(facts))


def _metrics(facts: LeagueFacts) -> Iterator[str]:
    public, organiser = facts.public, facts.organiser
    states = Counter(each.state for each in public.submissions)
    members = Counter(each.kind for each in organiser.members if not each.is_removed)
    yield from _metric("submissions", "gauge", "Submissions by how far they are", "state", states)
    yield from _metric("members", "gauge", "Who takes part", "kind", members)
    rounds = Counter(each.state for each in public.rounds)
    yield from _metric("rounds", "gauge", "Rounds of the season", "state", rounds)
    for name, kind, text, value in (
        ("games_total", "counter", "Games of the season", len(public.games)),
        ("queue", "gauge", "Submissions in the queue", len(organiser.queue) + organiser.unlisted),
        ("faults", "gauge", "Faults that organisers are shown", len(organiser.faults)),
        ("paused", "gauge", "Whether the league is paused", int(public.league.is_paused)),
        ("disk_bytes", "gauge", "Room that the league takes", organiser.disk_bytes),
        ("disk_quota_bytes", "gauge", "Room that it may take", organiser.quota_bytes),
    ):
        yield from _metric(name, kind, text, "", {"": value})


def _metric(name: str, kind: str, text: str, label: str, values: Mapping[Any, int]) -> Iterator[str]:
    yield f"# HELP arena_league_{name} {text}."
    yield f"# TYPE arena_league_{name} {kind}"
    for key, value in sorted(values.items()):
        labels = f'{{{label}="{key}"}}' if label else ""
        yield f"arena_league_{name}{labels} {value}"
