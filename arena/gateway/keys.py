"""Keys of bots elsewhere: pairs of CURVE, as libzmq makes them, of which the league keeps public halves.

In the folder of the gateway are `gateway.key`, its own pair, and `keys/NAME.pub` for each submitter that may join. The
author's file has the author's pair, the public half of the gateway, and its address: nobody else may read it.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec
import zmq
from zmq.utils import z85

from arena.common.decoding_words import in_words
from arena.common.labels import NAMED, SUBMITTER
from arena.common.regular_files import (
    MOST_TOML_BYTES,
    parse_toml,
    read_regular,
    why_unread,
    write_atomic,
    write_private,
)
from arena.entrants.launch import FORWARDER
from arena.entrants.manifest import FILE
from arena.gateway import GatewayError

_LETTERS: Final = 40
_OWN: Final = "gateway.key"
_KEYS: Final = "keys"
_PUBLIC: Final = ".pub"
_MOST: Final = 256
"""Bytes of a file with a public half."""


class KeyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file with a pair of keys."""

    name: str
    public: str
    secret: str
    gateway: str | None = None
    """The public half of the gateway. None: in the gateway's own file."""
    address: str | None = None
    """Where the gateway is, such as `tcp://league.example.org:8790`. None: `arena join` is told."""


def new_key(name: str, gateway: str | None, address: str | None = None) -> KeyFile:
    """Make a pair of keys. Raises `GatewayError`."""
    public, secret = zmq.curve_keypair()
    return KeyFile(checked_name(name), public.decode(), secret.decode(), gateway and checked_half(gateway), address)


def write_key(file: Path, key: KeyFile) -> None:
    """Write a file that only its owner can read. Raises `GatewayError` if it is there."""
    if file.exists():
        raise GatewayError(f"{file} is there, and would be lost: move it away for a new key")
    said = msgspec.to_builtins(key)
    lines = [f'{name} = "{value}"\n' for name, value in said.items() if value is not None]
    head = "# A key for `arena join`. Who has this file can play as this bot: keep it secret.\n"
    write_private(file, "".join([head, *lines]).encode())


def read_key(file: Path) -> KeyFile:
    """Read a file that `write_key` wrote. Raises `GatewayError`."""
    try:
        key = msgspec.convert(parse_toml(read_regular(file, MOST_TOML_BYTES).decode("utf-8")), KeyFile)
        for half in (key.public, key.secret, key.gateway):
            _ = half and checked_half(half)
    except msgspec.ValidationError as error:
        raise GatewayError(f"{file}: {in_words(error)}: `arena key` writes such a file") from None
    except (OSError, ValueError) as error:
        raise GatewayError(f"{file}: {why_unread(error)}: `arena key` writes such a file") from None
    if zmq.curve_public(key.secret.encode()).decode() != key.public:
        raise GatewayError(f"{file}: public and secret are no pair")
    return key


def own_key(folder: Path) -> KeyFile:
    """Return the gateway's own pair, which is made if there is none. Raises `GatewayError`."""
    file = folder / _OWN
    if not file.exists():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_key(file, new_key("gateway", None))
    return read_key(file)


def allow(folder: Path, name: str, public: str) -> None:
    """Give a name to a public half, which counts from now on; an earlier one does no more. Raises `GatewayError`."""
    keys = folder / _KEYS
    keys.mkdir(mode=0o700, parents=True, exist_ok=True)
    known = allowed(folder).get(checked_half(public))
    if known not in (None, name):
        raise GatewayError(f"{known} has this key already: every bot needs one of its own")
    place = forwarder_folder(folder, name)
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    command = ", ".join(f'"{word}"' for word in ("{python}", *FORWARDER))
    # With the key, so that with another one it is another version of the bot.
    write_atomic(place / FILE, f'# key {public}\nname = "{name}"\ncommand = [{command}]\n'.encode())
    write_atomic(keys / f"{name}{_PUBLIC}", f"{public}\n".encode())


def allowed(folder: Path) -> dict[str, str]:
    """Return whose each public half is. What is no key is left out."""
    found = {}
    for file in sorted((folder / _KEYS).glob(f"*{_PUBLIC}")):
        try:
            found[checked_half(read_regular(file, _MOST).decode("ascii").strip())] = checked_name(file.stem)
        except (OSError, ValueError):
            continue
    return found


def key_hash(public: str) -> str:
    """Return by what a key is named where it need not be known whole."""
    return sha256(public.encode()).hexdigest()[:16]


def state_of_keys(folder: Path) -> int:
    """Return a number that changes when a key is added, replaced or removed."""
    try:
        return (folder / _KEYS).stat().st_mtime_ns
    except OSError:
        return 0


def checked_name(name: str) -> str:
    """Return a name. Raises `GatewayError` if a submitter cannot be called so."""
    if not SUBMITTER.fullmatch(name):
        raise GatewayError(f"{name!r} is no name of a submitter: {NAMED}")
    return name


def checked_half(half: str) -> str:
    """Return half of a pair. Raises `GatewayError` if it is none."""
    try:
        if len(half) == _LETTERS:
            z85.decode(half.encode("ascii"))
            return half
    except (ValueError, KeyError):
        pass
    raise GatewayError(f"{half[:_LETTERS]!r} is no key: it has {_LETTERS} letters, as `arena key` prints it")


def forwarder_folder(folder: Path, name: str) -> Path:
    """Return the folder of the bot that stands in a tournament for that of `name`, which `allow` makes.

    A plan that names it as a bot says in `remote` that it may reach the gateway.
    """
    return folder / "forwarders" / checked_name(name)
