"""bin/demo as people run it."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from kits import demo_webhooks
from kits.flights import wrong_flights
from stack import github_examples, machine, state
from stack.demo_check import PIPELINE
from stack.demo_run import shell
from stack.flights import FLIGHTS, PARTITIONS, Flights, partition_of, records, source_file
from stack.kafka import Kafka
from stack.ports import free_port
from stack.process import wait_until
from stack.settings import REPOSITORY
from stack.webhooks import PIPELINE as WEBHOOKS

STACK = pytest.mark.drawn(0.2, about="bin/stack/")


def test_the_line_for_another_shell_works_in_any_folder(tmp_path: Path) -> None:
    """It asks the servers that the file names, at which no server answers."""
    home = tmp_path / "some home"
    home.mkdir()
    port = free_port()
    known = {
        "KAFKA_DEFAULT": {"conn_type": "kafka", "extra": {"bootstrap.servers": f"127.0.0.1:{port}"}},
        "LAKELOCK_POSTGRES": {"conn_type": "postgres", "host": "127.0.0.1", "port": port, "schema": "l", "login": "l"},
    }
    exports = [f"export AIRFLOW_CONN_{name}={shlex.quote(json.dumps(fields))}\n" for name, fields in known.items()]
    (home / "connections.env").write_text("".join(exports))
    # bin/lakelock makes its environment again for another Python than the one that made it.
    environment = os.environ | {"LAKELOCK_PYTHON": str(Path(sys.executable).resolve())}
    done = subprocess.run(
        ["sh", "-c", shell(home / "connections.env")],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3, done.stdout + done.stderr
    assert str(port) in done.stderr


@STACK
def test_the_producer_sends_what_the_source_file_says_in_its_types() -> None:
    with zipfile.ZipFile(source_file()) as archive, archive.open("flights.csv") as raw:
        lines = list(csv.DictReader(io.TextIOWrapper(raw, encoding="utf-8")))
    sent = records()
    assert len(lines) == len(sent) == FLIGHTS
    texts = {"carrier", "tailnum", "origin", "dest", "time_hour"}
    for line, (carrier, value) in zip(lines[::97], sent[::97], strict=True):
        wanted = {k: None if v in {"", "NA"} else v if k in texts else int(v) for k, v in line.items()}
        assert json.loads(value) == wanted
        assert carrier == line["carrier"]


@STACK
def test_a_producer_that_was_cut_off_goes_on_without_sending_anything_twice(kafka: Kafka) -> None:
    # The README's test makes the topic `flights`, in another lane of the same broker.
    flights = Flights(kafka.bootstrap, "flights-cut-off")
    flights.create_topic()
    flights.create_topic()
    every = [(partition_of(c), c.encode(), b'{"n": %d}' % n) for n, (c, _) in enumerate(records()[:5000])]
    flights.__dict__["records"] = every[:3210]
    assert flights.fill(lambda done, total: None) == 3210
    flights.__dict__["records"] = every
    assert flights.fill(lambda done, total: None) == 5000 - 3210
    assert flights.fill(lambda done, total: None) == 0
    wanted = [sum(1 for p, _, _ in every if p == partition) for partition in range(PARTITIONS)]
    assert [end for _, (_, end) in sorted(flights.offsets().items())] == wanted


@pytest.fixture
def home(folder: Path) -> Path:
    """State of a demo of this test alone, with the jars that are here already."""
    state.make(folder)
    (folder / "jars").symlink_to(machine.home().resolve() / "jars")
    if github_examples.is_possible():
        (folder / "webhooks").symlink_to(github_examples.archive().resolve().parent)
    return folder


def processes_of(home: Path) -> list[str]:
    """Command lines of processes that work in *home* or were given something in it."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                where = str((entry / "cwd").readlink())
            except OSError:
                continue
            if str(home) in command or where.startswith(str(home)):
                found.append(command)
    return found


def _connection(home: Path, name: str) -> str:
    text = (home / "demo" / "connections.env").read_text()
    (line,) = [words for words in map(shlex.split, text.splitlines()) if words[1].startswith(f"AIRFLOW_CONN_{name}=")]
    return line[1].partition("=")[2]


