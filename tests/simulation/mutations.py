"""Rules of the protocol, each broken on purpose: what the simulation must notice. Nothing here is used otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

from lakelock.errors import OutcomeUnknown
from lakelock.ingest import commit_decision as commit
from lakelock.ingest import commit_loop, marking, publish, registration
from lakelock.ingest import reconcile_decision as follow
from lakelock.ingest import replan_decision as redo
from lakelock.ingest.commit_draft import CommitDrafts
from lakelock.ingest.dead_letter_state import DeadLetterTables
from lakelock.ingest.routed_batch import RoutedBatch
from lakelock.model.batches import NO_TABLE
from lakelock.model.consistent_cut import RoutedProgress
from lakelock.model.coverage import Coverage
from lakelock.model.joint_mark import Marked
from lakelock.model.log_state import Redo
from lakelock.model.offsets import OffsetRange, without
from lakelock.model.registry import ConfiguredRange, PlannedConfig, Registry
from lakelock.model.route_evidence import RouteEvidence
from lakelock.ports import SentCount
from lakelock.ports.tables import PastColumns
from lakelock.recovery import rebuild_decision as rebuild
from lakelock.recovery import tail_decision as tails
from lakelock.recovery.adoption import Adoption
from lakelock.recovery.examination import Examined
from lakelock.redrive import decision as redrives
from lakelock.replace import decision as replacing
from lakelock.replace import replace as replace_steps
from lakelock.rollback import decision as rollback
from lakelock.testing import catalog, tables
from lakelock.testing.log import MemoryLog
from lakelock.testing.tables import MemoryTables
from lakelock.workers import shuffled_outputs

from simulation.run import Outcome, run


@dataclass(frozen=True)
class Mutation:
    """*patches* are (owner, name, what takes its place). *about* are the events that seeds must have."""

    rule: str
    about: tuple[str, ...]
    patches: tuple[tuple[object, str, Any], ...]

    @contextmanager
    def applied(self) -> Iterator[None]:
        with ExitStack() as stack:
            for owner, name, instead in self.patches:
                stack.enter_context(patch.object(owner, name, instead))
            yield


def _never(*_: object, **__: object) -> bool:
    return False


def _nothing(*_: object, **__: object) -> list[Any]:
    return []


_end_earlier = MemoryLog.end_earlier
_outdated, _settle, _send = commit._Deciding._outdated, CommitDrafts._settle, commit_loop.send
_rolled_back = rollback.rolled_back
_redriven = redrives.redriven
_moved = MemoryTables._moved
_progress, _advanced, _lacking_below = MemoryLog.routed_progress, marking.advanced, tails.lacking_below
_follow, _books = follow.follow, shuffled_outputs._books
_filled, _decided, _planned = RouteEvidence.filled, DeadLetterTables.decided, RoutedBatch._planned


def _keeps_the_frontier(self: Any, batch_id: str, attempt: str, ends: Mapping[Any, int]) -> bool:
    before = dict(self.state.streams)
    ended = _end_earlier(self, batch_id, attempt, ends)
    self.state.streams = before
    return ended


def _schema_only(self: Any, part: Any) -> str:
    identity = replace(part.result.identity, generation=self.standing.ledger.generation)
    return _outdated(self, replace(part, result=replace(part.result, identity=identity)))


def _marks_first(self: Any, state: Any, decision: Any, ledger: Any) -> None:
    _settle(self, state, decision, ledger)
    self.context.log.committed(decision.append, None, None, ledger)


def _sent_once(tables_: Any, state: Any, change: Any, *more: Any) -> int | None:
    try:
        found: int = tables_.commit(state, change)
    except OutcomeUnknown:
        return 1
    except Exception:
        return _send(tables_, state, change, *more)
    return found


def _books_of_what_arrived(table: str, read: Any, counted: Any, output: Any, slice_no: int) -> Any:
    arrived = SentCount(sum(b.read for b in counted), 0)
    sender = (table, slice_no, read.source.topic, read.source.partition)
    return _books(table, read, counted, replace(output, shuffled={sender: arrived}), slice_no)


def _rebases(self: Any, state: Any, change: Any) -> int:
    """What an append that rebases by itself would do."""
    now = self.catalog.get(state.name)
    snap, after = self.draft(now, change)
    self.catalog.swap(now, after)
    return int(snap.snapshot_id)


def _moved_but_for_columns(self: Any, before: Any, now: Any) -> bool:
    return bool(_moved(self, before, now._replace(schema_id=before.schema_id)))


def _targets_generation(head: Any, at: Any, *more: Any, **named: Any) -> Any:
    after = _rolled_back(head, at, *more, **named)
    return replace(after, generation=(at.generation if at else 0) + 1)


def _frontiers(log: Any, pipeline: str, names: Any) -> Mapping[Any, int]:
    return {s.source: s.next_offset + 1 for s in log.streams(pipeline, "live")}


def _by_marks(notes: Any, ledger: Any, is_wanted: Any) -> tuple[list[Any], list[int]]:
    """Takes what was marked once for what is there."""
    way = [r for n in notes for r in n.ranges]
    return without([r for r in ledger.coverage.requested if is_wanted(r.source)], way), []


def _whole(ranges: Any, *_: object) -> list[Any]:
    return list(ranges)


def _all_requested(before: Any, now: Any, behind_after_s: float, requested: Any = ()) -> Any:
    return _advanced(before, replace(now, backfilled=tuple(requested)), behind_after_s, requested)


def _as_if_listed(*given: Any, is_routed: bool = False) -> Any:
    return _follow(*given)


def _redriven_anyway(covered: Any, rows: Any) -> Any:
    """What a commit that looks at no ledger would do."""
    try:
        return _redriven(covered, rows)
    except (KeyError, ValueError):
        return covered


def _with_evidence(**more: Callable[[RouteEvidence], Any]) -> Any:
    """`filled` by evidence in which something is other than it is."""

    def filled(self: RouteEvidence, own: Coverage) -> list[OffsetRange]:
        return _filled(replace(self, **{name: of(self) for name, of in more.items()}), own)

    return filled


def _filled_if_owed(self: RouteEvidence, own: Coverage) -> list[OffsetRange]:
    return _filled(self, Coverage({s: replace(covered, owed=()) for s, covered in own.items()}))


def _all_complete(self: Any, pipeline: str) -> RoutedProgress:
    now: RoutedProgress = _progress(self, pipeline)
    return RoutedProgress(now.starts, {s.source: s.next_offset for s in self.streams(pipeline, "live")})


def _unnamed(before: Marked, now: RoutedProgress, behind_after_s: float) -> Marked:
    return Marked(_advanced(before, now, behind_after_s).mark, {})


def _owed_alone(stands: Any, routes: Any) -> Any:
    return _lacking_below(stands, replace(routes, behind={}))


def _of_present_alone(stands: Any, routes: Any) -> Any:
    there = {s.table for s in stands}
    return {name: ranges for name, ranges in _lacking_below(stands, routes).items() if name in there}


def _owes_nothing(*arguments: Any, filled: object = None, **more: Any) -> Any:
    return _rolled_back(*arguments[:5], **more)


def _decides_for_tables(self: Any, table: str, landed: Any) -> frozenset[Any]:
    return frozenset() if table == NO_TABLE else _decided(self, table, landed)


def _of_today(self: Redo, table: str, r: OffsetRange) -> list[ConfiguredRange]:
    return [ConfiguredRange(r, self.config_digest, self.config)]


def _own_alone(self: RoutedBatch) -> list[PlannedConfig]:
    return _planned(self)[-1:]


MUTATIONS = (
    Mutation(
        "a fill covers only what is closed",
        ("routes", "wake"),
        ((RouteEvidence, "filled", _with_evidence(closed_to=lambda e: e.frontiers)),),
    ),
    Mutation(
        "a fill covers no open part",
        ("routes", "wake"),
        ((RouteEvidence, "filled", _with_evidence(open=lambda e: ())),),
    ),
    Mutation(
        "a fill covers nothing that is owed", ("routes", "rollback"), ((RouteEvidence, "filled", _filled_if_owed),)
    ),
    Mutation("a routed table is registered first", ("routes",), ((RoutedBatch, "register", _nothing),)),
    Mutation("configurations are registered in order", ("routes", "edit"), ((RoutedBatch, "_planned", _own_alone),)),
    Mutation(
        "an attempt of before a recovery registers nothing",
        ("routes", "lose", "wake", "edit"),
        ((registration, "generation_of", lambda _: 0),),
    ),
    Mutation("the mark passes nothing that is open", ("routes",), ((MemoryLog, "routed_progress", _all_complete),)),
    Mutation("a table that is behind the mark is named", ("routes",), ((marking, "advanced", _unnamed),)),
    Mutation(
        "a recovery reads what a table behind lacks",
        ("routes", "lose", "time"),
        ((rebuild, "lacking_below", _owed_alone),),
    ),
    Mutation(
        "a recovery also reads for a table behind that is gone",
        ("routes", "lose", "drop", "put back", "time"),
        ((rebuild, "lacking_below", _of_present_alone),),
    ),
    Mutation(
        "a rollback of a routed table is owed", ("routes", "rollback"), ((rollback, "rolled_back", _owes_nothing),)
    ),
    Mutation(
        "a dead letter without a table stays one",
        ("routes", "lose"),
        ((DeadLetterTables, "decided", _decides_for_tables),),
    ),
    Mutation(
        "a registered table is not created again",
        ("routes", "drop", "lose", "put back"),
        ((RoutedBatch, "registry", property(lambda _: Registry())),),
    ),
    Mutation(
        "a recovery fences every registered table",
        ("routes", "lose", "wake"),
        ((Examined, "registry", property(lambda _: Registry())),),
    ),
    Mutation("a recovery reads again from the mark on", ("routes", "lose"), ((rebuild, "tail", lambda *_: ()),)),
    Mutation("records of another name are dead letters", ("routes",), ((RoutedBatch, "collide", _never),)),
    Mutation(
        "a routed record is read again as it was routed", ("routes", "edit", "rollback"), ((Redo, "pieces", _of_today),)
    ),
    Mutation(
        "generation of a part is compared", ("rollback", "rollback"), ((commit._Deciding, "_outdated", _schema_only),)
    ),
    Mutation("dead letters land first", ("columns", "rollback"), ((commit, "_missing_dead_letters", _nothing),)),
    Mutation("mark after landing", (), ((CommitDrafts, "_settle", _marks_first),)),
    Mutation("unknown is not landed", (), ((commit_loop, "send", _sent_once),)),
    Mutation("a newer attempt fences an older one", ("wake", "time"), ((MemoryLog, "_superseded", _never),)),
    Mutation(
        "a mark names the generation",
        ("rollback", "wake", "rollback"),
        ((MemoryLog, "_markable", lambda *_: True),),
    ),
    Mutation("compare and swap", ("rollback", "wake"), ((MemoryTables, "commit", _rebases),)),
    Mutation(
        "the tag moves with the branch", (), ((MemoryTables, "_refs", lambda _, s: {catalog.MAIN: s.snapshot_id}),)
    ),
    Mutation("a detached tag stops", ("by hand",), ((tables, "tag_in_ancestry", lambda _: True),)),
    Mutation("a part waits for what comes first", ("columns", "rollback"), ((commit, "_gap", lambda *_: None),)),
    Mutation("a part that is in is only marked", ("restore", "lose"), ((Coverage, "contains", _never),)),
    Mutation(
        "a rollback goes on from the head's generation",
        ("rollback", "by hand", "recover"),
        ((rollback, "rolled_back", _targets_generation),),
    ),
    Mutation(
        "a dead-letter table that was set back is put back",
        ("by hand", "recover"),
        ((Adoption, "puts_back", _never),),
    ),
    Mutation("a rollback plans what is then missing", ("rollback", "by hand"), ((follow, "lacking", _nothing),)),
    Mutation("landed dead letters are decided", ("rollback", "columns"), ((DeadLetterTables, "landed", _nothing),)),
    Mutation(
        "only the dead letters that were declared lost stay out",
        ("by hand", "recover", "rollback", "columns"),
        ((DeadLetterTables, "closed", _nothing),),
    ),
    Mutation("a batch that ends earlier gives back the rest", (), ((MemoryLog, "end_earlier", _keeps_the_frontier),)),
    Mutation(
        "a batch begins at the frontier",
        (),
        ((MemoryLog, "_off_frontier", _never), (MemoryLog, "_refuse_overlap", lambda *_: None)),
    ),
    Mutation(
        "old files are looked for", ("files", "time", "time"), ((CommitDrafts, "_replanned_for_lost_files", _never),)
    ),
    Mutation("only what is committed is published", (), ((publish, "committed_offsets", _frontiers),)),
    Mutation(
        "what dead-letter tables know in part is planned in pieces",
        ("by hand", "lose", "edit"),
        ((DeadLetterTables, "in_pieces", _nothing), (redo, "cut", _whole)),
    ),
    Mutation(
        "a rollback asks again for what a backfill loaded", ("backfill",), ((rollback, "_requested_again", _nothing),)
    ),
    Mutation(
        "what is in the table as a gap is not in it",
        ("backfill", "rollback", "restore"),
        ((Coverage, "has_records", lambda *_: True), (follow, "unasked", _by_marks)),
    ),
    Mutation(
        "what was replaced never lands from files of before", ("replace", "rollback"), ((follow, "replaced", _nothing),)
    ),
    Mutation(
        "a replace that slept does not undo a younger one",
        ("replace", "wake", "replace"),
        ((replace_steps, "overtaken", lambda *_: ""),),
    ),
    Mutation("a replace adds rows of the same offsets", ("replace", "columns"), ((replacing, "fit", lambda *_: None),)),
    Mutation(
        "a redrive lands in the generation that it looked at",
        ("redrive", "redrive", "rollback"),
        ((redrives, "refuse_moved", _nothing), (redrives, "redriven", _redriven_anyway)),
    ),
    Mutation("files land only beside their columns", ("extras", "extras"), ((tables, "fits_layout", lambda *_: True),)),
    Mutation(
        "a commit asserts the columns",
        ("extras", "extras", "wake"),
        ((MemoryTables, "_moved", _moved_but_for_columns),),
    ),
    Mutation(
        "a column that was dropped is not added again",
        ("extras", "extras"),
        ((MemoryTables, "past_columns", lambda *_: PastColumns()),),
    ),
    Mutation(
        "nothing is staged if other records arrived than a slice sent",
        ("routes",),
        ((shuffled_outputs, "_check_sent", _nothing), (shuffled_outputs, "_books", _books_of_what_arrived)),
    ),
    Mutation("what was asked for is planned", ("backfill", "restore"), ((Coverage, "requested", property(_nothing)),)),
    Mutation(
        "a part of a backfill that a rollback gives up is read again",
        ("routes", "backfill", "rollback"),
        ((follow, "follow", _as_if_listed),),
    ),
    Mutation(
        "a backfill is marked when its batches are closed",
        ("routes", "backfill"),
        ((marking, "advanced", _all_requested),),
    ),
)


def found(
    mutation: Mutation, seeds: int, start: int = 0, ran: Callable[[Outcome], None] = lambda _: None
) -> Outcome | None:
    """The first world that shows the broken rule, and shows nothing with the rule in place."""
    for seed in range(start, start + seeds):
        with mutation.applied():
            outcome = run(seed, about=mutation.about)
        ran(outcome)
        if outcome.violation and run(seed, about=mutation.about).violation is None:
            return outcome
    return None
