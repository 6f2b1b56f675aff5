"""One seed from its first event to rest: then nothing may be missing, twice, or in the way."""

from __future__ import annotations

import traceback
from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass, field

from lakelock.model.batches import LIVE, NO_TABLE
from lakelock.model.coverage import Kind
from lakelock.model.ledger import Mode
from lakelock.model.offsets import Source
from lakelock.redrive.redrive_preview import RedriveRequest
from lakelock.testing.catalog import Meta
from lakelock.testing.kafka import GOOD, NEW, OLD, fits
from lakelock.testing.table_reading import tag_in_ancestry

from simulation import events, pipelines, routes
from simulation.describe import overheard
from simulation.oracle import Oracle, redriven_of, tagged
from simulation.pipelines import DEAD_LETTERS, A, B
from simulation.processes import Backfill, Ingest, Process, Rebind, Recover, Redrive, Retire, nowhere
from simulation.routed_oracle import offsets_of
from simulation.world import Violation, World

ROUNDS = 7
ROUTES = "routes"
NOT_COMING = "is neither in the table nor on its way"


@dataclass
class Outcome:
    """`violation` is None where everything held; `excuse` why completeness was not asked for."""

    seed: int
    violation: str | None = None
    excuse: str | None = None
    counts: Counter[str] = field(default_factory=Counter)
    trace: list[str] = field(default_factory=list)


def run(seed: int, traced: bool = False, about: tuple[str, ...] | None = None) -> Outcome:
    """*about* narrows what the seed draws to these kinds of events; with `routes`, rules name the tables."""
    out = Outcome(seed)
    world = World(seed, out.trace if traced else None, routed=about is not None and ROUTES in about)
    try:
        with overheard(world.say) if traced else nullcontext():
            _live(world, out, about)
    except Violation as fault:
        if str(fault).startswith("once") and (lost := _lost_name(world)):
            out.excuse = lost
        else:
            out.violation = str(fault)
    except Exception as fault:
        where = traceback.extract_tb(fault.__traceback__)[-1]
        out.violation = (
            f"unexpected {type(fault).__name__}: {fault} ({where.filename.rpartition('/')[2]}:{where.lineno})"
        )
        if traced:
            out.trace += traceback.format_exc().splitlines()
    finally:
        world.happened = lambda name, args: None
        world.close()
    if out.violation and traced:
        out.trace.append(f"VIOLATION {out.violation}")
    out.counts = world.counts
    out.counts["steps"] = world.steps
    out.counts["seeds"] += 1
    out.counts["excused"] += out.excuse is not None
    out.counts["violations"] += out.violation is not None
    return out


def _live(world: World, out: Outcome, about: tuple[str, ...] | None) -> None:
    rng = world.rng
    world.dead_letters = rng.random() < 0.7
    world.choosy = rng.choice((OLD, NEW))
    world.tombstones = rng.choice(("dead_letter", "skip"))
    world.dead_letter_names = DEAD_LETTERS[: rng.choice((1, 1, 1, 2))]
    world.keep_snapshots = rng.choice((10, 1000, 1000))
    of_b = rng.choice((None, None, ()))
    limits = (rng.choice((2, 3, 5, 100)), world.keep_snapshots)
    world.pipeline = pipelines.pipeline(
        (), of_b, DEAD_LETTERS[0], *limits, tombstones=world.tombstones, evolves=world.evolves
    )
    if world.routed:
        world.dead_letter_names = DEAD_LETTERS[:1]
        world.pipeline = world.file(limits[0])
    oracle = Oracle(world)
    world.run(events.drawn(world, about and [name for name in about if name != ROUTES]))
    world.say("---- faults stop")
    world.calm, world.fault_in = True, -1
    for actor in world.actors:
        actor.doom = None
    world.deliver()
    _refuse_forgotten(world)
    _settle(world, oracle, out)


def _refuse_forgotten(world: World) -> None:
    """Before a person runs recover, which would also repair a log that forgot offsets by itself."""
    if world.happenings <= HARMLESS and (forgotten := [f for f in audited(world) if "on its way to none" in f]):
        raise Violation(f"forgotten: {'; '.join(forgotten)}")


