"""One lasting Spark Connect session for all pipelines of an installation, with tagged jobs.

On the server each session has a `pyspark.daemon` and Python workers of its own, which remain after it is released.
Keeping a session costs nothing, and allows an attempt to stop jobs of a killed predecessor (a Connect server continues
a job whose client is dead). A session is therefore never released; only its channel is closed.
"""

from __future__ import annotations

import contextlib
import json
import logging
import sys
import tempfile
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lakelock.adapters.spark.errors import is_session_gone, translated
from lakelock.adapters.spark.package_zip import package_zip
from lakelock.errors import ConnectionFault, State, Unreachable

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

logger = logging.getLogger(__name__)

_NAMESPACE = uuid.UUID("2b0c4c2e-53b5-5f0e-9c55-1a9d6f3d7a51")
_USER = "lakelock"
_SHIPPED = "lakelock.package"
# A server remembers only its newest thousand closed sessions.
_MAX_SUCCESSORS = 1000
# Retries of one request, after 0.05, 0.2, 0.8 and 2 seconds, for a network that blinks. A job does not survive its
# server, so waiting for a restart would only cost time, and closing the client would wait as long again.
_RETRIES = {"max_retries": 4, "initial_backoff": 50, "backoff_multiplier": 4.0, "max_backoff": 2000, "jitter": 100}
_CHANNEL_OPTIONS = [
    # Detects a server whose machine vanished; servers refuse pings more often than every five minutes.
    ("grpc.keepalive_time_ms", 330_000),
    ("grpc.keepalive_timeout_ms", 20_000),
]


def session_id(installation: str, package: str, conf: Mapping[str, str], successor: int = 0) -> str:
    """The session's UUIDv5.

    It depends on *package*, because a session's workers keep the modules that they imported first, so that another
    release needs a session of its own; likewise for other settings. A server never reopens a closed id (sessions close
    after an hour without use by default, or by hand), so *successor* counts its replacements.
    """
    settings = json.dumps(sorted(conf.items()))
    return str(uuid.uuid5(_NAMESPACE, "\0".join((installation, package, settings, str(successor)))))


class Tags(NamedTuple):
    """Tags of a client's jobs, besides that of their attempt."""

    pipeline: str
    client: str


def tags_of(session: SparkSession) -> Tags | None:
    """Tags of the session; None for a driver's own session."""
    tags: Tags | None = vars(session).get("lakelock_tags")
    return tags


def attempt_tag(session: SparkSession, attempt: str) -> str | None:
    """Tag of jobs that write a batch; None for a driver's own session, which begins and ends with its attempt."""
    tags = tags_of(session)
    return None if tags is None else f"{tags.pipeline}/{attempt}"


def pipeline_tag(pipeline: str) -> str:
    return f"lakelock/{pipeline}"


@contextmanager
def open_connect(
    remote: str,
    pipeline: str,
    lane: str,
    *,
    installation: str = "",
    conf: Mapping[str, str] | None = None,
    timeout_s: float = 8.0,
) -> Iterator[SparkSession]:
    """The session on the server *remote* (`sc://host:port/;…`) for jobs of *lane*, with this package for its workers.

    *conf* are session settings; settings that Spark accepts only at server start raise ConnectionFault. Opening affects
    no running job.
    """
    package, settings = package_zip(), dict(conf or {})
    session = _open(remote, installation, package, settings, timeout_s)
    of_all = pipeline_tag(pipeline)
    vars(session)["lakelock_tags"] = Tags(of_all, f"{of_all}/{lane}/{uuid.uuid4()}")
    try:
        for key, value in settings.items():
            _set(session, key, value)
        yield session
    finally:
        _close(session)


def session_page(ui_url: str, session: SparkSession) -> str:
    """Address of the session's jobs in the UI of a Connect server."""
    return f"{ui_url}/connect/session/?id={session.session_id}"


