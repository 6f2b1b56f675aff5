"""What a rebuilt log reads again for routed tables: what they owe below the mark, and everything from there on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from lakelock.model.batches import NO_TABLE, Books, covered_range
from lakelock.model.coverage import Coverage, Kind
from lakelock.model.coverage_gaps import declaring
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import Stand
from lakelock.model.offsets import FOREVER, OffsetRange, Source
from lakelock.model.registry import RegisteredConfig, RegisteredTable, Registry
from lakelock.model.retirement import NEVER
from lakelock.recovery.rebuild_decision import rebuild_reason, rebuilt

A, B = Source("t", "T", 0), Source("t", "T", 1)
D, PUSH, PULL, STATIC = "lake.dead", "lake.push", "lake.pull", "lake.static"
FIRST = RegisteredConfig("c0", {"rules": 0}, {A: 0, B: 0})
UUIDS = {D: "ud", PUSH: "u1", PULL: "u2", STATIC: "u3"}


def covered(*ranges: OffsetRange, starts: Mapping[Source, int] | None = None) -> Coverage:
    return Coverage().adding([Books(r, 0, 0) for r in ranges], starts or {A: 0, B: 0}, 0).starting(starts or {A: 0})


def stand(table: str, coverage: Coverage, **more: object) -> Stand:
    ledger = Ledger("1", "p", "commit", 0, "d", coverage)
    return Stand(table, UUIDS[table], replace(ledger, **more))  # type: ignore[arg-type]


def dead_letters(
    *letters: OffsetRange,
    mark: Coverage | None = None,
    configs: tuple[RegisteredConfig, ...] = (FIRST,),
    tables: tuple[str, ...] = (PUSH, PULL),
) -> Stand:
    registry = Registry({t: RegisteredTable(t, UUIDS[t]) for t in tables}, configs)
    return stand(D, covered(*letters, starts={}), mark=mark, registry=registry)


def nothing(table: str, topic: str) -> bool:
    return False


def test_a_table_without_rows_for_long_is_not_read_from_its_own_end() -> None:
    mark = covered(OffsetRange(A, 0, 900))
    found = rebuilt(
        [
            dead_letters(mark=mark),
            stand(PUSH, covered(OffsetRange(A, 0, 1000))),
            stand(PULL, covered(OffsetRange(A, 0, 10))),
        ],
        lambda table, _: table in (PUSH, PULL),
    )
    assert [s.next_offset for s in found.streams if s.source == A] == [1000]
    assert found.redo == {}
    assert [b.ranges for b in found.tail] == [(OffsetRange(A, 900, 1000),)]
    assert found.nowhere == ()


def test_what_a_table_owes_is_read_for_it_alone_below_the_mark_and_with_all_others_above() -> None:
    owing = covered(OffsetRange(A, 0, 100)).owing([OffsetRange(A, 100, 150), OffsetRange(A, 380, 450)])
    found = rebuilt([dead_letters(mark=covered(OffsetRange(A, 0, 400))), stand(PUSH, owing)], nothing)
    assert found.redo == {PUSH: (OffsetRange(A, 100, 150), OffsetRange(A, 380, 400))}
    assert [b.ranges for b in found.tail] == [(OffsetRange(A, 400, 450),)], "it was routed there once"
    assert [s.next_offset for s in found.streams if s.source == A] == [450]


def test_letters_without_a_table_move_the_frontier() -> None:
    letter = covered_range(OffsetRange(A, 40, 50), NO_TABLE)
    found = rebuilt([dead_letters(letter)], nothing)
    assert [s.next_offset for s in found.streams] == [50, 0]
    assert [b.ranges for b in found.tail] == [(OffsetRange(A, 0, 40),), (OffsetRange(A, 40, 50),)]


def test_the_tail_is_cut_where_the_configuration_changes_and_where_a_table_ends() -> None:
    edited = RegisteredConfig("c1", {"rules": 1}, {A: 60, B: 20})
    stands = [
        dead_letters(mark=covered(OffsetRange(A, 0, 50)), configs=(FIRST, edited)),
        stand(PUSH, covered(OffsetRange(A, 0, 70), OffsetRange(B, 0, 30))),
        stand(PULL, covered(OffsetRange(A, 0, 80))),
    ]
    found = rebuilt(stands, nothing)
    assert [(b.config_digest, b.ranges) for b in found.tail] == [
        ("c0", (OffsetRange(A, 50, 60), OffsetRange(B, 0, 20))),
        ("c1", (OffsetRange(A, 60, 70), OffsetRange(B, 20, 30))),
        ("c1", (OffsetRange(A, 70, 80),)),
    ]
    assert [b.config["rules"] for b in found.tail] == [0, 1, 1]


def test_no_batch_of_a_tail_has_offsets_of_two_configurations() -> None:
    before, edited = RegisteredConfig("c0", {}, {A: 0}), RegisteredConfig("c1", {}, {A: 60, B: 0})
    stands = [
        dead_letters(configs=(before, edited)),
        stand(PUSH, covered(OffsetRange(A, 0, 70), OffsetRange(B, 0, 30))),
    ]
    assert [(b.config_digest, b.ranges) for b in rebuilt(stands, nothing).tail] == [
        ("c0", (OffsetRange(A, 0, 60),)),
        ("c1", (OffsetRange(A, 60, 70), OffsetRange(B, 0, 30))),
    ]


@pytest.mark.parametrize("most", [1, 7, 100])
def test_the_batches_of_a_tail_are_bounded_and_keep_each_sources_order(most: int) -> None:
    stands = [
        dead_letters(mark=covered(OffsetRange(A, 0, 50))),
        stand(PUSH, covered(OffsetRange(A, 0, 70), OffsetRange(B, 0, 30))),
    ]
    found = rebuilt(stands, nothing, most)
    assert all(sum(r.end - r.start for r in b.ranges) <= most for b in found.tail)
    assert all(len({r.source for r in b.ranges}) == len(b.ranges) for b in found.tail)
    for source, start, end in ((A, 50, 70), (B, 0, 30)):
        of_source = [r for b in found.tail for r in b.ranges if r.source == source]
        assert [o for r in of_source for o in range(r.start, r.end)] == list(range(start, end))


def test_letters_that_are_declared_lost_are_in_a_batch_of_their_own() -> None:
    lost = declaring(
        covered(covered_range(OffsetRange(B, 0, 5), PUSH), starts={}),
        [(covered_range(OffsetRange(A, 10, 20), NO_TABLE), Kind.ACCEPTED_LOSS)],
        {},
        0,
    )
    there = dead_letters()
    stands = [replace(there, ledger=replace(there.ledger, coverage=lost)), stand(PUSH, covered(OffsetRange(A, 0, 30)))]
    assert [b.ranges for b in rebuilt(stands, nothing).tail] == [
        (OffsetRange(A, 0, 10), OffsetRange(B, 0, 5)),
        (OffsetRange(A, 10, 20),),
        (OffsetRange(A, 20, 30),),
    ]


def test_offsets_that_were_given_up_in_all_tables_are_not_read_again() -> None:
    gap = (OffsetRange(A, 10, 20), Kind.ACCEPTED_LOSS)
    gone = declaring(covered(OffsetRange(A, 0, 10), OffsetRange(A, 20, 30)), [gap], {}, 0)
    stands = [dead_letters(), stand(PUSH, gone), stand(PULL, gone)]
    assert [b.ranges for b in rebuilt(stands, nothing).tail] == [(OffsetRange(A, 0, 10),), (OffsetRange(A, 20, 30),)]
    others = [*stands[:2], stand(PULL, covered(OffsetRange(A, 0, 10)))]
    assert OffsetRange(A, 10, 20) in [r for b in rebuilt(others, nothing).tail for r in b.ranges]


def test_a_retired_source_ends_where_it_was_retired() -> None:
    retired = declaring(covered(OffsetRange(A, 0, 30)), [(OffsetRange(A, 40, FOREVER), Kind.RETIRED)], {}, 0)
    found = rebuilt([dead_letters(mark=covered(OffsetRange(A, 0, 20))), stand(PUSH, retired)], nothing)
    assert [s.next_offset for s in found.streams if s.source == A] == [FOREVER]
    assert [r for b in found.tail for r in b.ranges] == [OffsetRange(A, 20, 30), OffsetRange(A, 30, 40)]


def test_a_table_of_the_file_gets_what_it_lacks_by_its_own_ledger() -> None:
    stands = [
        dead_letters(mark=covered(OffsetRange(A, 0, 50))),
        stand(PUSH, covered(OffsetRange(A, 0, 80))),
        stand(STATIC, covered(OffsetRange(A, 0, 40))),
    ]
    found = rebuilt(stands, lambda table, topic: table == STATIC)
    assert found.redo == {STATIC: (OffsetRange(A, 40, 80),)}
    assert [b.ranges for b in found.tail] == [(OffsetRange(A, 50, 80),)]


def test_offsets_before_the_first_configuration_were_routed_nowhere() -> None:
    later = RegisteredConfig("c0", {}, {A: 60})
    stands = [dead_letters(configs=(later,)), stand(STATIC, covered(OffsetRange(A, 0, 90)))]
    found = rebuilt(stands, lambda table, topic: table == STATIC)
    assert [b.ranges for b in found.tail] == [(OffsetRange(A, 60, 90),)]
    assert found.redo == {}


@pytest.mark.parametrize("frontier", [None, 49, 50])
def test_a_log_behind_the_mark_was_restored_or_lost(frontier: int | None) -> None:
    known = {} if frontier is None else {A: frontier}
    stands = [dead_letters(mark=covered(OffsetRange(A, 0, 50)), tables=())]
    reason = rebuild_reason(stands, known, {D}, "1", restored=False, began_by=None)
    assert (reason is None) is (frontier == 50)
    assert reason is None or "restored or lost" in reason


def test_a_log_that_does_not_know_a_registered_table_was_restored_or_lost() -> None:
    stands = [dead_letters(), stand(PUSH, covered())]
    reason = rebuild_reason(stands, {A: 0}, {D}, "1", restored=False, began_by=None)
    assert reason == f"it does not know {PUSH}, which is registered: the log was restored or lost"
    assert rebuild_reason(stands, {A: 0}, {D, PUSH}, "1", restored=False, began_by=None) is None


def test_a_retired_table_gets_records_in_no_batch_or_in_all_of_one() -> None:
    """Of one source it was retired from 60 on, of the other before that: what it had there is no dead letter."""
    of_letters = dead_letters(OffsetRange(covered_range(OffsetRange(B, 0, 1), NO_TABLE).source, 90, 95))
    registry = of_letters.ledger.registry
    assert registry is not None
    retirement = NEVER.begun({A: 60, B: 40}, [OffsetRange(A, 10, 20)])
    retired = replace(of_letters, ledger=replace(of_letters.ledger, registry=registry.retiring(PULL, retirement)))
    found = rebuilt([retired, stand(PUSH, covered(OffsetRange(A, 0, 80)))], nothing)
    assert [(s.source, s.next_offset) for s in found.streams] == [(A, 80), (B, 95)]
    assert [b.ranges for b in found.tail] == [
        (OffsetRange(A, 0, 10), OffsetRange(B, 0, 40)),
        (OffsetRange(A, 10, 20), OffsetRange(B, 40, 90)),
        (OffsetRange(A, 20, 60),),
        (OffsetRange(A, 60, 80), OffsetRange(B, 90, 95)),
    ]


def test_all_before_a_retirement_was_planned() -> None:
    """The table may have it, and nothing else says so."""
    of_letters = dead_letters()
    registry = of_letters.ledger.registry
    assert registry is not None
    retired = registry.retiring(PULL, NEVER.begun({A: 60, Source("u", "U", 0): 5}, []))
    found = rebuilt([replace(of_letters, ledger=replace(of_letters.ledger, registry=retired))], nothing)
    assert [(s.source, s.next_offset) for s in found.streams] == [(A, 60), (B, 0)]
