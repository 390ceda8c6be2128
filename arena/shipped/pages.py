"""Show the documentation without a clone and without a browser."""

from __future__ import annotations

import posixpath
import re
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from arena import shipped

_BESIDE: Final = ("README.md", "protocol.md", "SECURITY.md", "CHANGELOG.md", "docs/vectors/README.md")
"""The paths in a clone of the pages outside `docs`."""
_OF_FOLDER: Final = ("README.md", "rules.md")
"""Files that are named after the folder they describe."""
_LINK: Final = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])+)\]\(([^)#\s]+)(?:#[^)\s]*)?\)")
_COMMENT: Final = re.compile(r"^<!--.*-->\n", re.MULTILINE)


class Page(NamedTuple):
    """A page: its path in a clone, and its first heading."""

    path: PurePosixPath
    title: str


def pages() -> dict[str, Page]:
    """Return all pages by the name that `arena docs` takes."""
    paths = [PurePosixPath(path) for path in _BESIDE]
    paths += [PurePosixPath("docs", file.name) for file in sorted(shipped.find("docs").glob("*.md"))]
    rules = sorted(shipped.find("engine").glob("*/rules.md"))
    paths += [PurePosixPath("engine", file.parent.name, file.name) for file in rules]
    return {_name(path): Page(path, _title(path)) for path in paths}


def text_of(page: Page) -> str:
    """Return a page's text.

    Links to other pages become commands to type, links to files and pictures become paths on this machine.
    """

    def lead(link: re.Match[str]) -> str:
        words, target = f"picture: {link[2]}" if link[1] else link[2], link[3]
        path = PurePosixPath(posixpath.normpath(page.path.parent / target))
        for candidate in (path, path / _OF_FOLDER[0]):
            if (name := _name(candidate)) in known and known[name].path == candidate:
                return f"{words} (arena docs {name})"
        file = shipped.find(path)
        return f"{words} ({file})" if path.parts[0] != ".." and file.exists() else link[0]

    known = pages()
    return _LINK.sub(lead, _COMMENT.sub("", shipped.find(page.path).read_text("utf-8")))


def _name(path: PurePosixPath) -> str:
    of_folder = path.name in _OF_FOLDER and path.parent.name
    return (path.parent.name if of_folder else path.stem).lower()


def _title(path: PurePosixPath) -> str:
    with shipped.find(path).open(encoding="utf-8") as file:
        return file.readline().removeprefix("#").strip()
