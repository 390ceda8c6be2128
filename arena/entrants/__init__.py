"""Turn a bot on disk into a running process: read its manifest, build, start, watch and stop it."""

import logging

from arena.entrants.bot_process import BotProcess, ProcessExit, ancestors, new_scratch
from arena.entrants.build import BuildFailed, Built, build, is_built, must_build
from arena.entrants.expand import Entrant, Expansion, alike, expand, kept_within, only_bots, shared_names
from arena.entrants.launch import launch
from arena.entrants.manifest import EntrantError, LimitCeilings, ResourceLimits
from arena.entrants.packaged import is_packaged

logging.getLogger(__name__).addHandler(logging.NullHandler())  # silent unless logging is configured