def _open(remote: str, installation: str, package: Path, conf: Mapping[str, str], timeout_s: float) -> SparkSession:
    for successor in range(_MAX_SUCCESSORS):
        session, server = _connected(remote, session_id(installation, package.name, conf, successor), timeout_s)
        try:
            _ship(session, package)
        except Exception as error:
            _close(session)
            if is_session_gone(error):
                continue
            raise translated(error, server) from error
        if successor:
            logger.info("Spark session: successor %d, the earlier ones are closed", successor)
        return session
    raise Unreachable(
        f"Spark at {server} holds {_MAX_SUCCESSORS} closed sessions of this installation.",
        State.NOTHING_WRITTEN,
        "Restart the Spark Connect server.",
    )


def _connected(remote: str, identity: str, timeout_s: float) -> tuple[SparkSession, str]:
    import grpc  # type: ignore[import-untyped]
    from pyspark.errors import PySparkException
    from pyspark.sql.connect.client import DefaultChannelBuilder
    from pyspark.sql.connect.client.retries import DefaultPolicy
    from pyspark.sql.connect.session import SparkSession as ConnectSession

    class Session(ConnectSession):  # type: ignore[misc]
        def __del__(self) -> None:
            """Do nothing: `_close` has done it.

            PySpark's own takes the lock of a thread pool that all sessions of the process share. The garbage collector
            may run it in the middle of another session's request, in the thread that holds that lock: it would then
            wait forever.
            """

    class Builder(DefaultChannelBuilder):  # type: ignore[misc]
        channel: Any = None

        def toChannel(self) -> Any:
            self.channel = super().toChannel()
            return self.channel

    try:
        builder = Builder(remote, _CHANNEL_OPTIONS)
    except PySparkException as error:
        raise ConnectionFault(
            f"The Spark connection's address is not one of Spark Connect: {error}.",
            State.NOTHING_WRITTEN,
            "Write sc://host:port.",
        ) from error
    builder.set(DefaultChannelBuilder.PARAM_SESSION_ID, identity)
    if builder.userId is None:
        builder.set(DefaultChannelBuilder.PARAM_USER_ID, _USER)
    server = builder.endpoint
    session = Session(builder)
    try:
        grpc.channel_ready_future(builder.channel).result(timeout=timeout_s)
    except grpc.FutureTimeoutError as error:
        _close(session)
        raise Unreachable(
            f"Spark Connect at {server} did not answer within {timeout_s:g} s.",
            State.NOTHING_WRITTEN,
            "Check that the server runs and that the Spark connection's host and port are right.",
        ) from error
    session.client.set_retry_policies([DefaultPolicy(**_RETRIES)])
    return session, server


def _ship(session: SparkSession, package: Path) -> None:
    """Send the package unless the session has it. As the session's first request this also detects a closed one.

    After a server restart several clients may send it at once, each under a name of its own: for a name that the
    session already has, the server answers before the file is on its workers' path.
    """
    if session.conf.get(_SHIPPED, None) == package.name:
        return
    with tempfile.TemporaryDirectory(prefix="lakelock-") as folder:
        own = Path(folder) / f"{package.stem}-{uuid.uuid4()}{package.suffix}"
        own.symlink_to(package)
        try:
            session.addArtifacts(str(own), pyfile=True)
        finally:
            # The client adds the zip to its own path, where it could shadow modules later.
            with contextlib.suppress(ValueError):
                sys.path.remove(str(own))
    session.conf.set(_SHIPPED, package.name)


def _set(session: SparkSession, key: str, value: str) -> None:
    from pyspark.errors import AnalysisException

    try:
        session.conf.set(key, value)
    except AnalysisException as error:
        raise ConnectionFault(
            f"Spark does not take {key} from a session: {translated(error).what}",
            State.NOTHING_WRITTEN,
            "Set it when the server starts instead of in the extra of the Spark connection.",
        ) from error
    except Exception as error:
        raise translated(error) from error


def _close(session: SparkSession) -> None:
    with contextlib.suppress(Exception):
        session.client.close()
