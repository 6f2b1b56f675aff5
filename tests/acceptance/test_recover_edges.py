"""Recoveries that sleep, die or meet a table that is gone: nothing that only the log knew of is given up unseen."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import psycopg
import pytest
from kits.decisions import Killed, killed, set_back
from kits.recoveries import postgres_of
from kits.rollbacks import letters_of, moving, settle
from kits.topics import delete_before
from kits.world import World, file_of, open_with, write_next
from lakelock.adapters.connections import postgres_dsn
from lakelock.compose import Runtime
from lakelock.errors import DecisionRefused, Fenced, RecoveryRefused, TableMissing, WalUnusable
from lakelock.steps.findings import Finding
from lakelock.texts import audit_text


def ahead_of(log: Any, call: str, what: Callable[[], object]) -> None:
    """*what* happens just before the next *call* of the log is sent."""
    sent = getattr(log, call)

    def meanwhile(*arguments: Any) -> Any:
        setattr(log, call, sent)
        what()
        return sent(*arguments)

    setattr(log, call, meanwhile)


def dropped(world: World, low: int) -> None:
    for partition in (0, 1):
        delete_before(world, partition, low)


def another_log(world: World, new_log: Callable[[], str]) -> None:
    dsn = new_log()
    postgres_of(world, dsn)


def about(name: str, found: list[Finding]) -> list[Finding]:
    return [f for f in found if f.about == name]


def test_a_recovery_that_slept_does_not_rebuild_over_a_later_one(near: World) -> None:
    with closing(near.runtime()) as slow, closing(near.runtime()) as runtime:

        def meanwhile() -> None:
            runtime.recovery("second", announced=True).recover()
            near.produce(20)
            near.cycle(runtime)
            near.produce(20)
            write_next(runtime)
            dropped(near, 30)

        ahead_of(slow.log, "rebuild", meanwhile)
        with pytest.raises(Fenced, match=r"overtaken: second began another one"):
            slow.recovery("first", announced=True).recover()
        assert len(runtime.log.staged(near.name, near.table)) == 1
        runtime.commit([near.table], now=True)
        assert runtime.recovery("tester").look() == []
    near.audit()


@pytest.mark.parametrize("is_staged_before", [True, False])
def test_what_came_after_the_look_is_not_given_up_unseen(near: World, is_staged_before: bool) -> None:
    near.produce(20)
    with closing(near.runtime()) as slow, closing(near.runtime()) as runtime:

        def meanwhile() -> None:
            if not is_staged_before:
                write_next(runtime)
            dropped(near, 20)

        if is_staged_before:
            write_next(runtime)
        ahead_of(slow.log, "give_up", meanwhile)
        with pytest.raises(RecoveryRefused, match=r"(?s)more came to what would be lost.*-0 \[10, 20\)"):
            slow.recovery("first", announced=True).recover()
        assert runtime.log.recovering(near.name) is None
        runtime.commit([near.table], now=True)
        slow.recovery("first", announced=True).recover()
    near.audit()


def test_what_is_staged_for_a_table_outside_the_file_is_given_up_only_where_that_is_accepted(near: World) -> None:
    late = f"{near.namespace}.late"
    with open_with(near, file_of(near, near.table, late)) as runtime:
        near.produce(20)
        near.cycle(runtime)
        runtime.commit([late], now=True)
        near.produce(20)
        write_next(runtime)
        runtime.commit([near.table], now=True)
    metadata = near.catalog.load_table(late).metadata_location
    near.catalog.drop_table(late)
    dropped(near, 30)
    with open_with(near, file_of(near, near.table)) as runtime:
        gone, lost = about(late, runtime.recovery("tester", announced=True).look())
        assert gone.then.endswith("but what is staged for it is given up with the log")
        assert f"staged for it, in files that the log knows: {near.topic}-0 [20, 30), and Kafka holds" in lost.line
        assert lost.left
        assert lost.asks == f"{late} loses {near.topic}-0 [20, 30), {near.topic}-1 [20, 30)"
        with pytest.raises(RecoveryRefused, match=late):
            runtime.recovery("tester", announced=True).recover()
        assert len(runtime.log.staged(near.name, late)) == 1
        runtime.recovery("tester", announced=True, accept_loss=True).recover()
        assert runtime.log.staged(near.name, late) == []
    near.catalog.register_table(late, metadata)
    with open_with(near, file_of(near, near.table, late)) as runtime:
        assert any("[20, 30) would have to be read again" in f.what for f in runtime.recovery("tester").look())


def died(runtime: Runtime) -> None:
    """A recovery, when everything was given up and before the log was rebuilt."""
    rebuild = runtime.log.rebuild
    runtime.log.rebuild = killed  # type: ignore[method-assign, assignment]
    with pytest.raises(Killed):
        runtime.recovery("tester", announced=True).recover()
    runtime.log.rebuild = rebuild  # type: ignore[method-assign]


@pytest.mark.parametrize("is_told", [False, True])
@pytest.mark.parametrize("is_alone", [False, True])
def test_a_table_that_is_lost_while_the_log_is_rebuilt_can_be_rebound(
    near: World, is_told: bool, is_alone: bool
) -> None:
    """The log goes on without it first; also where the new table was adopted just before."""
    other = f"{near.namespace}.other"
    text = file_of(near, near.table) if is_alone else file_of(near, near.table, other)
    with open_with(near, text) as runtime:
        near.produce(20)
        near.cycle(runtime)
        runtime.commit([near.table, other][: 2 - is_alone], now=True)
        near.produce(10)
        write_next(runtime)
        died(runtime)
    near.catalog.drop_table(near.table)
    with open_with(near, text) as runtime:
        if is_told:
            ask, runtime.log.recovering = runtime.log.recovering, lambda pipeline: None  # type: ignore[method-assign]
            with pytest.raises(WalUnusable, match="began to recover"):
                runtime.rebinding.rebind(near.table, False, "tester", "a test")
            runtime.log.recovering = ask  # type: ignore[method-assign]
        else:
            with pytest.raises(DecisionRefused, match=r"lakelock recover FILE --yes` first"):
                runtime.rebinding.rebind(near.table, False, "tester", "a test")
            with pytest.raises(TableMissing):
                runtime.tables.load(near.table)
        recovery = runtime.recovery("tester")
        (told,) = about(near.table, recovery.look())
        assert told.left
        assert "the log is rebuilt without it" in told.then
        assert f"lakelock rebind FILE --table {near.table}" in told.then
        with pytest.raises(RecoveryRefused, match="since it was shown"):
            recovery.recover([f.asks for f in recovery.look() if f is not told and f.about != near.table])
        recovery.recover([f.asks for f in recovery.look()])
        assert runtime.log.recovering(near.name) is None
        runtime.rebinding.rebind(near.table, False, "tester", "a test")
        assert runtime.recovery("tester").look() == []
        for _ in range(4):
            near.cycle(runtime)
            runtime.commit([near.table, other][: 2 - is_alone], now=True)
        assert runtime.audit().complete
    assert sorted(r[2] for r in near.rows()) == list(range(near.next_id))
    if not is_alone:
        assert near.catalog.load_table(other).scan().count() == near.next_id - 20


@pytest.mark.parametrize("way", ["register", "take out", "accept"])
def test_a_table_that_only_the_lost_log_knew_is_asked_for(near: World, new_log: Callable[[], str], way: str) -> None:
    late = f"{near.namespace}.late"
    both = file_of(near, near.table, late)
    with open_with(near, both) as runtime:
        near.produce(20)
        near.cycle(runtime)
        runtime.commit([late], now=True)
    another_log(near, new_log)
    metadata = near.catalog.load_table(late).metadata_location
    near.catalog.drop_table(late)
    with open_with(near, both) as runtime:
        (told,) = about(late, runtime.recovery("tester", take_over=True).look())
        assert told.left
        assert told.asks == f"{late} does not exist"
        with pytest.raises(RecoveryRefused, match=rf"(?s){late}: it does not exist.*register its newest metadata"):
            runtime.recovery("tester", take_over=True).recover()
        if way == "accept":
            assert not any(f.left for f in runtime.recovery("tester", take_over=True, accept_loss=True).recover())
    if way == "register":
        near.catalog.register_table(late, metadata)
    if way != "accept":
        with open_with(near, both if way == "register" else file_of(near, near.table)) as runtime:
            assert not any(f.left for f in runtime.recovery("tester", take_over=True).recover())
    near.produce(20)
    with open_with(near, both) as runtime:
        near.cycle(runtime)
        runtime.commit([late], now=True)
        assert runtime.audit().complete
    assert near.catalog.load_table(late).scan().count() == (40 if way == "register" else 20)


@pytest.mark.parametrize("bad", [0, 1])
def test_dead_letters_that_a_lost_log_knew_are_asked_for_where_there_were_any(
    near: World, new_log: Callable[[], str], bad: int
) -> None:
    near.produce(10, bad=[b"{"] * bad)
    near.run()
    another_log(near, new_log)
    near.catalog.drop_table(letters_of(near))
    with closing(near.runtime()) as runtime:
        found = about(letters_of(near), runtime.recovery("tester", take_over=True).look())
        assert [f.left for f in found] == [True] * bad


@pytest.mark.parametrize("announced", [False, True])
@pytest.mark.parametrize(("low", "later", "is_more"), [(22, 24, False), (15, 18, True)])
def test_only_what_is_lost_counts_as_more_than_was_shown(
    near: World, announced: bool, low: int, later: int, is_more: bool
) -> None:
    near.produce(20)
    near.run()
    near.produce(20)
    with closing(near.runtime()) as runtime:
        runtime.log.coalesce(near.name, 0)
    set_back(near)
    delete_before(near, 0, low)
    with closing(near.runtime()) as runtime:
        recovery = runtime.recovery("tester", announced=announced, accept_loss=True)
        shown = [f.asks for f in recovery.look() if f.asks]
        delete_before(near, 0, later)
        if is_more:
            with pytest.raises(RecoveryRefused, match="since it was shown, more came to it"):
                recovery.recover(shown)
        else:
            recovery.recover(shown)


def copied(world: World, new_database: Callable[[], str]) -> Callable[[], None]:
    """A copy of the log as it is now; puts it in the log's place when called."""
    mine = postgres_dsn(world.connections["lakelock_postgres"])
    now, copy = psycopg.conninfo.conninfo_to_dict(mine), new_database()
    name = str(psycopg.conninfo.conninfo_to_dict(copy)["dbname"])
    with psycopg.connect(mine.replace(str(now["dbname"]), "postgres"), autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}"'.encode())
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{now["dbname"]}"'.encode())
    return lambda: postgres_of(world, copy)


