"""Iceberg's own REST catalog server, with its tables kept in a Postgres database and its warehouse on files."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from stack.ports import free_port
from stack.process import Server
from stack.settings import POSTGRES_USER
from stack.spark import spark_home

# The name by which the server keeps its tables; Spark's `jdbc` catalog of this name sees the same ones.
NAME = "rest"


class RestCatalogServer:
    """What `org.apache.iceberg.rest` calls its test fixture: the reference implementation, commit checks included."""

    def __init__(self, home: Path, java: str, jars: Path, jdbc_uri: str, driver: Path, warehouse: str) -> None:
        self.home = home
        self.port = free_port()
        self._java, self._jars, self._jdbc_uri, self._driver = java, jars, jdbc_uri, driver
        self._warehouse = warehouse
        self._server = Server("REST catalog", home / "rest.log")

    @property
    def pid(self) -> int:
        return self._server.pid

    @property
    def uri(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.home.mkdir(parents=True, exist_ok=True)
        # Its own jars first: Spark's package has older ones of the same names.
        path = [f"{self._jars}/*", str(self._driver), str(spark_home() / "jars" / "*")]
        # Every CATALOG_X_Y__Z is the server's property x.y-z.
        settings = {
            "CATALOG_REST_PORT": str(self.port),
            "CATALOG_CATALOG_NAME": NAME,
            "CATALOG_URI": self._jdbc_uri,
            "CATALOG_JDBC_USER": POSTGRES_USER,
            "CATALOG_JDBC_SCHEMA__VERSION": "V1",
            "CATALOG_WAREHOUSE": self._warehouse,
        }
        self._server.launch(
            [self._java, "-cp", os.pathsep.join(path), "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
             "org.apache.iceberg.rest.RESTCatalogServer"],
            env={"PATH": os.environ["PATH"], **settings}, ready=self._answers, timeout_s=60, cwd=self.home,
        )  # fmt: skip

    def stop(self) -> None:
        self._server.stop()

    def kill(self) -> None:
        self._server.kill()

    def _answers(self) -> bool:
        try:
            with urlopen(f"{self.uri}/v1/config", timeout=5) as answer:
                return bool(answer.status == 200)
        except (URLError, OSError):
            return False
