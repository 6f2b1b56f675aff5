"""The pipeline files of the simulation, each built once, and the product's pure conversions of them remembered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from lakelock.config import Pipeline
from lakelock.ingest import slicing
from lakelock.model.offsets import Source

from simulation import routes

X, Y = "x", "y"
A, B = "ns.a", "ns.b"
DEAD_LETTERS = ("ns.d1", "ns.d2")
SOURCES = (Source(X, "id-x", 0), Source(Y, "id-y", 0), Source(X, "id-x", 1))
# Where rows of two topics differ by the partition's number alone.
APART = (SOURCES[0], Source(Y, "id-y", 7), SOURCES[2])

_resolved: dict[int, dict[str, Any]] = {}
_of_resolved: dict[int, Pipeline] = {}
_rules_of: dict[str, int] = {}


def rules_of(digest: str) -> int:
    """The number of the rules of a file of this digest."""
    return _rules_of[digest]


@cache
def pipeline(
    of_a: tuple[str, ...],
    of_b: tuple[str, ...] | None,
    dead_letters: str,
    max_records: int,
    keep_snapshots: int,
    start: str = "earliest",
    *,
    tombstones: str = "dead_letter",
    evolves: bool = False,
    route: int | None = None,
    static: tuple[str, ...] | None = (),
) -> Pipeline:
    """*of_b* None: table b is left out. It *evolves* without a setting, because lakelock creates the tables.

    With *route*, the number of `routes.RULES`, table a takes topics *static*; None: there is no table a.
    """
    more = {} if evolves else {"new_fields": "dead_letter", "new_types": "dead_letter"}
    tables = [{"name": A, "topics": of_a, **more}] + ([] if of_b is None else [{"name": B, "topics": of_b, **more}])
    routed = {}
    if route is not None:
        tables = [] if static is None else [{"name": A, "topics": static, **more}]
        routed = {"route": routes.section(route, more)}
    made = Pipeline.model_validate(
        {
            "name": "p",
            "source": {"topics": (X, Y), "start": start},
            "tables": tables,
            "dead_letters": {"table": dead_letters},
            "batch": {"max_records": max_records},
            "commit": {"keep_snapshots": keep_snapshots},
            "value": {"tombstones": tombstones},
            **routed,
        }
    )
    plain = _original_resolved(made)
    assert made.digest
    if route is not None:
        _rules_of[made.digest] = route
    _resolved[id(made)] = plain
    _of_resolved[id(plain)] = made
    return made


_original_resolved = Pipeline.resolved


def _remembered(self: Pipeline) -> dict[str, Any]:
    return _resolved.get(id(self)) or _original_resolved(self)


def _again(resolved: Mapping[str, Any]) -> Pipeline:
    return _of_resolved[id(resolved)]


class _Fenced:
    """Looks like the event of `ingest.heartbeat.beating`."""

    def __init__(self, actor: Any) -> None:
        self.actor = actor

    def is_set(self) -> bool:
        return bool(self.actor.fenced)


@contextmanager
def _beating(log: Any, batch_id: str, attempt: str, progress: object = None) -> Iterator[Any]:
    """The heart of a process in virtual time: the scheduler beats for those that are neither dead nor frozen."""
    actor = log._actor
    actor.holds, actor.fenced = (batch_id, attempt), False
    try:
        yield _Fenced(actor)
    finally:
        actor.holds = None


@contextmanager
def installed() -> Iterator[None]:
    """For as long as worlds are run in this process. Nothing that decides is replaced."""
    with ExitStack() as patches:
        patches.enter_context(patch.object(Pipeline, "resolved", _remembered))
        patches.enter_context(patch.object(Pipeline, "from_resolved", staticmethod(_again)))
        patches.enter_context(patch("lakelock.ingest.write.beating", _beating))
        # A batch of a world has some records, which are cut as if they were many.
        patches.enter_context(patch.object(slicing.slices, "__defaults__", (1,)))
        # Pauses before another try: each replay of a world takes as long.
        patches.enter_context(patch("lakelock.ingest.commit_loop.random", SimpleNamespace(random=lambda: 0.5)))
        yield