def _settle(world: World, oracle: Oracle, out: Outcome) -> None:
    """Zombies wake up between the runs; after the last of them a bounded number of runs must do."""
    reported: list[str] = []
    fixed = 0
    for number in range(ROUNDS):
        if number == 1:
            world.wake(everybody=True)
        if number in (0, 2) or fixed != world.counts["files fixed"]:
            # New records, so that a table that is new in the file begins.
            fixed = world.counts["files fixed"]
            for records in world.kafka.records.values():
                records.append(routes.record(GOOD, world.words[0]) if world.routed else GOOD)
        world.advance(61)
        recover = Recover(world, world.rng.choice((Mode.RECOMMIT, Mode.REPLAY)))
        if number > 0 or world.needs or world.rng.random() < 0.3:
            world.run([recover.start])
        ingest = Ingest(world, now=True, window_s=5.0)
        world.run([ingest.start])
        backfill = Backfill(world, None)
        if "backfill" in world.happenings:
            world.run([backfill.start])
        reported = [
            f"{type(f).__name__}: {f}"
            for f in (*ingest.faults, *backfill.faults, *([recover.fault] if recover.fault else []))
        ]
        reported += [f.line for f in recover.left]
        obey(world, reported)
        _replace_dropped(world, reported)
        lacking = missing(world, oracle)
        if number >= 1 and not lacking and not reported and not world.needs:
            # A table outside the file whose staged parts wait for what no run reads any longer is reported in the next run.
            waits = "edit" in world.happenings and any(NOT_COMING in f for f in audited(world))
            if not waits or number == ROUNDS - 1:
                break
    else:
        out.excuse = excuse(world, lacking)
        if out.excuse is None:
            raise Violation(f"progress: after {ROUNDS} runs: {'; '.join(lacking) or 'nothing lacks, but'} {reported}")
        return
    _redriven_at_last(world, oracle)
    faults = _fixed(world, audited(world))
    if "take over" in world.happenings and any("owns this table" in fault for fault in faults):
        # A take-over that had slept went on in the last round: the next run would report it, and be taken over once more.
        world.needs.add("take over")
        world.advance(61)
        world.run([Recover(world, Mode.RECOMMIT).start])
        world.run([Ingest(world, now=True, window_s=5.0).start])
        faults = audited(world)
    faults = [fault for fault in faults if not nowhere(world, fault)]
    dead_lettered = any("dead letters were written" in fault for fault in faults)
    out.excuse = excuse(world, []) if dead_lettered else None
    if faults and out.excuse is None:
        raise Violation(f"audit: {faults}")


def _replace_dropped(world: World, reported: list[str]) -> None:
    """A person sees to routed tables that were dropped, and finishes what was begun."""
    world.run([Retire(world, name).start for name, t in world.log.retirements("p").items() if t.is_retired])
    if world.dropped:
        world.run([lambda: events.put_back(world)])
    again = [n for n in sorted(routes.ROUTED) if any(f"rebind FILE --table {n} " in text for text in reported)]
    world.run([Rebind(world, name).start for name in again if name in world.rebound])


def _redriven_at_last(world: World, oracle: Oracle) -> None:
    """At rest all dead letters that fit become rows."""
    if "redrive" not in world.happenings:
        return
    last = Redrive(world, RedriveRequest())
    world.run([last.start])
    if world.routed:
        _assigned_at_last(world, oracle, last)
    dead_letter_tables = {world.pipeline.dead_letter_table, *world.log.dead_letter_tables("p")}
    within = [name for name in DEAD_LETTERS if name in dead_letter_tables or _lost_name(world) is None]
    for name, meta in world.catalog.tables.items():
        ledger = tagged(meta)
        if (
            ledger is None
            or not any(t.name == name for t in world.pipeline.tables)
            or tag_in_ancestry(meta) is not True
        ):
            continue
        for source, covered in ledger.coverage.items():
            mine = oracle.dead_lettered(name, source, within) & offsets_of(covered, Kind.DATA)
            records = world.kafka.records[source]
            if left := {o for o in mine - redriven_of(covered) if _fits(world, records[o], meta)}:
                excused = "but its books count" in " ".join(map(str, last.faults))
                if not excused or _lost_name(world) is None:
                    raise Violation(f"redriven: {name} could have rows {sorted(left)} of {source}: {last.faults}")


def _assigned_at_last(world: World, oracle: Oracle, last: Redrive) -> None:
    for name in oracle.routes.registry.assigned:
        meta = world.catalog.tables.get(name)
        ledger = tagged(meta) if meta else None
        if meta is None or ledger is None or oracle.routes.is_given_up(name) or tag_in_ancestry(meta) is not True:
            continue
        for source, covered in ledger.coverage.items():
            mine = oracle.routes.assigned(name, source) & oracle.dead_lettered(NO_TABLE, source)
            mine &= offsets_of(covered, Kind.DATA)
            records = world.kafka.records[source]
            if left := {o for o in mine - redriven_of(covered) if _fits(world, records[o], meta)}:
                raise Violation(f"redriven: {name} could have rows {sorted(left)} of {source}: {last.faults}")