@pytest.mark.parametrize("announced", [True, False])
@pytest.mark.parametrize("dies", [False, True])
def test_a_table_outside_the_file_that_a_restored_log_had_only_planned_for_is_recovered(
    near: World, new_database: Callable[[], str], announced: bool, dies: bool
) -> None:
    """Its batch could never be written: the log does not know that the table was, and nobody asked the table."""
    late = f"{near.namespace}.late"
    near.produce(10)
    near.run()
    near.produce(10)
    with open_with(near, file_of(near, near.table, late)) as runtime:
        runtime.plan()
    restored = copied(near, new_database)
    with open_with(near, file_of(near, near.table, late)) as runtime:
        write_next(runtime)
        runtime.commit([near.table, late], now=True)
        near.produce(10)
        write_next(runtime)
        runtime.commit([near.table, late], now=True)
    restored()
    with open_with(near, file_of(near, near.table)) as runtime:
        assert late in {t for b in runtime.log.planned(near.name) for t in b.planned_tables}
        if dies:
            rebuild, runtime.log.rebuild = runtime.log.rebuild, killed  # type: ignore[method-assign, assignment]
            with pytest.raises(Killed):
                runtime.recovery("tester", announced=announced).recover()
            runtime.log.rebuild = rebuild  # type: ignore[method-assign]
        assert runtime.recovery("tester", announced=announced).look() != []
        runtime.recovery("tester", announced=announced).recover()
        assert late in runtime.log.bound(near.name)
        assert runtime.recovery("tester").look() == []
    near.produce(10)
    with open_with(near, file_of(near, near.table, late)) as runtime:
        for _ in range(4):
            near.cycle(runtime)
            runtime.commit([near.table, late], now=True)
        assert not runtime.log.planned(near.name)
        runtime.recovery("tester").recover()
        for _ in range(2):
            near.cycle(runtime)
            runtime.commit([near.table, late], now=True)
        assert runtime.audit().complete
    assert near.catalog.load_table(late).scan().count() == 30


