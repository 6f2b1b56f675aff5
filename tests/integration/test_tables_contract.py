"""The contract of the table port: one suite for each kind of tables, with its capabilities as predicates."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import replace

import pytest
from kits.iceberg import INSTALLATION, SOURCE, open_tables
from kits.table_kinds import LONG, OTHER_INSTALLATION, IcebergKind, MemoryKind, TableKind, change_of, landed
from lakelock.adapters.iceberg import IcebergStorage
from lakelock.errors import CommitConflict, LedgerDetached, LedgerForeign, State, TableMissing, TableUnfit
from lakelock.ingest.commit_loop import Land, until_landed
from lakelock.model.column_changes import Added, Commented, MadeOptional, Widened
from lakelock.model.evolutions import EVOLUTION, ColumnsChanged, encode
from lakelock.model.ledger import CREATED_BY
from lakelock.ports import TableCapabilities, TableState
from lakelock.ports.edits import Edit, Evolve, Expire, LedgerOnly, Overwrite, Reorganise, Restore, Rewrite
from lakelock.ports.table_capabilities import lacking


@pytest.fixture(params=["sql", "rest", "memory"])
def kind(request: pytest.FixtureRequest) -> TableKind:
    if request.param == "memory":
        return MemoryKind()
    fixture = {"sql": "catalog_properties", "rest": "rest_properties"}[request.param]
    return IcebergKind(request.getfixturevalue(fixture))


@pytest.fixture
def name(kind: TableKind) -> str:
    made = f"contract.t{uuid.uuid4().hex[:12]}"
    kind.create(made)
    return made


def needs(kind: TableKind, able: Callable[[TableCapabilities], bool]) -> None:
    if not able(kind.tables.table_capabilities()):
        pytest.skip("not a capability of these tables")


def unchanged(kind: TableKind, before: TableState) -> None:
    after = kind.tables.load(before.name, detached=True)
    assert (after.head, after.ledger, after.layout.token) == (before.head, before.ledger, before.layout.token)


def test_a_new_table_has_no_version_no_ledger_and_no_owner(kind: TableKind, name: str) -> None:
    state = kind.tables.load(name)
    assert (state.head, state.ledger, state.ledger_version, state.detached) == (None, None, None, False)
    assert (kind.tables.owner(name), state.owners, kind.tables.history(state)) == (None, {}, [])


def test_a_table_that_a_pipeline_asked_for_says_so_and_has_no_owner_yet(kind: TableKind) -> None:
    name = f"contract.t{uuid.uuid4().hex[:12]}"
    kind.create(name, created_by="p")
    state = kind.tables.load(name)
    assert state.properties[CREATED_BY] == "p"
    assert (kind.tables.owner(name), state.owners) == (None, {})
    after = landed(kind, name)
    assert (after.properties[CREATED_BY], after.owners) == ("p", {"p": INSTALLATION})


def test_a_missing_table_is_named(kind: TableKind) -> None:
    with pytest.raises(TableMissing, match="nothing"):
        kind.tables.load("contract.nothing")


def test_a_table_is_created_once(kind: TableKind, name: str) -> None:
    uuid_before = kind.tables.load(name).uuid
    kind.create(name)
    assert kind.tables.load(name).uuid == uuid_before


def test_the_first_commit_makes_the_pipeline_an_owner_and_names_its_version(kind: TableKind, name: str) -> None:
    state = landed(kind, name)
    assert state.ledger is not None
    assert state.head == state.ledger_version is not None
    assert (kind.tables.owner(name), state.owners) == (INSTALLATION, {"p": INSTALLATION})


def test_versions_are_ordered_and_a_commit_returns_its_own(kind: TableKind, name: str) -> None:
    heads = []
    for n in range(3):
        state = kind.tables.load(name)
        done = kind.tables.commit(state, change_of(kind, state, [n]))
        head = kind.tables.load(name).head
        assert head is not None
        assert head.id == done
        heads.append(head)
    assert len({h.id for h in heads}) == 3
    assert heads == sorted(heads, key=lambda h: h.sequence)
    assert heads == sorted(heads, key=lambda h: h.at_ms)
    history = kind.tables.history(kind.tables.load(name))
    assert [(p.id, p.sequence, p.at_ms) for p in history] == [(h.id, h.sequence, h.at_ms) for h in reversed(heads)]
    assert {(p.pipeline, p.has_data) for p in history} == {("p", True)}


def test_an_append_shows_its_rows_and_its_ledger_together(kind: TableKind, name: str) -> None:
    landed(kind, name, [0, 1])
    state = landed(kind, name, [2])
    assert kind.offsets(name) == [0, 1, 2]
    assert state.ledger is not None
    assert [(i.start, i.end) for i in state.ledger.coverage[SOURCE].data] == [(0, 3)]


def test_of_two_commits_from_one_load_the_second_is_refused(kind: TableKind, name: str) -> None:
    state = landed(kind, name, [0])
    first, second = change_of(kind, state, [1]), change_of(kind, state, [1])
    kind.tables.commit(state, first)
    after = kind.tables.load(name)
    with pytest.raises(CommitConflict):
        kind.tables.commit(state, second)
    unchanged(kind, after)
    assert kind.offsets(name) == [0, 1]


def test_of_two_first_commits_the_second_is_refused(kind: TableKind, name: str) -> None:
    state = kind.tables.load(name)
    kind.tables.commit(state, change_of(kind, state, [0]))
    with pytest.raises(CommitConflict):
        kind.tables.commit(state, change_of(kind, state, [0]))
    assert kind.offsets(name) == [0]


@pytest.mark.parametrize("other", ["append", "add_column"])
def test_a_change_of_another_tool_in_between_refuses(kind: TableKind, name: str, other: str) -> None:
    state = landed(kind, name, [0])
    getattr(kind, other)(name)
    with pytest.raises(CommitConflict):
        kind.tables.commit(state, change_of(kind, state, [1]))
    assert kind.offsets(name) == [0]


def test_a_version_set_back_in_between_refuses(kind: TableKind, name: str) -> None:
    first, state = landed(kind, name, [0]), landed(kind, name, [1])
    assert first.head is not None
    kind.set_back(name, first.head.id)
    with pytest.raises(CommitConflict):
        kind.tables.commit(state, change_of(kind, state, [2]))


def test_files_of_an_older_layout_land_if_only_a_column_came(kind: TableKind, name: str) -> None:
    state = landed(kind, name, [0])
    staged = change_of(kind, state, [1])
    kind.add_column(name)
    now = kind.tables.load(name)
    assert now.layout.token != state.layout.token
    assert kind.tables.misfits(now, {state.layout.token}) == {}
    kind.tables.commit(now, staged)
    assert kind.offsets(name) == [0, 1]


def test_a_layout_that_the_table_never_had_does_not_fit(kind: TableKind, name: str) -> None:
    state = landed(kind, name, [0])
    other = f"{name}_other"
    kind.create(other)
    kind.add_column(other)
    theirs = kind.tables.load(other).layout.token
    assert theirs != state.layout.token
    assert set(kind.tables.misfits(state, {theirs, state.layout.token})) == {theirs}


def test_a_commit_is_found_by_its_id_as_long_as_the_branch_has_it(kind: TableKind, name: str) -> None:
    first, second = landed(kind, name, [0]), landed(kind, name, [1])
    assert first.ledger is not None
    assert second.ledger is not None
    assert kind.tables.find_commit(second, first.ledger.commit_id) == first.head_id
    assert kind.tables.find_commit(second, second.ledger.commit_id) == second.head_id
    assert kind.tables.find_commit(first, second.ledger.commit_id) is None
    assert kind.tables.find_commit(second, "another") is None


def test_each_version_has_the_ledger_of_its_time(kind: TableKind, name: str) -> None:
    kind.append(name)
    before = kind.tables.load(name).head_id
    assert before is not None
    states = [landed(kind, name, [n]) for n in range(3)]
    now = kind.tables.load(name)
    assert [kind.tables.ledger_at(now, s.head_id or 0) for s in states] == [s.ledger for s in states]
    assert kind.tables.ledger_at(now, before) is None


def test_a_row_of_another_tool_keeps_the_ledger(kind: TableKind, name: str) -> None:
    state = landed(kind, name, [0])
    kind.append(name)
    now = kind.tables.load(name)
    assert (now.ledger, now.ledger_version, now.detached) == (state.ledger, state.ledger_version, False)
    assert now.head != state.head
    assert [p.pipeline for p in kind.tables.history(now)] == [None, "p"]


def test_a_table_that_was_set_back_by_hand_stops(kind: TableKind, name: str) -> None:
    first, second = landed(kind, name, [0]), landed(kind, name, [1])
    assert first.head is not None
    kind.set_back(name, first.head.id)
    with pytest.raises(LedgerDetached) as stop:
        kind.tables.load(name)
    assert stop.value.state is State.STAGED
    found = kind.tables.load(name, detached=True)
    assert (found.detached, found.head, found.ledger_version) == (True, first.head, second.head)
    assert found.ledger == second.ledger


def test_the_table_of_another_installation_is_refused(kind: TableKind, name: str) -> None:
    state = landed(kind, name, [0])
    with pytest.raises(LedgerForeign, match=INSTALLATION):
        kind.of(OTHER_INSTALLATION).load(name)
    unchanged(kind, state)


def test_restore_shows_an_earlier_version_as_a_new_one(kind: TableKind, name: str) -> None:
    needs(kind, lambda c: c.restores)
    first, second = landed(kind, name, [0]), landed(kind, name, [1, 2])
    assert first.head is not None
    after = landed(kind, name, edit=Restore(first.head.id))
    assert kind.offsets(name) == [0]
    assert after.head is not None
    assert after.head.sequence > second.head_sequence
    ids = [p.id for p in kind.tables.history(after)]
    assert ids == [after.head.id, first.head.id]
    assert not after.detached


def test_rewrite_replaces_files_by_path(kind: TableKind, name: str) -> None:
    needs(kind, lambda c: c.rewrites)
    landed(kind, name, [0])
    state = landed(kind, name, [1])
    gone = tuple(kind.paths(state))
    assert len(gone) == 2
    files = kind.files(state, [0, 1])
    after = landed(kind, name, edit=Rewrite(gone, files, state.head_sequence))
    assert kind.paths(after) == [files[0].path]
    assert kind.offsets(name) == [0, 1]
    assert [p.id for p in kind.tables.history(after)][1] == state.head_id


@pytest.mark.parametrize("form", [Rewrite, Overwrite])
def test_a_file_that_is_not_live_cannot_be_replaced(
    kind: TableKind, name: str, form: type[Rewrite | Overwrite]
) -> None:
    needs(kind, lambda c: c.rewrites)
    state = landed(kind, name, [0])
    files = kind.files(state, [0])
    with pytest.raises(TableUnfit):
        landed(kind, name, edit=form((f"{state.location}/none",), files))
    unchanged(kind, state)


def test_expired_versions_leave_the_history_and_no_row(kind: TableKind, name: str) -> None:
    needs(kind, lambda c: c.expires)
    first, second = landed(kind, name, [0]), landed(kind, name, [1])
    assert first.head is not None
    after = landed(kind, name, edit=Expire((first.head.id,)))
    assert [p.id for p in kind.tables.history(after)] == [after.head_id, second.head_id]
    assert kind.offsets(name) == [0, 1]
    with pytest.raises(LedgerDetached):
        kind.tables.ledger_at(after, first.head.id)


def test_reorganised_lists_name_the_same_files(kind: TableKind, name: str) -> None:
    needs(kind, lambda c: c.file_lists)
    landed(kind, name, [0])
    state = landed(kind, name, [1])
    assert isinstance(kind, IcebergKind)
    manifests = list(IcebergStorage(kind.tables.border).manifests(state))
    assert len(manifests) == 2
    after = landed(kind, name, edit=Reorganise(tuple(m.path for m in manifests)))
    assert sorted(kind.paths(after)) == sorted(kind.paths(state))
    assert kind.offsets(name) == [0, 1]


CHANGES = [
    pytest.param(Added(("new",), LONG), id="added"),
    pytest.param(Widened(("narrow",), LONG), id="widened"),
    pytest.param(Commented(("narrow",), "a comment"), id="commented"),
]


@pytest.mark.parametrize("asked", CHANGES)
def test_files_from_before_a_change_of_columns_stay_and_land(
    kind: TableKind, name: str, asked: Added | Widened | Commented
) -> None:
    needs(kind, lambda c: type(asked) in c.column_changes)
    state = landed(kind, name, [0])
    staged = change_of(kind, state, [1])
    after = landed(kind, name, edit=Evolve((asked,)))
    column = next(c for c in after.columns if c.name == asked.path[0])
    assert column.doc == "a comment" if isinstance(asked, Commented) else column.type == LONG
    assert kind.tables.misfits(after, {state.layout.token}) == {}
    kind.tables.commit(after, staged)
    assert kind.offsets(name) == [0, 1]


def test_a_change_of_columns_is_recorded_with_its_version(kind: TableKind, name: str) -> None:
    state = landed(kind, name, [0])
    said = ColumnsChanged(name, ("new: long",), "topic t, partition 0, offset 7", "b", "dag/run")
    asked = replace(change_of(kind, state, (), Evolve((Added(("new",), LONG),))), properties={EVOLUTION: encode(said)})
    done = kind.tables.commit(state, asked)
    (found,) = kind.tables.columns_changed(kind.tables.load(name))
    assert (found.changes, found.record, found.version_id) == (said.changes, said.record, done)


def test_an_arrangement_of_its_own_holds_for_later_files(kind: TableKind, name: str) -> None:
    needs(kind, lambda c: c.rearranges)
    column = kind.tables.load(name).columns[0].name
    state = landed(kind, name, [0])
    after = landed(kind, name, edit=Evolve(sort_by=(column,)))
    assert [s.split()[0] for s in after.sort_by] == [column]
    assert kind.tables.misfits(after, {state.layout.token}) == {}


def test_another_branch_leaves_main_as_it_is(kind: TableKind, name: str) -> None:
    if not isinstance(kind, IcebergKind):
        pytest.skip("tables in memory have no branches")
    state = landed(kind, name, [0])
    head = state.head
    assert head is not None
    kind.tables.catalog.load_table(tuple(name.split("."))).manage_snapshots().create_branch(head.id, "audit").commit()
    aside = open_tables(kind.properties, "q", branch="audit")
    theirs = aside.load(name)
    asked = change_of(kind, theirs, [1])
    aside.commit(theirs, replace(asked, ledger=replace(asked.ledger, pipeline="q")))
    assert kind.offsets(name) == [0]
    assert len(aside.history(aside.load(name))) == 2
    assert kind.tables.load(name).head == head


def test_missing_files_are_found(kind: TableKind, name: str) -> None:
    state = kind.tables.load(name)
    (file,) = kind.files(state, [0])
    assert kind.tables.missing_files(state, [file]) == []
    if isinstance(kind, MemoryKind):
        kind.catalog.deleted.add(file.path)
    else:
        kind.tables.load(name)
        file = replace(file, path=f"{file.path}.gone")
    assert kind.tables.missing_files(state, [file]) == [file.path]


EDITS: list[tuple[Edit, str]] = [
    (Rewrite((), ()), "replace live files"),
    (Overwrite((), ()), "replace live files"),
    (Restore(1), "go back to an earlier version"),
    (Expire((1,)), "expire versions"),
    (Reorganise(("m",)), "rewrite manifests"),
    (Evolve((Added(("n",), LONG),)), "add a column"),
    (Evolve((Widened(("narrow",), LONG), MadeOptional(("id",)))), "widen a column's type and make a column optional"),
    (Evolve((Commented(("id",), "x"),)), "change a column's comment"),
    (Evolve(sort_by=("id",)), "change its partitioning or sort order"),
    (LedgerOnly(), ""),
]


@pytest.mark.parametrize(("edit", "words"), EDITS, ids=[type(e).__name__ + w[:12].title() for e, w in EDITS])
def test_an_edit_beyond_the_capabilities_is_refused_by_name(kind: TableKind, name: str, edit: Edit, words: str) -> None:
    state = landed(kind, name, [0])
    able = kind.tables.table_capabilities()
    nothing = TableCapabilities("none", False, False, False, False, False, frozenset())
    assert lacking(nothing, edit) == words
    if not lacking(able, edit):
        pytest.skip("a capability of these tables")
    with pytest.raises(TableUnfit, match=f"a table of format {able.format} cannot "):
        until_landed(
            kind.tables,
            name,
            lambda: Land(state, change_of(kind, state, (), edit), None),
            lambda seconds: None,
            State.NOTHING_CHANGED,
            "",
        )
    unchanged(kind, state)


def test_a_layout_to_land_with_has_no_partitions_and_its_files_may_be_committed(kind: TableKind, name: str) -> None:
    state = landed(kind, name)
    layout = kind.tables.landing_layout(state)
    if layout is None:
        assert kind.tables.table_capabilities().format == "memory"
        return
    assert not layout.is_partitioned
    assert kind.tables.misfits(state, {layout.token}) == {}
