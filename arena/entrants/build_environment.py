"""Define which environment variables a build gets: what toolchains need, and none of the user's secrets.

`HOME` is among them, because toolchains keep their downloads and settings there. `arena.isolation.confine` gives
a build that is kept apart a home of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

MORE: Final = "ARENA_BUILD_ENV"
"""The environment variable that names further ones, separated by commas."""
_SYSTEM: Final = "HOME LANG LANGUAGE LD_LIBRARY_PATH LOGNAME PATH SHELL TEMP TERM TMP TMPDIR TZ USER"
_NETWORK: Final = (
    "ALL_PROXY HTTP_PROXY HTTPS_PROXY NO_PROXY all_proxy http_proxy https_proxy no_proxy"
    " CURL_CA_BUNDLE GIT_SSL_CAINFO NIX_SSL_CERT_FILE NODE_EXTRA_CA_CERTS PIP_CERT REQUESTS_CA_BUNDLE SSL_CERT_DIR"
    " SSL_CERT_FILE"
)
_TOOLCHAINS: Final = (
    "AR CC CFLAGS CPPFLAGS CXX CXXFLAGS LD LDFLAGS MAKEFLAGS PKG_CONFIG_LIBDIR PKG_CONFIG_PATH SDKROOT"
    " CMAKE_BUILD_PARALLEL_LEVEL CMAKE_GENERATOR CMAKE_PREFIX_PATH CMAKE_TOOLCHAIN_FILE"
    " CARGO_BUILD_JOBS CARGO_HOME CARGO_NET_OFFLINE RUSTFLAGS RUSTUP_AUTO_INSTALL RUSTUP_HOME RUSTUP_TOOLCHAIN"
    " CGO_ENABLED GOCACHE GOENV GOFLAGS GOMODCACHE GONOPROXY GONOSUMDB GOPATH GOPRIVATE GOPROXY GOROOT GOSUMDB"
    " GOTOOLCHAIN"
    " JAVA_HOME JDK_HOME M2_HOME MAVEN_ARGS MAVEN_HOME MAVEN_OPTS"
    " NODE_OPTIONS NPM_CONFIG_CACHE NPM_CONFIG_OFFLINE NPM_CONFIG_REGISTRY NVM_DIR npm_config_cache"
    " npm_config_offline npm_config_registry"
    " PIP_FIND_LINKS PIP_INDEX_URL PYENV_ROOT PYENV_VERSION PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX VIRTUAL_ENV"
)
_NAMES: Final = frozenset(" ".join([_SYSTEM, _NETWORK, _TOOLCHAINS]).split())
_PREFIXES: Final = ("LC_", "XDG_")


def build_environment(ours: Mapping[str, str]) -> dict[str, str]:
    """Return those of our variables that a build gets."""
    more = {name.strip() for name in ours.get(MORE, "").split(",")}
    return {name: value for name, value in ours.items() if name in _NAMES or name in more or name.startswith(_PREFIXES)}