def test_what_the_table_has_does_not_become_a_dead_letter_after_a_restore_that_nobody_told_of(
    near: World, new_database: Callable[[], str]
) -> None:
    """The log plans it again, and the table's columns have changed meanwhile."""
    near.produce(10)
    with closing(near.runtime()) as runtime:
        runtime.plan()
    restored = copied(near, new_database)
    near.run()
    near.catalog.load_table(near.table).update_schema().delete_column("note").commit()
    restored()
    with closing(near.runtime()) as runtime:
        assert runtime.log.planned(near.name)
        with pytest.raises(WalUnusable, match=r"holds some of .* recover FILE --restored"):
            near.cycle(runtime)
        near.commit(runtime)
    near.audit()
    with closing(near.runtime()) as runtime:
        runtime.recovery("tester", announced=True).recover()
        near.cycle(runtime)
    near.audit()


def test_what_is_planned_for_a_table_outside_the_file_is_on_its_way(near: World) -> None:
    """One that nobody wrote to yet, and the only one that takes these records."""
    late = f"{near.namespace}.late"
    near.produce(10)
    near.run()
    near.produce(10)
    with open_with(near, file_of(near, late)) as runtime:
        runtime.plan()
    with open_with(near, file_of(near, near.table)) as runtime:
        assert runtime.audit().faults == (), "the table of the file lacks it, and says so by itself"


