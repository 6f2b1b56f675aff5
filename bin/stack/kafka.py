"""One Kafka node in KRaft mode, from the jars alone."""

from __future__ import annotations

import os
import uuid
from base64 import urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path

from stack.machine import cause
from stack.ports import free_port
from stack.process import STOP_TIMEOUT_S, Server, StackError
from stack.settings import KAFKA_SETTINGS


class Kafka:
    """Broker and controller in one process; a second start finds its topics."""

    def __init__(self, home: Path, java: str, jars: Path, port: int | None = None, **settings: str) -> None:
        self.home = home
        self.port = port or free_port()
        self._controller_port = free_port()
        self._java = java
        self._jars = jars
        self._settings = settings
        self._server = Server("Kafka", home / "kafka.log")

    @property
    def alive(self) -> bool:
        return self._server.alive

    @property
    def pid(self) -> int:
        return self._server.pid

    @property
    def servers(self) -> dict[Server, Callable[[], None]]:
        """Each server with the call that starts it again."""
        return {self._server: self.start}

    @property
    def bootstrap(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        self.home.mkdir(parents=True, exist_ok=True)
        config = self.home / "server.properties"
        listeners = f"PLAINTEXT://127.0.0.1:{self.port},CONTROLLER://127.0.0.1:{self._controller_port}"
        settings = {
            **KAFKA_SETTINGS,
            "listeners": listeners,
            "advertised.listeners": f"PLAINTEXT://{self.bootstrap}",
            "controller.quorum.bootstrap.servers": f"127.0.0.1:{self._controller_port}",
            "log.dirs": str(self.home / "log"),
            **self._settings,
        }
        config.write_text("".join(f"{k}={v}\n" for k, v in settings.items()))
        if not (self.home / "log" / "meta.properties").exists():
            self._format(config)
        self._server.launch(
            [self._java, "-cp", f"{self._jars}/*", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
             f"-Dkafka.logs.dir={self.home}", "kafka.Kafka", str(config)],
            env={"PATH": os.environ["PATH"]}, ready=self.answers, timeout_s=180, cwd=self.home,
        )  # fmt: skip

    def stop(self, timeout_s: float = STOP_TIMEOUT_S) -> None:
        self._server.stop(timeout_s=timeout_s)

    def kill(self) -> None:
        self._server.kill()

    def _format(self, config: Path) -> None:
        cluster_id = urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        # Kafka takes an id that begins with a dash for an option.
        fault = self._server.prepare(
            [self._java, "-cp", f"{self._jars}/*", "-XX:TieredStopAtLevel=1", "kafka.tools.StorageTool", "format",
             "--standalone", "-t", "A" + cluster_id[1:], "-c", str(config)],
            env={"PATH": os.environ["PATH"]}, cwd=self.home,
        )  # fmt: skip
        if fault is not None:
            raise StackError(f"Kafka's storage in {self.home} could not be formatted: {cause(fault)}")

    def answers(self) -> bool:
        from confluent_kafka import KafkaException
        from confluent_kafka.admin import AdminClient

        admin = AdminClient({"bootstrap.servers": self.bootstrap, "log_level": 0, "socket.timeout.ms": 2000})
        try:
            return bool(admin.list_topics(timeout=1).brokers)
        except KafkaException:
            return False
