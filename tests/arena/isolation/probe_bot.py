"""A program that tries what a hostile bot would try, and prints how each attempt ended: `done`, or the error's name."""

# ruff: noqa: PTH120, PTH110, PTH123, PTH208, SIM115
import contextlib
import ctypes
import errno
import json
import mmap
import os
import re
import resource
import signal
import socket

GIVEN = json.loads(open("given.json").read())
VICTIM = GIVEN["victim"]
libc = ctypes.CDLL(None, use_errno=True)


def call(number, *arguments):
    """Make a system call by its number."""
    result = libc.syscall(number, *(ctypes.c_long(each) if isinstance(each, int) else each for each in arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), "failed")
    return result


def own_endpoint():
    socket.socket(socket.AF_UNIX).connect(os.environ["ARENA_ENDPOINT"].removeprefix("ipc://"))


def own_home():
    for name in ("HOME", "TMPDIR"):
        with open(os.environ[name] + "/file", "w") as file:
            file.write("x" * 1000)


def own_copy():
    open("probe_bot.py", "a").close()


def read_secret():
    open(GIVEN["secret"]).read()


def list_folder():
    os.listdir(os.path.dirname(GIVEN["secret"]))


def write_outside():
    open(GIVEN["secret"] + ".new", "w").close()


def change_rights():
    os.chmod(GIVEN["secret"], 0o600)  # noqa: PTH101


def shared_memory():
    with open("/dev/shm/" + GIVEN["mark"], "w") as file:
        file.write("for my partner")


def signal_victim():
    os.kill(VICTIM, signal.SIGCONT)


def victims_environment():
    assert b"HUSH" in open(f"/proc/{VICTIM}/environ", "rb").read()


def victims_memory():
    open(f"/proc/{VICTIM}/mem", "rb").close()


def victims_socket():
    call(438, os.pidfd_open(VICTIM), 0, 0)


def victims_limits():
    resource.prlimit(VICTIM, resource.RLIMIT_CORE, (0, 0))


def victims_priority():
    os.setpriority(os.PRIO_PROCESS, VICTIM, 19)


def read_memory_of_another():
    call(GIVEN["process_vm_readv"], VICTIM, None, 0, None, 0, 0)


def trace_a_child():
    child = os.fork()
    if not child:
        os.kill(os.getpid(), signal.SIGSTOP)
        os._exit(0)
    os.waitpid(child, os.WUNTRACED)
    try:
        call(GIVEN["ptrace"], 16, child, 0, 0)  # PTRACE_ATTACH
    finally:
        os.kill(child, signal.SIGKILL)


def new_session():
    child = os.fork()
    if not child:
        try:
            os.setsid()
        except OSError as error:
            os._exit(error.errno)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code:
        raise OSError(code, "failed")


def new_group():
    os.setpgid(0, 0)


def anonymous_file():
    os.memfd_create("hidden")


def memory_for_children():
    mmap.mmap(-1, 1 << 20).close()


def much_memory_for_children():
    mmap.mmap(-1, (1 << 20) + 1).close()


def very_much_memory_for_children():
    mmap.mmap(-1, 1 << 32).close()


def memory_of_a_device():
    mmap.mmap(os.open("/dev/zero", os.O_RDONLY), 4096, prot=mmap.PROT_READ).close()


def ring():
    call(425, 4, ctypes.create_string_buffer(256))


def key():
    call(GIVEN["keyctl"], 0, -1, 0)


def new_namespace():
    child = os.fork()
    if not child:
        os._exit(0 if libc.unshare(0x10000000) == 0 else ctypes.get_errno())
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code:
        raise OSError(code, "failed")


def tcp():
    socket.create_connection(("127.0.0.1", GIVEN["tcp"]), 5).close()


def udp():
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"hello", ("127.0.0.1", GIVEN["tcp"]))
    socket.create_connection(("127.0.0.1", GIVEN["tcp"]), 5).close()


def abstract_socket():
    socket.socket(socket.AF_UNIX).connect("\0" + GIVEN["mark"])


def others_endpoint():
    socket.socket(socket.AF_UNIX).connect(GIVEN["others"])


def machine_socket():
    socket.socket(40, socket.SOCK_STREAM)  # AF_VSOCK


def fill_the_disk():
    try:
        for number in range(GIVEN["disk_mb"] + 8):
            with open(f"{os.environ['TMPDIR']}/{number}", "wb") as file:
                file.write(bytes(1 << 20))
    finally:
        for number in range(GIVEN["disk_mb"] + 8):
            with contextlib.suppress(OSError):
                os.unlink(f"{os.environ['TMPDIR']}/{number}")  # noqa: PTH108


def leftover_of_the_last_start():
    assert os.path.exists("/tmp/" + GIVEN["mark"]) is False
    open("/tmp/" + GIVEN["mark"], "w").close()


def other_software():
    os.listdir("/opt")


def how_the_machine_was_started():
    with open("/proc/cmdline") as file:
        if not file.read():
            raise OSError(errno.ENODATA, "nothing")


def machines_counters():
    """Whether it shows when others work: in the numbers of what is done, for all cores together."""
    seen = []
    for name in ("stat", "interrupts", "softirqs", "schedstat", "uptime", "loadavg", "pressure/cpu", "vmstat"):
        with contextlib.suppress(FileNotFoundError), open(f"/proc/{name}") as file:
            text = re.sub("^[a-z_]+[0-9]*", "", file.read(), flags=re.MULTILINE)
            seen += [name] if re.search("[1-9]", text) else []
    if not seen:
        raise OSError(errno.ENODATA, "nothing")


def secrets_in_the_environment():
    assert "SECRET" in os.environ


ATTEMPTS = [
    *(
        own_endpoint,
        own_home,
        own_copy,
        read_secret,
        list_folder,
        write_outside,
        change_rights,
        shared_memory,
        signal_victim,
    ),
    *(victims_environment, victims_memory, victims_socket, victims_limits, victims_priority, read_memory_of_another),
    *(trace_a_child, new_session, new_group, anonymous_file, ring, key, new_namespace, tcp, udp, abstract_socket),
    *(memory_for_children, much_memory_for_children, very_much_memory_for_children, memory_of_a_device),
    *(
        others_endpoint,
        machine_socket,
        fill_the_disk,
        leftover_of_the_last_start,
        secrets_in_the_environment,
        machines_counters,
        other_software,
        how_the_machine_was_started,
    ),
]


def outcome(attempt):
    try:
        attempt()
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error))
    except Exception as error:
        return type(error).__name__
    return "done"


for each in ATTEMPTS:
    print(each.__name__, outcome(each))