@pytest.mark.parametrize(
    ("log", "given_to", "files_known"),
    [
        ("as it is", "nobody", False),
        ("as it is", "another", True),
        ("restored", "nobody", True),
        ("restored", "another", False),
        ("lost", "nobody", False),
    ],
)
def test_owed_dead_letters_of_a_topic_that_is_given_back_are_read(
    near: World,
    new_topic: Callable[..., str],
    new_log: Callable[[], str],
    log: str,
    given_to: str,
    files_known: bool,
) -> None:
    """They went out of their table while the pipeline file gave their topic to nobody, or to another table."""
    first, second, other = near.topic, new_topic(2), f"{near.namespace}.other"
    before, after = moving(near, second, other)
    if given_to == "nobody":
        after = f"source: {{topics: [{first}]}}\ntables: [{{name: {near.table}, topics: [{first}]}}]\n"
    with open_with(near, before) as runtime:
        for topic, bad in ((first, [b"{"]), (second, [b"[", b"{"])):
            near.topic = topic
            near.produce(4, bad=bad)
            write_next(runtime)
            runtime.commit([near.table], now=True)
        if not files_known:
            runtime.log.coalesce(near.name, 0)
    set_back(near, letters_of(near))
    assert len(near.rows(letters_of(near))) == 1
    if log == "lost":
        another_log(near, new_log)
    how: Any = {"announced": log == "restored", "take_over": log == "lost", "accept_loss": given_to == "another"}
    lands_again = files_known and log == "as it is"
    with open_with(near, after) as runtime:
        told = [f for f in runtime.recovery("tester", **how).look() if "owes dead letters" in f.what]
        assert [f.left for f in told] == ([] if lands_again else [True])
        runtime.recovery("tester", **how).recover()
        settle(near, runtime)
        runtime.commit([letters_of(near)], now=True)
        told = runtime.recovery("tester").look()
        assert [f.about for f in told if f.left] == ([] if lands_again else [letters_of(near)])
        faults = runtime.audit().faults
        assert len([f for f in faults if "not on their way back" in f]) == (0 if lands_again else 2)
    with open_with(near, before) as runtime:
        found = runtime.recovery("tester").recover()
        assert not any(f.left for f in found)
        assert runtime.recovery("tester").look() == []
        settle(near, runtime)
        runtime.commit([letters_of(near)], now=True)
        settle(near, runtime)
        assert runtime.recovery("tester").look() == []
        found_by_audit = runtime.audit()
        assert found_by_audit.complete, audit_text(found_by_audit)
    letters = near.rows(letters_of(near))
    assert len(letters) == 3
    assert len(near.rows()) == near.next_id


def test_owed_dead_letters_of_a_table_of_an_older_name_are_read_once(near: World) -> None:
    """They land in the new one, in pieces of which most have no dead letter: none of them is planned time and again."""
    new, rest = f"{near.namespace}.new_letters", "batch: {max_records: 2}\n"
    near.produce(8, bad=[b"{"])
    near.run()
    near.produce(4, bad=[b"["])
    with closing(near.runtime()) as runtime:
        near.cycle(runtime)
        runtime.log.coalesce(near.name, 0)
    set_back(near, letters_of(near))
    with open_with(near, file_of(near, near.table, rest=f"{rest}dead_letters: {{table: {new}}}\n")) as runtime:
        runtime.recovery("tester").recover()
        settle(near, runtime, 8)
        assert not runtime.log.planned(near.name)
        assert runtime.recovery("tester").look() == []
        found = runtime.audit()
        assert found.complete, audit_text(found)
    assert (len(near.rows(letters_of(near))), len(near.rows(new))) == (1, 1)
