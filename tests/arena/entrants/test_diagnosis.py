"""The cause of a failed build in one line, out of what real tools print."""

from __future__ import annotations

import pytest

from arena.entrants.diagnosis import BUILD_NETWORK, cause, how_to_get, was_killed

CMAKE = """
-- Check for working C compiler: /usr/bin/cc - skipped
-- Detecting C compile features - done
CMake Error at CMakeLists.txt:23 (message):
  libzmq 4.3 or later was not found.  Debian: apt install libzmq3-dev.
  Homebrew: brew install zeromq


-- Configuring incomplete, errors occurred!
See also "/cache/build/release/CMakeFiles/CMakeOutput.log".
"""
NO_COMPILER = """
CMake Error at CMakeLists.txt:6 (project):
  No CMAKE_CXX_COMPILER could be found.

  Tell CMake where to find the compiler by setting either the environment
  variable "CXX" or the CMake cache entry CMAKE_CXX_COMPILER.

-- Configuring incomplete, errors occurred!
"""
NO_MAKE = """
CMake Error: CMake was unable to find a build program corresponding to "Unix Makefiles".  CMAKE_MAKE_PROGRAM is not set.
CMake Error: CMAKE_C_COMPILER not set, after EnableLanguage
-- Configuring incomplete, errors occurred!
"""
NO_HEADER = """
[ 50%] Building CXX object bot.cpp.o
bot.cpp:3:10: fatal error: zmq.hpp: No such file or directory
    3 | #include <zmq.hpp>
compilation terminated.
make[2]: *** [bot.dir/build.make:76: bot.cpp.o] Error 1
"""
GO = """
go: downloading github.com/go-zeromq/zmq4 v0.17.0
client.go:15:2: github.com/go-zeromq/zmq4@v0.17.0: Get "https://example.org/v0.17.0.zip": dial tcp: no such host
client.go:16:2: github.com/vmihailenco/msgpack/v5@v5.4.1: Get "https://example.org/v5.4.1.zip": dial tcp: no such host
"""
JAVA = """
The JAVA_HOME environment variable is not defined correctly,
this environment variable is needed to run this program.
"""
MAVEN = """
?[0m[?[1;31mERROR?[m] Plugin a:b:3.4.1 or one of its dependencies could not be resolved: Unknown host example.org
[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.
[ERROR] Re-run Maven using the -X switch to enable full debug logging.
"""
RUST = """
   Compiling libc v0.2.1
error: linker `cc` not found
  |
  = note: No such file or directory (os error 2)

error: could not compile `libc` (build script) due to 1 previous error
"""
CRATES = """
    Updating crates.io index
warning: spurious network error (3 tries remaining): [7] Could not connect to server
error: failed to get `rand` as a dependency of package `bot v0.1.0`

Caused by:
  download of config.json failed
"""
NPM = """
npm error code ENOTFOUND
npm error errno ENOTFOUND
npm error network request to https://example.org/zeromq failed, reason: getaddrinfo ENOTFOUND example.org
npm error A complete log of this run can be found in: /home/me/.npm/_logs/debug-0.log
"""
TYPESCRIPT = """
> bot@1.0.0 prepare
> tsc
src/bot.ts(135,6): error TS1005: ';' expected.
npm error command failed
"""
NETWORK = "(a first build fetches its libraries: is there a network?)"


@pytest.mark.parametrize(
    ("output", "said"),
    [
        (CMAKE, "libzmq 4.3 or later was not found. Debian: apt install libzmq3-dev. Homebrew: brew install zeromq"),
        (NO_COMPILER, "No CMAKE_CXX_COMPILER could be found. Tell CMake … (apt install g++)"),
        (NO_MAKE, "CMake was unable to find a build program corresponding … (apt install make)"),
        (NO_HEADER, "bot.cpp:3:10: fatal error: zmq.hpp: No such file or directory"),
        (GO, f"client.go:15:2: github.com/go-zeromq/zmq4@v0.17.0: … {NETWORK}"),
        (JAVA, "The JAVA_HOME environment variable is not defined correctly, (apt install default-jdk)"),
        (MAVEN, f"[ERROR] Plugin a:b:3.4.1 or one of its dependencies could not be resolved: … {NETWORK}"),
        (RUST, "error: linker `cc` not found (apt install gcc)"),
        (CRATES, f"error: failed to get `rand` as a dependency … {NETWORK}"),
        (NPM, f"npm error network request to https://example.org/zeromq failed, … {NETWORK}"),
        (TYPESCRIPT, "src/bot.ts(135,6): error TS1005: ';' expected."),
        ("sh: 1: cmake: not found\n", "sh: 1: cmake: not found (apt install cmake)"),
        ("/usr/bin/env: ‘node’: No such file or directory\n", "/usr/bin/env: ‘node’: … (https://nodejs.org)"),
        ("first\nTraceback\n  last words\n", "last words"),
        ("", ""),
    ],
)
def test_the_line_that_says_why_is_found_and_how_to_get_what_is_missing(output: str, said: str) -> None:
    found = cause(output)
    first, _, last = said.partition("…")
    assert found.startswith(first)
    assert found.endswith(last)
    assert "\n" not in found
    assert len(found) < 500
    assert "…" in said or found == said


def test_a_build_that_may_not_use_the_network_is_told_how_it_may() -> None:
    assert cause(NPM, has_network=False).endswith(f"({BUILD_NETWORK})")
    assert cause("first\nlast\n", has_network=False) == "last"


def test_how_to_get_a_program_is_said_where_it_is_known() -> None:
    assert how_to_get("c++") == " (apt install g++)"
    assert how_to_get("frobnicate") == ""


def test_a_killed_compiler_is_told_apart_from_one_that_found_a_mistake() -> None:
    assert was_killed("making\nc++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.\n")
    assert was_killed("error: could not compile\n  (signal: 9, SIGKILL: kill)\n")
    assert not was_killed("bot.c:3:1: error: Killed was not declared here\n")