def _fits(world: World, record: int, meta: Meta) -> bool:
    return fits(record, meta.variant, dict(meta.extras), meta.dropped if world.evolves else ())


def _fixed(world: World, faults: list[str]) -> list[str]:
    """What is wrong once a person has done what only audit reported."""
    if "edit" not in world.happenings or not any(NOT_COMING in fault for fault in faults):
        return faults
    obey(world, faults)
    for _ in range(2):
        world.advance(61)
        world.run([Recover(world, Mode.RECOMMIT).start])
        world.run([Ingest(world, now=True, window_s=5.0).start])
    return audited(world)


def audited(world: World) -> list[str]:
    judged = []
    actor = world.start("audit", lambda actor: judged.append(Process(actor).audit()))
    world.run([])
    assert actor.done
    return [*judged[0].faults, *(f"{t.table}: {f}" for t in judged[0].tables for f in t.faults)]


def obey(world: World, reported: list[str]) -> None:
    """A person does what a message says."""
    if world.routed:
        reported = [text for text in reported if "put the table and the topic back into the file" not in text]
    for name, meta in sorted(world.catalog.tables.items()):
        if any(f"able {name}: " in text and "Undo the change of the table's columns" in text for text in reported):
            world.say(f"a person undoes the change of {name}'s columns")
            world.catalog.change_columns(name, 1 - meta.variant)
            world.counts["columns changed back"] += 1
    if "take over" in world.happenings and any(
        "take it over only if" in text or text.startswith("LedgerForeign") for text in reported
    ):
        # A table that was out of the file when the log was lost, or that a process from before has made since.
        world.needs.add("take over")
    if any("it does not exist, and without the log" in text for text in reported):
        named = {
            name for text in reported for name in (A, B, *DEAD_LETTERS) if f"{name}: it does not exist, and" in text
        }
        if not named & set(world.catalog.tables):
            # It never did: tables are not dropped here.
            world.needs.add("new")
    topics = (
        "comes first and is not committed yet, and no open batch",
        "put the table and the topic back into the file",
        NOT_COMING,
    )
    if "edit" in world.happenings and any(named in text for text in reported for named in topics):
        if world.routed:
            return
        world.say("a person gives the tables their topics again")
        of_b = () if B in world.catalog.tables else None
        name = world.pipeline.dead_letter_table
        world.pipeline = pipelines.pipeline(
            (),
            of_b,
            name,
            world.pipeline.batch.max_records,
            world.keep_snapshots,
            tombstones=world.tombstones,
            evolves=world.evolves,
        )
        world.counts["files fixed"] += 1


def missing(world: World, oracle: Oracle) -> list[str]:
    """Per table of the file and source that it takes: offsets from its start on that are not there."""
    out = []
    somewhere: dict[Source, set[int]] = {source: set() for source in world.kafka.records}
    for name, one in world.catalog.tables.items():
        ledger = tagged(one)
        if name in DEAD_LETTERS or ledger is None:
            continue
        for source, covered in ledger.coverage.items():
            before = range(covered.start_offset if world.starts_late else 0)
            somewhere[source] |= {*offsets_of(covered, Kind.DATA, Kind.SKIPPED), *before}
    for table in world.pipeline.tables:
        meta = world.catalog.tables.get(table.name)
        ledger = tagged(meta) if meta else None
        for source, records in world.kafka.records.items():
            if not world.pipeline.takes(table, source.topic) or not records:
                continue
            coverage = ledger.coverage.get(source) if ledger else None
            if meta is None or coverage is None:
                out.append(f"{table.name} has nothing of {source}")
                continue
            if tag_in_ancestry(meta) is not True:
                out.append(f"{table.name} is detached")
                continue
            if coverage.requested:
                out.append(f"{table.name} waits for a backfill of {source}: {coverage.requested}")
            skipped, data = offsets_of(coverage, Kind.SKIPPED), offsets_of(coverage, Kind.DATA)
            rows = {
                r[4]
                for r in world.catalog.live(meta)
                if r and r[1:4] == (source.topic, source.topic_id, source.partition)
            }
            dead_letters, away = (
                oracle.dead_lettered(table.name, source),
                oracle.lost_dead_letters.get((table.name, source), set()),
            )
            there = rows | dead_letters | away
            # A rollback of the table would find no dead letter of the one, and the other is there twice.
            wrong = (redriven_of(coverage) - dead_letters - away) | ((rows & dead_letters) - redriven_of(coverage))
            out += (
                [f"{table.name} has rows {sorted(wrong)} of {source}: redriven or dead letters, not both"]
                if wrong
                else []
            )
            want = {o for o in range(coverage.start_offset, len(records)) if world.expects(records[o])}
            if lost := want - there - skipped:
                out.append(f"{table.name} lacks {sorted(lost)} of {source} (covered: {sorted(lost & data)})")
    return [*out, *(_missing_of_routes(world, oracle) if world.routed else _in_no_table(world, somewhere))]


