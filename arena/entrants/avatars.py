"""Read the avatars of bots: pictures among their source files, which their fingerprints cover."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from arena.common.authors import MOST_AVATAR_BYTES, Author, avatar_name
from arena.common.regular_files import read_regular, why_unread
from arena.entrants.manifest import FILE, EntrantError, ManifestAuthor


def author_of(said: ManifestAuthor, folder: Path, sources: Collection[Path]) -> Author:
    """Return the author that a manifest names, with the name of the avatar's bytes in place of its file's.

    Args:
        said: What the manifest says.
        folder: Of the bot.
        sources: Its source files, relative to that.

    Raises:
        EntrantError: The avatar is none of these files, or no picture that is shown.
    """
    avatar = ""
    if said.avatar is not None:
        if Path(said.avatar) not in sources:
            raise EntrantError(
                f"{folder / FILE}: author.avatar: {said.avatar} is no source file of the bot: name a picture in its "
                "folder, by the path from there, that neither begins with a dot nor is made by a build"
            )
        avatar, _ = read_avatar(folder / said.avatar)
    return Author(said.name, said.team or "", said.link or "", said.licence or "", avatar)


def read_avatar(file: Path) -> tuple[str, bytes]:
    """Return the name and the bytes of a picture.

    Raises `EntrantError` if it is none that is shown, and `OSError`.
    """
    try:
        data = read_regular(file, MOST_AVATAR_BYTES)
        return avatar_name(data), data
    except ValueError as error:
        raise EntrantError(f"{file} cannot be an avatar: {why_unread(error)}") from None
