"""Git repositories: a new commit of a branch, or a new tag, is a submission. Git itself is run, with nothing of theirs.

Neither hooks nor filters nor anybody's configuration take part, the one protocol of the address is allowed, and what
comes is bounded while it comes.
"""

from __future__ import annotations

import os
import re
from hashlib import sha256
from pathlib import Path
from typing import Final

from arena.common.removal import remove
from arena.serve import LeagueError
from arena.serve.children import Child
from arena.serve.intake.incoming import Say, coming, size_of
from arena.serve.league import BotRepository, seconds

_ADDRESS: Final = re.compile(
    r"(?P<https>https://[^\s/@]+(?:/\S*)?)|(?P<ssh>ssh://\S+|[\w.-]+@[\w.-]+:\S+)|(?P<file>file:///\S+|/.+)"
)
_KEPT: Final = ("PATH", "HOME", "LANG", "SSH_AUTH_SOCK", "SSL_CERT_FILE", "SSL_CERT_DIR")
_PROXIES: Final = ("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
_OWN: Final = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "true",
    "GIT_SSH_COMMAND": "ssh -oBatchMode=yes",
    "GIT_LFS_SKIP_SMUDGE": "1",
}
_LIMITED: Final = ("/bin/sh", "-c", 'ulimit -f "$0" && exec "$@"')
"""Limits each file, in blocks of 512 bytes."""
_LOOK_SECONDS: Final = 60.0
_FETCH_SECONDS: Final = 300.0
_LONGEST_REST: Final = 3600.0
"""The most seconds for which a commit is left alone that could not be fetched."""


class WatchedRepository:
    """A repository that is looked at for something new. Nothing waits for git: it runs as a child process."""

    def __init__(self, rule: BotRepository, league: Path, most_mb: float, say: Say) -> None:
        """Take what `league.toml` says. Raises `LeagueError` for an address that is not taken."""
        found = _ADDRESS.fullmatch(rule.url)
        if found is None:
            what = "https://… without a password (it belongs in ~/.netrc), ssh://…, name@machine:…, file:///… or a path"
            raise LeagueError(f"[[repository]] of {rule.submitter}: url: it is none of {what}")
        self.rule = rule
        self._protocol, self._league, self._most, self._say = found.lastgroup, league, most_mb * 1e6, say
        self._every = seconds(rule.every, "every")
        key = f"{rule.submitter}-{sha256(rule.url.encode()).hexdigest()[:8]}"
        self._folder = league / "repositories" / key
        self._child: Child | None = None
        self._doing = ""
        self._commit = self._ref = ""
        self._next = self._again = float("-inf")
        self._failed, self._rest = "", 0.0
        """A commit that could not be fetched, and for how long it is left alone."""
        self.trouble = ""
        """What went wrong at the last look; empty: nothing."""

    @property
    def is_busy(self) -> bool:
        """Whether git is running."""
        return self._child is not None

    def look(self, known: str | None, now: float, may_begin: bool = True) -> None:
        """Go on with what is under way, or begin if it is time. `known`: the commit that was received last."""
        if self._child is None:
            if may_begin and now >= self._next:
                self._next = now + self._every
                self._list()
            return
        if self._child.poll() is None and size_of(self._folder, self._most) > self._most:
            self._child.end(f"it has more than {self._most / 1e6:g} MB")
        if (code := self._child.poll()) is None:
            return
        child, self._child = self._child, None
        try:
            self._go_on(code, child, known)
        except OSError as error:
            self._fail(str(error))

    def close(self) -> None:
        """End git if it runs."""
        if self._child is not None:
            self._child.end()
            self._child = None

    def _go_on(self, code: int, child: Child, known: str | None) -> None:
        if code:
            self._fail(f"git {self._doing}: {child.last_lines(3) or child.reason}")
        elif self._doing == "ls-remote":
            self._commit, self._ref = _newest((self._folder / "refs.txt").read_text("utf-8", "replace"))
            if not self._commit:
                self._fail(f"it has no {self.rule.tag or self.rule.branch or 'commit'}")
            elif self._commit == known:
                self._end("")
            elif self._commit == self._failed and self._next < self._again:
                self._end(self.trouble)
            else:
                self._clone()
        elif self._doing == "clone" and not self.rule.submodules:
            file = self._folder / f"{self._commit}.tar"
            self._start("archive", f"--output={file}", "HEAD", where=self._folder / "clone")
        else:
            come = self._folder / ("clone" if self._doing == "clone" else f"{self._commit}.tar")
            with coming(self._league, self.rule.submitter, "git") as folder:
                remove(str(come / ".git"))
                come.rename(folder / f"{self._commit}{come.suffix}")
            self._end("")

    def _list(self) -> None:
        remove(str(self._folder))
        self._folder.mkdir(parents=True)
        wanted = self.rule.tag or (f"refs/heads/{self.rule.branch}" if self.rule.branch else "HEAD")
        options = ["--tags", "--sort=-v:refname"] if self.rule.tag else []
        self._start("ls-remote", *options, "--", self.rule.url, wanted, output=self._folder / "refs.txt")

    def _clone(self) -> None:
        ref = self._ref.removeprefix("refs/heads/").removeprefix("refs/tags/")
        chosen = [] if ref == "HEAD" else [f"--branch={ref}"]
        how = ["--recurse-submodules", "--shallow-submodules"] if self.rule.submodules else ["--bare"]
        where = self._folder / "clone"
        self._start(
            "clone", "--quiet", "--depth=1", "--no-tags", "--template=", *chosen, *how, "--", self.rule.url, str(where)
        )

    def _start(self, *words: str, where: Path | None = None, output: Path | None = None) -> None:
        settings = {
            "core.hooksPath": os.devnull,
            "core.fsmonitor": "false",
            "protocol.allow": "never",
            f"protocol.{self._protocol}.allow": "always",
            "fetch.fsckObjects": "true",
            "submodule.recurse": "false",
        }
        given = [word for key, value in settings.items() for word in ("-c", f"{key}={value}")]
        environment = {name: os.environ[name] for name in (*_KEPT, *_PROXIES) if name in os.environ} | _OWN
        command = [*_LIMITED, str(int(self._most) // 512), "git", *given, *words]
        self._doing = words[0]
        limit = _LOOK_SECONDS if self._doing == "ls-remote" else _FETCH_SECONDS
        log = self._folder / "git.log"
        self._child = Child(command, where or self._folder, log, limit, environment, output=output)

    def _fail(self, why: str) -> None:
        if why != self.trouble:
            self._say(f"the repository of {self.rule.submitter}, {self.rule.url}, could not be read: {why}")
        if self._doing != "ls-remote":  # a commit that is too large, perhaps: it is not fetched each time
            self._rest = min(_LONGEST_REST, 2 * self._rest if self._commit == self._failed else self._every)
            self._failed, self._again = self._commit, self._next + self._rest
        self._end(why)

    def _end(self, trouble: str) -> None:
        self.trouble = trouble
        remove(str(self._folder))


def _newest(listed: str) -> tuple[str, str]:
    """Return the commit and the name of the first of the refs that git has listed; a tag's commit follows it."""
    found = [line.split("\t") for line in listed.splitlines() if "\t" in line]
    refs = {name: commit for commit, name in found}
    names = [name for _, name in found if not name.endswith("^{}")]
    if not names:
        return "", ""
    return refs.get(f"{names[0]}^{{}}", refs[names[0]]), names[0]