def _in_no_table(world: World, somewhere: dict[Source, set[int]]) -> list[str]:
    return [
        f"no table ever got {sorted(lost)} of {source}"
        for source, records in world.kafka.records.items()
        if (lost := {o for o, r in enumerate(records) if world.expects(r)} - somewhere[source])
    ]


def _missing_of_routes(world: World, oracle: Oracle) -> list[str]:
    """Offsets whose records are not in each of the tables of their one configuration, and not dead letters."""
    out = [f"batch {batch.batch_id} is not closed" for batch in world.log.planned("p") if not batch.closed]
    for source, records in world.kafka.records.items():
        nowhere = oracle.dead_lettered(NO_TABLE, source) | oracle.excused(NO_TABLE, source)
        for offset, record in enumerate(records):
            due = oracle.routes.due(source, offset)
            if due is None and offset < _started(world, source):
                # No backfill has requested it.
                continue
            if due is None:
                out += [f"no configuration is registered for {offset} of {source}"] if world.expects(record) else []
                continue
            if due.dead and offset not in nowhere:
                out.append(f"{offset} of {source} is no dead letter")
            out += [
                f"{name} lacks {offset} of {source}"
                for name in due.tables
                if not oracle.routes.is_given_up(name) and _lacks(world, oracle, name, source, offset)
            ]
        ledger = oracle.routes.ledger
        if ledger and (left := [r for r in ledger.backfills_left if r.source == source]):
            out.append(f"a backfill of all tables waits for {left}")
        mark = ledger.mark.get(source) if ledger and ledger.mark else None
        if records and (mark is None or mark.prefix_end < len(records)):
            out.append(f"the mark has {source} up to {mark.prefix_end if mark else None} of {len(records)}")
        if ledger and any(r.source == source for some in ledger.behind.values() for r in some):
            out.append(f"tables are behind: {ledger.behind}")
    return out


def _started(world: World, source: Source) -> int:
    return next((s.start_offset for s in world.log.streams("p", LIVE) if s.source == source), 0)


def _lacks(world: World, oracle: Oracle, name: str, source: Source, offset: int) -> bool:
    meta = world.catalog.tables.get(name)
    ledger = tagged(meta) if meta else None
    if meta is None or ledger is None or tag_in_ancestry(meta) is not True:
        return True
    row = (source.topic, source.topic_id, source.partition, offset)
    if any(r and r[1:] == row for r in world.catalog.live(meta)):
        return False
    there = oracle.dead_lettered(name, source) | oracle.excused(name, source)
    gaps = offsets_of(ledger.coverage.get(source), Kind.SKIPPED, Kind.ACCEPTED_LOSS)
    return offset not in there | gaps


def excuse(world: World, lacking: list[str]) -> str | None:
    """Why a person must act: only what the faults of this seed make legitimate."""
    if any(tag_in_ancestry(meta) is None for meta in world.catalog.tables.values()):
        return "expired ancestry between head and tag"
    if "by hand" in world.happenings and "expire" in world.happenings:
        return "rolled back by hand to where history has expired"
    if lost := _lost_name(world):
        return lost
    if lacking and all(text.startswith("no table ever got") for text in lacking) and "edit" in world.happenings:
        return "a topic was given to another table while what the first had of it was taken out or given up"
    if "retention" in world.happenings and world.happenings & RISKY:
        return "Kafka dropped what must be read again"
    return None


def _lost_name(world: World) -> str | None:
    """Then it is unknown which records are dead letters already: docs/guarantees.md."""
    renamed = len(world.dead_letter_names) > 1 and "edit" in world.happenings
    if renamed and world.happenings & {"take over", "announced"}:
        return "the dead-letter table was renamed, and the log that knew the old one is lost, or older than that"
    return None


# Nothing that harms a log or a table, and nothing that takes rows out.
HARMLESS = {"backfill", "replace", "redrive"}
RISKY = {"by hand", "take over", "announced", "edit", "files", "columns", "expire"}
