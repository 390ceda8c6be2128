"""Explain in one line why a build failed, and how to get what is missing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_LONGEST: Final = 400

_TOOLCHAINS: Final = {
    "cmake": "apt install cmake",
    "make": "apt install make",
    "gcc": "apt install gcc",
    "g++": "apt install g++",
    "pkg-config": "apt install pkg-config",
    "go": "https://go.dev/dl",
    "cargo": "https://rustup.rs",
    "mvn": "apt install maven",
    "javac": "apt install default-jdk",
    "java": "apt install default-jdk",
    "node": "https://nodejs.org",
    "npm": "it comes with Node: https://nodejs.org",
    "tsc": "npm install typescript",
}
"""How to get each program: the Debian package, if there is one."""
_ALIASES: Final = {"cc": "gcc", "c99": "gcc", "c++": "g++", "pkgconf": "pkg-config", "python": "python3"}

_MISSING: Final = (
    (re.compile(r"CMAKE_C_COMPILER|C compiler cannot|linker `cc` not found|\bcc: (?:command )?not found"), "gcc"),
    (re.compile(r"CMAKE_CXX_COMPILER|\bc\+\+: (?:command )?not found"), "g++"),
    (re.compile(r"CMAKE_MAKE_PROGRAM|unable to find a build program"), "make"),
    (re.compile(r"Could NOT find PkgConfig|pkg-config tool not found|PKG_CONFIG_EXECUTABLE"), "pkg-config"),
    (re.compile(r"JAVA_HOME|No compiler is provided in this environment"), "javac"),
)
"""What tools print when another program is missing."""
_NOT_FOUND: Final = re.compile(r"(?:^|: )([\w+.-]+): (?:command )?not found$|env: ['‘]?([\w+.-]+)['’]?: No such file")
_NO_NETWORK: Final = re.compile(
    r"ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ECONNRESET|[Cc]ould not resolve host|[Cc]ould ?n[o']t connect|"
    r"dial tcp|Unknown host|Could not transfer artifact|Connection refused|spurious network error|no such host|"
    r"[Nn]ame or service not known|[Nn]ame resolution|[Nn]etwork is unreachable|ENETUNREACH|getaddrinfo|"
    r"Failed to establish a new connection"
)
BUILD_NETWORK: Final = "builds have no network: --build-network gives it to them, or build_network = true in a plan"
_ERROR: Final = re.compile(
    r"(?i)^(?:npm err(?:or|!)(?! code| errno| syscall))|\berror\b(?: TS\d+|\[\w+\])?:|^\[error\]|^error\b|"
    r"cannot find -l|undefined reference|^go: |: not found$|No such file or directory|JAVA_HOME"
)
_NO_ERROR: Final = re.compile(
    r"(?i)\b(?:0|no) errors?\b|^warning|-- Check|^\[info\]|COMPILATION ERROR|^go: downloading "
)
_GO_PLACE: Final = re.compile(r"^\S+\.(?:go|java|rs|ts|c|cc|cpp|h|hpp|py):\d+")
_COLOURS: Final = re.compile(r"[\x1b?]\[[0-9;]*m")
"""Colour codes. The control character may already be a question mark."""
_KILLED: Final = re.compile(r"Killed signal terminated program|signal: 9\b|SIGKILL|(?:^|\s)Killed$|OutOfMemoryError")


def how_to_get(program: str) -> str:
    """Return how to get a program, in brackets. Return an empty text if it is not known."""
    how = _TOOLCHAINS.get(_ALIASES.get(program, program))
    return f" ({how})" if how else ""


def was_killed(output: str) -> bool:
    """Return whether a part of a build was killed.

    When memory runs out, a compiler is killed but the build itself ends with an exit code.
    """
    return any(_KILLED.search(line) for line in output.splitlines())


def cause(output: str, has_network: bool = True) -> str:
    """Return the line of a build's output that says why it failed, and how to get what is missing.

    Return an empty text if the output is empty. `has_network`: whether the build could reach the network.
    """
    output = _COLOURS.sub("", output)
    lines = [line.rstrip() for line in output.splitlines() if line.strip()]
    if not lines:
        return ""
    found = _cmake_error(output.splitlines()) or _first_error(lines) or lines[-1].strip()
    return " ".join(found.split())[:_LONGEST] + _hint(output, found, has_network)


def _cmake_error(lines: Sequence[str]) -> str:
    """Return the text of a CMake error, which is indented below its heading."""
    for number, line in enumerate(lines):
        if line.startswith("CMake Error"):
            texts = []
            for each in lines[number + 1 :]:
                if each.strip() and not each.startswith(" "):
                    break
                texts.append(each.strip())
            return " ".join(filter(None, texts)) or line.partition("CMake Error: ")[2] or line
    return ""


def _first_error(lines: Sequence[str]) -> str:
    for pattern in (_ERROR, _GO_PLACE):
        for line in lines:
            if pattern.search(line) and not _NO_ERROR.search(line):
                return line.strip()
    return ""


def _hint(output: str, found: str, has_network: bool) -> str:
    for pattern, program in _MISSING:
        if pattern.search(found):
            return how_to_get(program)
    if missing := _NOT_FOUND.search(found):
        return how_to_get(missing[1] or missing[2])
    if _NO_NETWORK.search(output) and not has_network:
        return f" ({BUILD_NETWORK})"
    if _NO_NETWORK.search(output):
        return " (a first build fetches its libraries: is there a network?)"
    return ""
