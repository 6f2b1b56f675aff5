"""Jars of Kafka, Spark, a REST catalog and lakelock's peers, fetched once by Ivy. Standard library only."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from stack import download_sizes, jar_cache, machine, settings, ticker

# By an Ivy file of their artifacts. Only tests and benchmarks use them.
LISTED = {
    "rest": settings.REST_ARTIFACTS,
    "connect": settings.CONNECT_ARTIFACTS,
    "sink": settings.SINK_ARTIFACTS,
    "streaming": settings.STREAMING_ARTIFACTS,
}
ARTIFACTS: dict[str, object] = {
    "kafka": settings.KAFKA_ARTIFACT,
    "spark": (settings.ICEBERG_SPARK_ARTIFACT, settings.POSTGRES_JDBC_ARTIFACT),
    **LISTED,
}
# Only for the progress bar.
JARS = {
    "kafka": 45,
    "spark": 2,
    "connect": 56,
    "sink": 44,
    **{name: len(LISTED[name]) for name in ("rest", "streaming")},
}
WITH_DEPENDENCIES = {"connect", "sink"}


def folder(name: str) -> Path:
    return machine.home() / "jars" / name


def ensure(executable: str, say: Callable[[str, float], None], names: Sequence[str] = ("kafka", "spark")) -> None:
    """Fetch the jars of *names*, once and concurrently."""
    todo = [name for name in names if not (folder(name) / ".complete").exists()]
    for name in [name for name in todo if jar_cache.restore(ARTIFACTS[name], folder(name))]:
        (folder(name) / ".complete").touch()
        todo.remove(name)

    def fetch(name: str) -> None:
        began = time.monotonic()
        for what, wanted in _wanted(name):
            _ivy(executable, what, [*wanted, *_retrieved(name)], name)
        shutil.rmtree(folder(name) / ".ivy", ignore_errors=True)
        jar_cache.keep(ARTIFACTS[name], folder(name))
        (folder(name) / ".complete").touch()
        say(f"jars for {name.capitalize()}", time.monotonic() - began)

    if not todo:
        return
    machine.report(f"fetching the jars for {' and '.join(name.capitalize() for name in todo)}; this is done once.")
    with ThreadPoolExecutor() as pool:
        sizes = list(pool.map(lambda name: _jar_bytes(executable, name), todo))
    sized = [name.capitalize() + download_sizes.in_words(size) for name, size in zip(todo, sizes, strict=True)]
    machine.report(f"downloading the jars for {' and '.join(sized)}.")
    expected = sum(JARS[name] for name in todo)
    with ticker.shown("jars", lambda: sum(_count(name) for name in todo), expected), ThreadPoolExecutor() as pool:
        for done in [pool.submit(fetch, name) for name in todo]:
            done.result()


def _count(name: str) -> int:
    """Number of jars that are fetched, or in Ivy's cache on their way."""
    return min(JARS[name], sum(1 for _ in folder(name).rglob("*.jar")))


def _wanted(name: str) -> list[tuple[str, list[str]]]:
    """Ivy's runs: the name of each, and its options."""
    if name == "kafka":
        return [(settings.KAFKA_ARTIFACT[1], ["-dependency", *settings.KAFKA_ARTIFACT])]
    if name == "spark":
        alone = ["-notransitive"]
        artifacts = (settings.ICEBERG_SPARK_ARTIFACT, settings.POSTGRES_JDBC_ARTIFACT)
        return [(a[1], ["-dependency", *a, *alone]) for a in artifacts]
    return [(name, ["-ivy", str(_ivy_file(LISTED[name], folder(name), name in WITH_DEPENDENCIES))])]


def _ivy_file(artifacts: Sequence[tuple[str, str, str, str]], folder: Path, dependencies: bool) -> Path:
    """An Ivy file for jars with classifiers, which Ivy only takes from a file, with or without their *dependencies*."""
    modules: dict[tuple[str, str, str], str] = {}
    for group, name, version, classifier in artifacts:
        attribute = f' m:classifier="{classifier}"' if classifier else ""
        key = (group, name, version)
        modules[key] = modules.get(key, "") + f'<artifact name="{name}" type="jar" ext="jar"{attribute}/>'
    transitive = str(dependencies).lower()
    listed = "".join(
        f'<dependency org="{g}" name="{n}" rev="{v}" transitive="{transitive}" conf="*->default">{files}</dependency>'
        for (g, n, v), files in modules.items()
    )
    folder.mkdir(parents=True, exist_ok=True)
    wanted = folder / "ivy.xml"
    wanted.write_text(
        '<ivy-module version="2.0" xmlns:m="http://ant.apache.org/ivy/maven"><info organisation="lakelock" '
        f'module="{folder.name}"/><dependencies>{listed}</dependencies></ivy-module>'
    )
    return wanted


def _retrieved(name: str) -> list[str]:
    # Spark's artifacts include sources and documentation.
    types = ["-types", "jar"] if name == "spark" else []
    return [*types, "-retrieve", f"{folder(name)}/[artifact]-[revision](-[classifier]).[ext]"]


def _jar_bytes(executable: str, name: str) -> int | None:
    """Total size, from the server on which Ivy found the descriptors; Ivy caches these."""
    if name in LISTED:
        # The report does not say to which classifier a size belongs.
        return None
    addresses = []
    for what, wanted in _wanted(name):
        # No artifact has this type.
        _ivy(executable, what, [*wanted, "-types", "none"], name)
        for report in _ivy_cache(name, what).glob("*-caller-default.xml"):
            addresses += download_sizes.jars_of(report)
    return download_sizes.of_addresses(addresses)


def _ivy_cache(name: str, what: str) -> Path:
    """A cache per run: two Ivy processes in one cache hinder each other."""
    return folder(name) / ".ivy" / what


def _ivy(executable: str, what: str, options: Sequence[str], name: str) -> None:
    folder(name).mkdir(parents=True, exist_ok=True)
    ivy = sorted((machine.VENV / "lib").glob("python*/site-packages/pyspark/jars/ivy-*.jar"))[-1]
    given = os.environ.get("LAKELOCK_IVY_SETTINGS")
    command = [executable, "-jar", str(ivy), *(["-settings", given] if given else []), "-cache", str(_ivy_cache(name, what)),
               *options, "-confs", "default"]  # fmt: skip
    machine.run(command, f"fetching {what}")
