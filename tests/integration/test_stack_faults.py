"""A set-up names what the machine lacks, in one line, and nothing starts."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from stack import bootstrap, jars, machine, state
from stack.kafka import Kafka
from stack.ports import require_free
from stack.process import Server, StackError, wait_until
from stack.settings import REPOSITORY
from stack.spark import SparkConnect

pytestmark = pytest.mark.drawn(0.2, about="bin/stack/")


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    """What went to standard error, which must be one line of ours."""
    assert done.returncode == 1, done.stdout + done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("lakelock: ")
    return lines[0]


def start(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(REPOSITORY / command[0]), *command[1:]],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def without_java(tmp_path: Path) -> dict[str, str]:
    """An environment with a shell, this Python, and no Java."""
    for tool in ("sh", "dirname", "env"):
        (tmp_path / tool).symlink_to(Path("/usr/bin") / tool)
    (tmp_path / "python3").symlink_to(sys.executable)
    return {"PATH": str(tmp_path), "JAVA_HOME": "", "LAKELOCK_JVM_FOLDER": str(tmp_path / "none")}


def test_without_java_the_demo_names_the_package_to_install(without_java: dict[str, str], tmp_path: Path) -> None:
    reported = one_line(start("bin/demo", "--once", LAKELOCK_HOME=str(tmp_path / "home"), **without_java))
    assert "Java 17 or newer is needed" in reported
    assert "openjdk-17-jre-headless" in reported


def test_an_old_java_is_named_with_its_version(without_java: dict[str, str], tmp_path: Path) -> None:
    old = tmp_path / "java"
    old.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019-01-15' >&2\n")
    old.chmod(0o755)
    reported = one_line(start("bin/demo", "--once", LAKELOCK_HOME=str(tmp_path / "home"), **without_java))
    assert f"{old} is version 11" in reported


def test_an_old_python_ends_with_what_is_needed(tmp_path: Path) -> None:
    for name in ("python3", "python3.14", "python3.13", "python3.12", "python3.11"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    for tool in ("sh", "dirname"):
        (tmp_path / tool).symlink_to(Path("/usr/bin") / tool)
    reported = one_line(start("bin/demo", PATH=str(tmp_path), LAKELOCK_PYTHON=str(tmp_path / "python3")))
    assert "Python 3.11 or newer is needed" in reported


@pytest.mark.skipif(os.geteuid() != 0, reason="only as root Postgres runs as another user")
def test_a_state_folder_that_postgres_cannot_enter_is_named_before_anything_starts(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    tmp_path.chmod(0o755)
    reported = one_line(start("bin/demo", "--once", LAKELOCK_HOME=str(closed / "home")))
    assert "who may not enter" in reported
    assert reported.endswith("or name a state folder that all users may enter in LAKELOCK_HOME.")
    assert closed.stat().st_mode & 0o777 == 0o700
    assert list(closed.iterdir()) == []


@pytest.mark.parametrize("server", ["postgres", "kafka", "spark", "airflow"])
def test_a_busy_port_is_named_with_its_server(server: str) -> None:
    from stack.ports import Ports

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(StackError, match=f"(?i)port {port} for {server} is in use"):
            Ports(**{server: port}).require_free()


def test_a_free_port_is_taken_as_it_is() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    assert require_free(port, "Kafka") == port


@pytest.mark.long
def test_spark_on_a_port_that_somebody_took_since_ends_and_says_so(folder: Path, java: str) -> None:
    server = SparkConnect(folder / "spark", machine.java_home(java), jars.folder("spark"), {})
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", server.port))
        taken.listen()
        with pytest.raises(StackError, match=r"Spark ended by itself: .*Failed to bind to address"):
            server.start()
    assert not server.alive


def test_spark_takes_no_port_but_its_own(folder: Path, java: str) -> None:
    server = SparkConnect(folder / "spark", machine.java_home(java), jars.folder("spark"), {})
    # The first that its UI would take; where another has it already, that will do.
    with socket.socket() as taken:
        with suppress(OSError):
            taken.bind(("127.0.0.1", 4040))
            taken.listen()
        try:
            server.start()
            assert server.alive
        finally:
            server.stop()


def test_two_demos_do_not_share_a_folder(tmp_path: Path) -> None:
    state.make(tmp_path)
    with (
        state.held(tmp_path),
        pytest.raises(state.StateFault, match=rf"already running .*process {os.getpid()}"),
        state.held(tmp_path),
    ):
        pass


def test_clean_removes_what_was_made_and_refuses_while_a_demo_runs(tmp_path: Path) -> None:
    home = tmp_path / "home"
    state.make(home)
    (home / "demo").mkdir()
    with state.held(home):
        assert "already running" in one_line(start("bin/demo", "--clean", LAKELOCK_HOME=str(home)))
        assert (home / "demo").exists()
    assert start("bin/demo", "--clean", LAKELOCK_HOME=str(home)).returncode == 0
    assert not home.exists()
    assert start("bin/demo", "--clean", LAKELOCK_HOME=str(home)).returncode == 0, "nothing to remove is no fault"


def test_clean_never_removes_a_folder_that_is_not_ours(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    state.make(tmp_path)
    assert "was not made by lakelock" in one_line(start("bin/demo", "--clean", LAKELOCK_HOME=str(tmp_path)))
    assert (tmp_path / "thesis.tex").exists()


def test_a_full_disk_is_reported_before_anything_starts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LAKELOCK_HOME", str(tmp_path))
    monkeypatch.setattr(bootstrap, "LATER_RUN_BYTES", 1 << 60)
    with pytest.raises(machine.SetupFault, match=r"disk of .* is full"):
        bootstrap.prepare(lambda what, seconds: None)


@pytest.mark.parametrize(
    ("output", "reported"),
    [
        (
            "error: Failed to fetch: `https://example.org/simple/uv/`\n  dns error: failed to lookup",
            "cannot be reached",
        ),
        (":: org.example#x;1: java.net.UnknownHostException: repo1.maven.org", "cannot be reached"),
        ("error: failed to write: No space left on device (os error 28)", "the disk is full"),
        ("Resolved 1\nerror: the lock asks for x==9\nhint: no", "error: the lock asks for x==9"),
        ("", "it failed"),
    ],
)
def test_a_tools_output_becomes_one_line(output: str, reported: str) -> None:
    assert reported in machine.cause(output)


def test_without_network_the_jars_say_so(java: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Ivy uses a proxy at which no server listens, as on a machine behind a wall."""
    monkeypatch.setenv("LAKELOCK_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv(
        "JAVA_TOOL_OPTIONS",
        "-Dhttp.proxyHost=127.0.0.1 -Dhttp.proxyPort=9 -Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=9",
    )
    monkeypatch.delenv("LAKELOCK_IVY_SETTINGS", raising=False)
    with pytest.raises(machine.SetupFault, match="cannot be reached"):
        jars.ensure(java, lambda what, seconds: None)
    assert not (tmp_path / "jars" / "kafka" / ".complete").exists()


