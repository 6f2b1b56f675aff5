"""A stack that starts again has the ports that it had, as far as they are free."""

from __future__ import annotations

import socket
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
from stack.ports import KEPT, Ports, free_port


def test_a_second_start_has_the_ports_of_the_first(tmp_path: Path) -> None:
    first = Ports(postgres=30001, kafka=30002, spark=30003, airflow=30004, spark_ui=30005)
    first.keep(tmp_path / "home")
    assert Ports.of_before(tmp_path / "home") == first


def test_a_port_that_is_taken_or_named_is_another(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        before = Ports(postgres=taken.getsockname()[1], airflow=1)
        again = Ports(airflow=8080).or_again(before)
    assert asdict(again) == {"postgres": None, "kafka": None, "spark": None, "airflow": 8080, "spark_ui": None}


def test_a_port_that_is_free_again_is_taken_again() -> None:
    port = free_port()
    assert Ports().or_again(Ports(kafka=port)).kafka is None, "this process has reserved it"
    code = "import sys; from stack.stack import Ports; print(Ports().or_again(Ports(kafka=int(sys.argv[1]))).kafka)"
    with socket.create_server(("127.0.0.1", 0)) as server:
        gone = server.getsockname()[1]
    done = subprocess.run([sys.executable, "-c", code, str(gone)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(gone)


def test_a_port_that_is_wanted_for_one_server_is_not_anothers_again() -> None:
    assert Ports(kafka=8181).or_again(Ports(airflow=8181)) == Ports(kafka=8181)


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"ports": 1}', '{"kafka": 1, "more": 2}', '{"kafka": 65536}', '{"kafka": "9092"}']
)
def test_a_file_that_cannot_be_read_means_any_ports(tmp_path: Path, text: str) -> None:
    (tmp_path / KEPT).write_text(text)
    assert Ports.of_before(tmp_path) == Ports()
