"""Routed tables with `write.distribution-mode` in a pipeline file, on real servers: a file a commit, however many slices."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from kits.here_writer import HereCopier, HereRedriver
from kits.rollbacks import roll_back
from kits.routing import cycle, dead, ids, letters, names, routed_file, send
from kits.world import World, connection, open_with
from lakelock.app.runtime import Runtime
from lakelock.audit.audit_text import audit_text
from lakelock.check import preflight
from lakelock.ingest import slicing
from lakelock.model.ledger import Mode

pytestmark = pytest.mark.drawn(0.5, about=("shuffled", "ingest/shuffling"))

HASH = "columns: {id: long}, new_fields: ignore, properties: {write.distribution-mode: hash}"
ALONE = "- {when: {event.type: alone}, table: '{ns}.alone', properties: {write.distribution-mode: none}}"
RULES = (ALONE, f"- {{table: '{{ns}}.{{event.type}}', {HASH}}}")


@pytest.fixture(autouse=True)
def small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slicing.slices, "__defaults__", (40,))


def files(world: World, name: str) -> int:
    return len([*world.catalog.load_table(f"{world.namespace}.{name}").scan().plan_files()])


def complete(runtime: Runtime) -> None:
    audited = runtime.audit()
    assert audited.complete, audit_text(audited)


def bad(kind: str) -> bytes:
    return b'{"id":"x","event":{"type":"%s"}}' % kind.encode()


def batches(world: World, runtime: Runtime) -> None:
    """Tables that appear, in the first and in a later batch, with dead letters of a table and of none."""
    first: Sequence[str | bytes] = [*["push", "fork", "alone"] * 50, *["star"] * 50, bad("push"), b"no json"]
    second: Sequence[str | bytes] = [*["push", "new", "alone"] * 60, bad("new"), bad("fork")]
    wanted: dict[str, list[int]] = {}
    for number, sent in enumerate((first, second)):
        begin = world.next_id
        good = [kind for kind in sent if isinstance(kind, str)]
        for n, kind in enumerate(good):
            wanted.setdefault(kind, []).append(begin + n)
        before = {name: files(world, name) for name in names(world) if name != "letters"} if number else {}
        send(world, *sent)
        cycle(world, runtime)
        assert {name: ids(world, name) for name in wanted} == wanted
        made = {name: files(world, name) - before.get(name, 0) for name in wanted}
        assert made == {name: (name in good) * (2 if name == "alone" else 1) for name in wanted}, number
    assert sorted((d["target_table"].rpartition(".")[2], d["kind"]) for d in dead(world)) == [
        ("*", "not a JSON object"),
        ("fork", "text for a long"),
        ("new", "text for a long"),
        ("push", "text for a long"),
    ]
    complete(runtime)


def test_tables_by_hash_get_one_file_of_all_slices_and_others_one_of_each(fresh: World) -> None:
    with open_with(fresh, routed_file(fresh, *RULES)) as runtime:
        batches(fresh, runtime)
        roll_back(runtime, f"{fresh.namespace}.push", "last:1", Mode.REPLAY)
        before = ids(fresh, "push")
        for _ in range(2):
            send(fresh, "push")
            cycle(fresh, runtime)
        assert len(ids(fresh, "push")) == len(before) + 60 + 2
        complete(runtime)


def test_spark_connect_writes_the_same(world: World) -> None:
    world.copier, world.redriver = HereCopier(), HereRedriver()
    with open_with(world, routed_file(world, *RULES)) as runtime:
        batches(world, runtime)


@pytest.mark.long
def test_spark_submit_writes_the_same(world: World) -> None:
    """Its driver is another process, in which slices have their usual size."""
    world.connections["spark_default"] = connection("spark_default", "spark", host="local[2]", extra={})
    kinds = ["push", "fork", "alone"] * 15_000
    with open_with(world, routed_file(world, *RULES)) as runtime:
        send(world, *kinds, bad("push"))
        cycle(world, runtime)
        for n, kind in enumerate(("push", "fork", "alone")):
            assert ids(world, kind) == list(range(n, len(kinds), 3))
            assert files(world, kind) == (2 if kind == "alone" else 1)
        complete(runtime)


def test_new_columns_come_from_what_all_slices_sent(fresh: World) -> None:
    """The records of a table are written again once its columns have followed: none is there twice."""
    rule = "- {table: '{ns}.{event.type}', properties: {write.distribution-mode: hash}}"
    with open_with(fresh, routed_file(fresh, rule)) as runtime:
        send(fresh, *["push", "push", "fork"] * 40)
        cycle(fresh, runtime)
        send(fresh, *["push", "push", "fork"] * 40)
        send(fresh, *["push"] * 40, n=1)
        send(fresh, *["push"] * 40, other="x")
        cycle(fresh, runtime)
        rows = fresh.catalog.load_table(f"{fresh.namespace}.push").scan().to_arrow().to_pylist()
        assert (sum(r["n"] == 1 for r in rows), sum(r["other"] == "x" for r in rows), len(rows)) == (40, 40, 240)
        assert (len(ids(fresh, "fork")), len(set(ids(fresh, "push")))) == (80, 240)
        assert files(fresh, "fork") == 2
        complete(runtime)


def test_a_mode_without_effect_is_named_by_check_and_write(fresh: World, caplog: pytest.LogCaptureFixture) -> None:
    static = f"tables:\n  - {{name: {fresh.namespace}.all, {HASH}, topics: [{fresh.topic}]}}\n"
    rule = "- {table: '{ns}.{event.type}', columns: {id: long}, new_fields: ignore, properties: {write.distribution-mode: %s}}"
    rules = ["- {when: {event.type: a}, table: '{ns}.a', " + (rule % "sideways").partition(", ")[2], rule % "range"]
    said = "properties without effect here: write.distribution-mode"
    with open_with(fresh, routed_file(fresh, *rules, tables=static)) as runtime:
        send(fresh, *["a", "b", "b"] * 40)
        cycle(fresh, runtime)
        assert [line for line in caplog.messages if said in line] == [
            f"{fresh.namespace}.{name}: {said}" for name in ("all", "a")
        ]
        assert (files(fresh, "all"), files(fresh, "b")) == (2, 1)
        (found,) = [r for r in preflight.run(runtime) if r.name == "tables"]
        assert found.detail.count(said) == 2
        complete(runtime)
    assert letters(fresh)