def test_a_server_that_ends_at_once_is_named_with_its_last_words(tmp_path: Path) -> None:
    server = Server("Teapot", tmp_path / "teapot.log")
    with pytest.raises(StackError) as fault:
        server.launch(
            ["/bin/sh", "-c", "echo hello; echo 'FATAL: no water'; exit 3"], env={}, ready=lambda: False, timeout_s=10
        )
    assert str(fault.value) == f"Teapot ended by itself: FATAL: no water (log: {tmp_path / 'teapot.log'})"


def test_a_killed_server_takes_its_descendants_along(tmp_path: Path) -> None:
    """Also those that made a process group of their own, as Spark's Python workers do."""
    marker = tmp_path / "child"
    server = Server("Parent", tmp_path / "parent.log")
    program = (
        "import os, sys, time\nif os.fork() == 0:\n os.setpgid(0, 0)\n"
        " open(sys.argv[1], 'w').write(str(os.getpid()))\ntime.sleep(60)"
    )
    server.launch([sys.executable, "-c", program, str(marker)], env={}, ready=marker.exists, timeout_s=20)
    wait_until(lambda: bool(marker.read_text()), 120, "the child's number")
    child = Path("/proc") / marker.read_text()
    assert child.exists()
    server.kill()
    wait_until(lambda: not child.exists() or " Z " in (child / "stat").read_text(), 120, "the child to be gone")


def test_a_server_left_by_a_killed_starter_is_ended_by_the_next_start(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from stack.process import Server\n"
        "s = Server('Old', Path(sys.argv[1])); s.launch(['sleep', '60'], env={'PATH': '/usr/bin:/bin'},\n"
        " ready=lambda: True, timeout_s=5); print(s.pid, flush=True); import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    )
    log = tmp_path / "old.log"
    started = subprocess.run(
        [sys.executable, "-c", program, str(log)],
        env=os.environ | {"PYTHONPATH": str(REPOSITORY / "bin")},
        capture_output=True,
        text=True,
        check=False,
    )
    left = Path("/proc") / started.stdout.strip()
    # A process that starts a program may run on before the kernel shows its arguments.
    wait_until(lambda: "sleep" in (left / "cmdline").read_text(), 120, "the server to run without its starter")
    again = Server("Old", log)
    again.launch(["sleep", "60"], env={"PATH": "/usr/bin:/bin"}, ready=lambda: True, timeout_s=5)
    try:
        wait_until(lambda: not left.exists() or " Z " in (left / "stat").read_text(), 120, "the old one to be gone")
    finally:
        again.stop()


def test_kafka_on_a_full_disk_says_so(java: str, tmp_path: Path) -> None:
    """A tiny file system; needs the right to mount one."""
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", str(small)], check=False).returncode:
        pytest.skip("this user may not mount a file system")
    try:
        kafka = Kafka(small / "kafka", java, jars.folder("kafka"))
        try:
            with pytest.raises((StackError, OSError), match=r"disk of .* is full|No space left"):
                kafka.start()
        finally:
            kafka.stop()
    finally:
        subprocess.run(["umount", str(small)], check=False)