def operated(home: Path, environment: dict[str, str], command: str) -> str:
    """A command beside the demo, on its servers."""
    line = f". {home}/demo/connections.env; exec {command}"
    done = subprocess.run(
        ["sh", "-c", line], cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@contextmanager
def running_demo(home: Path) -> Iterator[dict[str, str]]:
    """Once it has moved the flights; the environment of commands beside it. Ctrl-C ends it."""
    environment = os.environ | {"LAKELOCK_HOME": str(home)}
    output = home / "first.txt"
    with output.open("w") as out:
        demo = subprocess.Popen(
            [str(REPOSITORY / "bin" / "demo")], env=environment, stdout=out, stderr=out, start_new_session=True
        )
    address = re.compile(r"Airflow (http://\S+)")
    wait_until(lambda: bool(address.search(output.read_text())) or demo.poll() is not None, 600, "the demo's address")
    if found := address.search(output.read_text()):
        assert unhealthy(found[1]) == {}, "its home page is green from the first look on"
    wait_until(lambda: "Ctrl-C stops everything" in output.read_text() or demo.poll() is not None, 600, "the demo")
    assert demo.poll() is None, output.read_text()
    assert f"holds each of the {FLIGHTS:,} records exactly once" in output.read_text()
    try:
        yield environment | {"DEMO_OUTPUT": str(output)}
    finally:
        os.killpg(demo.pid, signal.SIGINT)
        code = demo.wait(20)
    assert code == 130
    print(output.read_text())
    assert "Traceback" not in output.read_text()
    assert processes_of(home) == []


@pytest.mark.on_spark
@pytest.mark.timeout(1800)
def test_the_demo_moves_every_flight_once_and_makes_a_table_for_each_event(home: Path) -> None:
    connections = home / "demo" / "connections.env"
    with running_demo(home) as environment:
        assert wrong_flights(connections) == []
        if github_examples.is_possible():
            with demo_webhooks.no_file_left():
                assert demo_webhooks.VERDICT in demo_webhooks.fed(environment, home / "webhooks.txt")
                demo_webhooks.assert_each_is_there_once(connections)
                assert ": complete" in operated(home, environment, f"bin/lakelock audit {WEBHOOKS}")


def unhealthy(url: str) -> dict[str, object]:
    """What the home page shows in red."""
    with urllib.request.urlopen(f"{url}/api/v2/monitor/health", timeout=30) as answer:
        parts = json.loads(answer.read())
    assert "triggerer" in parts
    return {name: part for name, part in parts.items() if part["status"] != "healthy"}


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_the_demo_starts_a_killed_server_again_and_ends_in_time_while_servers_hang(home: Path) -> None:
    with running_demo(home) as environment:
        output = Path(environment["DEMO_OUTPUT"])
        for act, server, name in (
            ("kill", "spark", "Spark"),
            ("kill", "kafka", "Kafka"),
            # Before Postgres, without which Airflow's parts end by themselves.
            ("kill", "airflow", "Airflow scheduler"),
            ("kill", "postgres", "Postgres"),
            ("restart", "kafka", "Kafka"),
        ):
            seen = len(output.read_text())
            done = subprocess.run(
                [str(REPOSITORY / "bin" / "demo"), act, server],
                env=environment, capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
            wait_until(lambda: f"{name} is up again" in output.read_text()[seen:], 300, f"{name} to be up again")  # noqa: B023
            if act == "kill":
                assert f"{name} was ended by SIGKILL; it is started again" in output.read_text()[seen:]
        # All that was killed goes on, and no flight is missing or twice.
        flights = Flights(json.loads(_connection(home, "KAFKA_DEFAULT"))["extra"]["bootstrap.servers"])
        ends = flights.end_offsets()
        wait_until(lambda: sum(flights.end_offsets().values()) > sum(ends.values()), 120, "the trickle to go on")
        assert wrong_flights(home / "demo" / "connections.env") == []
        assert ": complete" in operated(home, environment, f"bin/lakelock audit {PIPELINE}")
        for log in ("kafka/kafka", "spark/spark", "postgres/postgres"):
            pid = int((home / "demo" / f"{log}.pid").read_text().split()[0])
            os.kill(pid, signal.SIGSTOP)
    again = subprocess.run(
        [str(REPOSITORY / "bin" / "demo"), "--once"], env=environment, capture_output=True, text=True, check=False
    )
    assert again.returncode == 0, again.stdout + again.stderr
    assert processes_of(home) == []
    none = subprocess.run(
        [str(REPOSITORY / "bin" / "demo"), "kill", "kafka"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert none.returncode == 1
    assert "no demo with a running kafka" in none.stderr


def of_page(name: str, section: str) -> list[str]:
    """The shell blocks of a section of a page."""
    page = (REPOSITORY / "docs" / name).read_text(encoding="utf-8")
    section_text = page.partition(f"# {section}\n")[2].partition("\n## ")[0]
    return re.findall(r"^```sh\n(.*?)^```", section_text, re.DOTALL | re.MULTILINE)


def typed(home: Path, environment: dict[str, str], block: str) -> str:
    """A block of a page, typed beside the demo of *home*."""
    block = f". .lakelock/demo/connections.env\n{block}".replace(".lakelock/", f"{home}/")
    block = block.replace(".venv/bin/python", sys.executable)
    done = subprocess.run(
        ["sh", "-ec", block], cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def sent_and_counted(home: Path, environment: dict[str, str], producer: str) -> None:
    """A record that has no place in the table, until the audit names its field."""
    typed(home, environment, producer)
    (field,) = {"gate", "seat"} & set(re.findall(r"\w+", producer))
    audit = f"bin/lakelock audit {PIPELINE}"
    wait_until(lambda: f"'{field}'" in operated(home, environment, audit), 300, "the dead letter", 1)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_the_demo_comes_up_again_with_skipped_rows_and_an_open_dead_letter(home: Path) -> None:
    with running_demo(home) as environment:
        rollback, backfill = of_page("backfill.md", "Try it in the demo")
        # The backfill loads the rows of the first rollback; those of the second one stay out.
        for then in (backfill, ""):
            viewed = typed(home, environment, rollback)
            operated(home, environment, viewed.splitlines()[-1].strip())
            typed(home, environment, then)
        producer, by_cause = of_page("dead-letters.md", "Try it in the demo")
        (fix,) = of_page("dead-letters.md", "Turn them into rows")
        sent_and_counted(home, environment, producer)
        assert "unknown field" in typed(home, environment, by_cause)
        assert "1 of 1 dead letter became a row" in typed(home, environment, fix)
        sent_and_counted(home, environment, producer.replace('"gate"', '"seat"'))
        addresses = (home / "demo" / "connections.env").read_text()
    second = subprocess.run(
        [str(REPOSITORY / "bin" / "demo"), "--once"], env=environment, capture_output=True, text=True, check=False
    )
    print(second.stdout)
    assert second.returncode == 0, second.stdout + second.stderr
    assert second.stderr == ""
    assert "flights are in Kafka already" in second.stdout
    assert "that were left out on purpose" in second.stdout
    assert "1 open dead letter" in second.stdout
    assert (home / "demo" / "connections.env").read_text() == addresses, "shells that know them go on"
    assert processes_of(home) == []


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_lost_postgres_is_recovered_in_the_demo_as_the_page_says(home: Path) -> None:
    with running_demo(home) as environment:
        output = Path(environment["DEMO_OUTPUT"])
        lost, registered, recovered = of_page("recover.md", "Try it in the demo")
        before = operated(home, environment, f"bin/lakelock audit {PIPELINE}")
        assert ": complete" in before
        typed(home, environment, lost)
        wait_until(lambda: "Postgres is up again" in output.read_text(), 600, "Postgres and Airflow to be up again", 1)
        assert "Airflow starts with a new database" in output.read_text()
        found = re.search(r"Airflow (http://\S+)", output.read_text())
        assert found is not None
        wait_until(lambda: unhealthy(found[1]) == {}, 300, "Airflow's home page to be green", 1)
        typed(home, environment, registered)
        assert "takes over the table" in typed(home, environment, recovered)
        # The pipeline continues by itself, in the new Airflow.
        flights = Flights(json.loads(_connection(home, "KAFKA_DEFAULT"))["extra"]["bootstrap.servers"])
        sent = sum(flights.end_offsets().values())

        def continued() -> bool:
            answer = json.loads(operated(home, environment, f"bin/lakelock status {PIPELINE} --json"))
            return sum(int(s["committed"]) for s in answer["pipelines"][0]["sources"]) >= sent

        wait_until(continued, 600, "the flights that were produced since", 2)
        assert ": complete" in operated(home, environment, f"bin/lakelock audit {PIPELINE}")
        assert wrong_flights(home / "demo" / "connections.env") == []


@STACK
@pytest.mark.timeout(300)
def test_a_demo_that_is_stopped_while_it_starts_leaves_nothing(home: Path) -> None:
    demo = subprocess.Popen(
        [str(REPOSITORY / "bin" / "demo")],
        env=os.environ | {"LAKELOCK_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    wait_until((home / "demo" / "postgres" / "postgres.pid").exists, 120, "the first server")
    demo.send_signal(signal.SIGTERM)
    output, _ = demo.communicate(timeout=120)
    assert demo.returncode == 130, output
    assert "Traceback" not in output
    assert processes_of(home) == []
