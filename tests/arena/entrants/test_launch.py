"""A bot that runs: what it finds, how it ends, and how it stands still."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from arena.entrants import build, expand

pytestmark = pytest.mark.process

linux = pytest.mark.skipif(sys.platform != "linux", reason="what Linux alone can do")

SAY = "import json, os, sys\ndef say(x): open(NOTE, 'w').write(json.dumps(x) + '\\n')\n"
STAY = "import time\ntime.sleep(1000)\n"
COUNT = """
import itertools, os
for number in itertools.count():
    with open(NOTE + '.new', 'w') as file: file.write(str(number))
    os.replace(NOTE + '.new', NOTE)
"""


def test_the_environment_is_what_is_promised_and_no_more(yard: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "of the user")
    process = yard.start(SAY + "say(dict(os.environ))\n" + STAY, "env = { DEPTH = '3', ARENA_TOKEN = 'mine' }")
    found = json.loads(yard.noted())
    home, temporary = Path(found.pop("HOME")), Path(found.pop("TMPDIR"))
    found.pop("LC_CTYPE", None)  # Python's own doing
    assert found == {
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
        "DEPTH": "3",
        "ARENA_ENDPOINT": "ipc://nowhere",
        "ARENA_TOKEN": yard.token,
    }
    assert home.is_dir()
    assert temporary.is_dir()
    assert home.is_relative_to(yard.run_dir)
    process.end()
    assert not home.exists()


def test_each_start_has_a_scratch_folder_of_its_own(yard: Any) -> None:
    built = yard.built(SAY + "say(os.environ['HOME'])\n" + STAY)
    yard.launch(built)
    first = yard.noted()
    yard.note.unlink()
    yard.launch(built)
    assert yard.noted() != first


def test_limits_of_files_are_set(yard: Any) -> None:
    source = "import resource as r\nsay([r.getrlimit(k)[0] for k in (r.RLIMIT_CORE, r.RLIMIT_NOFILE, r.RLIMIT_FSIZE)])"
    yard.start(SAY + source, "limits = { open_files = 99, file_mb = 3 }")
    assert json.loads(yard.noted()) == [0, 99, 3 << 20]


@linux
def test_when_memory_runs_out_a_bot_goes_before_all_others(yard: Any) -> None:
    yard.start(SAY + "say(open('/proc/self/oom_score_adj').read())")
    assert json.loads(yard.noted()) == "1000\n"


@linux
def test_a_bot_runs_on_the_cores_it_is_given(yard: Any) -> None:
    core = max(os.sched_getaffinity(0))
    yard.start(SAY + "say(list(os.sched_getaffinity(0)))", cores=[core])
    assert json.loads(yard.noted()) == [core]


def test_cores_that_are_not_there_do_not_hinder(yard: Any) -> None:
    yard.start(SAY + "say('here')", cores=[4095])
    assert json.loads(yard.noted()) == "here"


def test_it_reads_nothing_and_runs_in_the_copy_of_its_folder(yard: Any) -> None:
    built = yard.built(SAY + "say([sys.stdin.read(), os.getcwd()])")
    yard.launch(built)
    assert json.loads(yard.noted()) == ["", os.path.realpath(built.folder)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("", (0, None, "exit code 0")),
        ("raise SystemExit(7)", (7, None, "exit code 7")),
        ("import os\nos.kill(os.getpid(), 11)", (None, 11, "ended by SIGSEGV")),
        ("import os\nos._exit(127)", (127, None, "exit code 127")),
    ],
)
def test_how_it_ended_is_reported(yard: Any, source: str, expected: tuple[int | None, int | None, str]) -> None:
    process = yard.start(source)
    ended = process.wait(60)
    assert ended is not None
    assert (ended.code, ended.signal, ended.reason) == expected
    process.end()
    assert process.poll() == ended


def test_a_program_that_cannot_be_started_says_why(yard: Any, tmp_path: Path) -> None:
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "bot.toml").write_text("command = './nothing'")
    process = yard.launch(build(expand([tmp_path / "odd"]).found[0], tmp_path / "cache"))
    ended = process.wait(60)
    assert ended is not None
    assert ended.reason == "could not be started"
    assert process.stderr_tail() == "./nothing: No such file or directory"


def test_the_last_lines_of_standard_error_are_kept(yard: Any) -> None:
    source = (
        "import sys\nfor i in range(50): print('line', i, file=sys.stderr)\nprint('\\x1b[31mred', file=sys.stderr)\n1/0"
    )
    process = yard.start(source)
    assert process.wait(60) is not None
    assert process.stderr_tail(1) == "ZeroDivisionError: division by zero"
    assert "line 49\n?[31mred\nTraceback" in process.stderr_tail()
    assert len(process.stderr_tail(3).splitlines()) == 3
    process.end()
    assert process.stderr_tail(1) == "ZeroDivisionError: division by zero"


def test_news_can_be_waited_for(yard: Any) -> None:
    process = yard.start("")
    assert process.wait(60) is not None
    assert process.pid is not None


def test_a_stopped_bot_stands_still_and_can_be_continued(yard: Any, until: Any) -> None:
    process = yard.start(COUNT)
    until(yard.note.exists)
    process.stop()
    assert process.is_stopped
    until(lambda: psutil.Process(process.pid).status() == psutil.STATUS_STOPPED)
    before = yard.note.read_text()
    process.resume()
    assert not process.is_stopped
    until(lambda: yard.note.read_text() != before)


def test_a_stopped_bot_can_be_ended(yard: Any, until: Any, living: Any) -> None:
    process = yard.start(COUNT)
    until(yard.note.exists)
    process.stop()
    process.end()
    assert living(yard.token) == []
    ended = process.poll()
    assert ended is not None
    assert ended.reason == "ended by the arena"


def test_a_bot_that_ended_can_neither_be_stopped_nor_continued(yard: Any) -> None:
    process = yard.start("")
    assert process.wait(60) is not None
    process.stop()
    assert not process.is_stopped
    process.resume()


def test_it_may_say_goodbye_in_the_time_of_grace(yard: Any, until: Any) -> None:
    source = "import os, time\nopen(NOTE, 'w').close()\nwhile not os.path.exists(NOTE + '.bye'): time.sleep(0.01)\n"
    process = yard.start(source + "open(NOTE, 'w').write('bye\\n')")
    until(yard.note.exists)
    process.stop()
    Path(f"{yard.note}.bye").touch()
    process.end(60)
    assert yard.note.read_text() == "bye\n"
    assert process.poll().code == 0


def test_ending_twice_is_ending_once(yard: Any) -> None:
    process = yard.start(STAY)
    process.end()
    process.end()


def test_whose_process_is_known(yard: Any) -> None:
    source = "import subprocess\nchild = subprocess.Popen(['sleep', '1000'], start_new_session=True)\nsay(child.pid)\n"
    process = yard.start(SAY + source + STAY)
    child = int(yard.noted())
    assert process.owns(child)
    assert process.owns(process.processes()[0].pid)
    assert not process.owns(os.getpid())
    assert child in [each.pid for each in process.processes()]
    process.end()
    assert not process.owns(child)
    assert process.processes() == []


def test_the_token_is_on_no_command_line(yard: Any) -> None:
    yard.start(SAY + "say('here')\n" + STAY)
    yard.noted()
    supervisor = psutil.Process().children()
    lines = [" ".join(each.cmdline()) for child in supervisor for each in (child, *child.children())]
    assert any("bot.py" in line for line in lines)
    assert not any(yard.token in line for line in lines)
