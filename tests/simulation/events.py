"""What happens in a world: drawn per seed, in an order of its own."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from lakelock.backfill.span import Span
from lakelock.model.ledger import Mode
from lakelock.redrive.redrive_preview import RedriveRequest
from lakelock.testing.kafka import BAD, EXTRA, EXTRAS, GOOD, NEW, NONE, OLD, OTHER_EXTRA, TOMBSTONE, extra_of
from lakelock.testing.log_rows import LogRows
from lakelock.testing.table_reading import OWNER

from simulation import pipelines, routes
from simulation.oracle import safe_low, tagged
from simulation.pipelines import APART, DEAD_LETTERS, SOURCES, A, B, X, Y
from simulation.processes import Backfill, Compact, Ingest, Rebind, Recover, Redrive, Replace, Retire, RollBack
from simulation.world import Violation, World

Event = Callable[[World], None]
MODES = (Mode.RECOMMIT, Mode.REPLAY, Mode.SKIP)


def produce(world: World) -> None:
    rng = world.rng
    # Not both of those that fit some columns only: with them the number of those that fit could stay what it was.
    kinds = (GOOD, GOOD, GOOD, BAD, world.choosy, world.choosy, NONE) if world.dead_letters else (GOOD, GOOD, NONE)
    if world.dead_letters or world.tombstones == "skip":
        kinds = (*kinds, TOMBSTONE)
    if world.evolves:
        kinds = (*kinds, EXTRA, EXTRA, OTHER_EXTRA)
    for source in world.kafka.records:
        count = rng.randrange(4)
        world.kafka.records[source] += [_record(world, rng.choice(kinds)) for _ in range(count)]
        world.counts["records"] += count


def _record(world: World, kind: int) -> int:
    return routes.record(kind, world.rng.choice(world.words)) if world.routed else kind


def ingest(world: World) -> None:
    Ingest(world, now=world.rng.random() < 0.8).start()


def window(world: World) -> None:
    """A window, and its commits as they come due."""
    rng = world.rng
    Ingest(world, now=rng.random() < 0.8, window_s=rng.choice((2.0, 5.0)), beside=rng.randrange(4)).start()


def two_ingests(world: World) -> None:
    ingest(world)
    ingest(world)


def rollback(world: World) -> None:
    names = sorted(n for n, m in world.catalog.tables.items() if OWNER in m.properties and n not in DEAD_LETTERS)
    if not names:
        return
    rng = world.rng
    name, mode = rng.choice(names), rng.choice(MODES)
    meta = world.catalog.get(name)
    past = meta.ancestry(meta.head)[1:]
    to = str(rng.choice(past).snapshot_id) if past and rng.random() < 0.5 else f"last:{rng.randrange(1, 3)}"
    world.happenings.add(f"rollback {mode.value}")
    RollBack(world, name, to, mode).start()


def recover(world: World) -> None:
    Recover(world, world.rng.choice(MODES)).start()


def by_hand(world: World) -> None:
    if names := sorted(n for n in world.catalog.tables if _can_go_back(world, n)):
        world.counts["rollbacks by hand"] += 1
        _set_back(world, world.rng.choice(names))


def _can_go_back(world: World, name: str) -> bool:
    meta = world.catalog.get(name)
    return len(meta.ancestry(meta.head)) > 1


def _set_back(world: World, name: str) -> None:
    meta = world.catalog.get(name)
    to = world.rng.choice(meta.ancestry(meta.head)[1:4]).snapshot_id
    world.say(f"{name} is set back to {to} by hand")
    world.happenings.add("by hand")
    world.catalog.set_back(name, to)


def lose_dead_letters(world: World) -> None:
    """The dead-letter table itself: set back by hand, with other columns, or without files that wait for it."""
    rng = world.rng
    there = [n for n in DEAD_LETTERS if n in world.catalog.tables]
    if (names := [n for n in there if _can_go_back(world, n)]) and rng.random() < 0.6:
        world.counts["rollbacks of dead letters by hand"] += 1
        _set_back(world, rng.choice(names))
        if rng.random() < 0.3:
            append(world)
        Recover(world, rng.choice(MODES)).start()
        return
    if there and rng.random() < 0.5:
        _turn_columns(world, rng.choice(there))
        return
    world.advance(4000.0)
    lose_files(world)


def _any_table(world: World) -> str | None:
    names = sorted(n for n, meta in world.catalog.tables.items() if meta.head)
    return world.rng.choice(names) if names else None


def append(world: World) -> None:
    if name := _any_table(world):
        world.say(f"an engine appends to {name}")
        world.catalog.append(name)


def compact(world: World) -> None:
    if name := _any_table(world):
        world.say(f"an engine compacts {name}")
        world.catalog.compact(name)


def rewrite(world: World) -> None:
    """Our own compaction."""
    names = sorted(n for n, meta in world.catalog.tables.items() if OWNER in meta.properties)
    if names:
        Compact(world, world.rng.choice(names)).start()


def backfill(world: World) -> None:
    rng = world.rng
    first = rng.randrange(8)
    if rng.random() < 0.6 and (there := _not_there(world)):
        first = max(0, rng.choice(there) - rng.randrange(3))
    start, end = (datetime.fromtimestamp(ms / 1000, UTC) for ms in (first, first + rng.randrange(1, 12)))
    table = rng.choice([None, *(t.name for t in world.pipeline.tables)])
    if world.routed and rng.random() < 0.7:
        table = None
    world.happenings.add("backfill")
    Backfill(world, Span(start, end, table)).start()


def replace(world: World) -> None:
    rng = world.rng
    first = rng.choice((0, 0, rng.randrange(8)))
    start, end = (datetime.fromtimestamp(ms / 1000, UTC) for ms in (first, first + rng.randrange(2, 12)))
    world.happenings.add("replace")
    Replace(world, Span(start, end, rng.choice([None, *(t.name for t in world.pipeline.tables)]))).start()


def redrive(world: World) -> None:
    """Mostly by a person who has fixed the columns of a table first."""
    rng = world.rng
    if rng.random() < 0.6 and (name := _any_table(world)) and name not in DEAD_LETTERS:
        _fix(world, name)
    table = rng.choice([None, *(t.name for t in world.pipeline.tables)])
    if world.routed and rng.random() < 0.7:
        table = rng.choice([None, *sorted(routes.ROUTED & world.catalog.tables.keys())])
    first = rng.randrange(8)
    part = RedriveRequest(table, APART[0].topic, APART[0].partition, first, first + rng.randrange(1, 12))
    world.happenings.add("redrive")
    Redrive(world, part if rng.random() < 0.3 else RedriveRequest(table)).start()


def _fix(world: World, name: str) -> None:
    """Gives it the columns that the records need which fit some only."""
    if (variant := world.choosy - OLD) != world.catalog.get(name).variant:
        world.say(f"{name} is fixed: columns of variant {variant}")
        world.happenings.add("columns")
        world.catalog.change_columns(name, variant)


def fix(world: World) -> None:
    for name in sorted(world.catalog.tables):
        if name not in DEAD_LETTERS:
            _fix(world, name)


def _not_there(world: World) -> list[int]:
    """Offsets that some table does not have, and nothing loads by itself."""
    ledgers = [
        ledger for meta in world.catalog.tables.values() if (ledger := tagged(meta)) and meta.name not in DEAD_LETTERS
    ]
    gaps = [r.start for ledger in ledgers for r, _ in ledger.coverage.gaps]
    return gaps + [0 for ledger in ledgers for covered in ledger.coverage.values() if covered.start_offset]


def expire(world: World) -> None:
    if name := _any_table(world):
        keep = world.rng.choice((1, 2, 3))
        world.say(f"an engine expires snapshots of {name}, {keep} stay")
        world.happenings.add("expire")
        world.catalog.expire(name, keep, files_too=_quiet(world))


def _quiet(world: World) -> bool:
    """No process is between looking for files and committing them: beside that, only a condition of the promise helps."""
    return not (world.runnable or world.sleeping or world.late)


def columns(world: World) -> None:
    if (name := _any_table(world)) and name not in DEAD_LETTERS:
        if world.rng.random() < 0.4:
            world.say(f"{name} gets another column, which no record needs")
            world.happenings.add("columns")
            world.catalog.change_columns(name, world.catalog.get(name).variant)
        else:
            _turn_columns(world, name)


def extras(world: World) -> None:
    """Another engine adds or drops columns that records of some kinds need."""
    if (name := _any_table(world)) and name not in DEAD_LETTERS:
        names = {extra_of(kind) for kind in EXTRAS if world.rng.random() < 0.5}
        world.say(f"{name} has the extra columns {sorted(names)} now")
        world.happenings.add("columns")
        world.catalog.change_extras(name, names)


def _turn_columns(world: World, name: str) -> None:
    variant = 1 - world.catalog.get(name).variant
    world.say(f"{name} gets columns of variant {variant}")
    world.happenings.add("columns")
    world.catalog.change_columns(name, variant)


def edit(world: World) -> None:
    rng = world.rng
    if world.routed:
        world.rules = rng.randrange(len(routes.RULES))
        world.pipeline = world.file(rng.choice((2, 3, 5, 100)))
        world.happenings.add("edit")
        world.say(f"the file is edited: rules {world.rules}, {world.pipeline.batch.max_records} records")
        return
    of_a, of_b = rng.choice((((), None), ((), ()), ((X,), (Y,)), ((), (Y,)), ((X,), ())))
    dead_letters = world.dead_letter_names[rng.randrange(len(world.dead_letter_names))]
    world.pipeline = pipelines.pipeline(
        of_a,
        of_b,
        dead_letters,
        rng.choice((2, 3, 5, 100)),
        world.keep_snapshots,
        tombstones=world.tombstones,
        evolves=world.evolves,
    )
    world.happenings.add("edit")
    world.say(f"the file is edited: {A} {of_a}, {B} {of_b}, {dead_letters}, {world.pipeline.batch.max_records} records")


def drop(world: World) -> None:
    """A person drops a routed table. Later it is put back, or another one takes its place."""
    names = sorted(routes.ROUTED & world.catalog.tables.keys() - world.static.keys())
    if names:
        name = world.rng.choice(names)
        world.dropped[name] = world.catalog.get(name)
        # A process that runs may have read the dead-letter table before it named this one.
        if _registered(world, name) == world.dropped[name].uuid and all(actor.done for actor in world.actors):
            world.known.add(name)
        world.catalog.drop(name)
        world.happenings.add("drop")
        world.counts["tables dropped"] += 1
        world.say(f"{name} is dropped")


def retire(world: World) -> None:
    """A person retires a routed table, mostly one that was dropped."""
    names = sorted(name for name in routes.ROUTED - world.static.keys() if _registered(world, name))
    if dropped := sorted(world.dropped.keys() & set(names)) if world.rng.random() < 0.6 else []:
        names = dropped
    if names:
        world.happenings.add("retire")
        Retire(world, world.rng.choice(names)).start()


def put_back(world: World) -> None:
    """A person registers dropped tables again, or lets other tables take their places."""
    for name, meta in sorted(world.dropped.items()):
        if name in world.catalog.tables:
            if name in world.known:
                raise Violation(f"created again: {name}, which was dropped, is there as {world.catalog.get(name).uuid}")
            # It was not registered yet when it was dropped, or not to a process that ran. Perhaps a process did that since.
            del world.dropped[name]
            if _registered(world, name) == meta.uuid:
                world.catalog.drop(name)
                world.catalog.register(meta)
            continue
        if world.rng.random() < 0.5:
            del world.dropped[name]
            world.known.discard(name)
            world.catalog.register(meta)
            world.say(f"{name} is registered again")
        else:
            Rebind(world, name).start()


def _registered(world: World, name: str) -> str | None:
    """UUID of the table that the dead-letter table names."""
    meta = world.catalog.tables.get(DEAD_LETTERS[0])
    ledger = tagged(meta) if meta else None
    known = ledger.registry.tables.get(name) if ledger and ledger.registry else None
    return known.uuid if known else None


def retention(world: World) -> None:
    if not _quiet(world):
        # What an operator has approved to be read again is not dropped before that is planned.
        return
    for source, low in safe_low(world).items():
        world.kafka.low[source] = max(world.kafka.low[source], low)
    world.happenings.add("retention")
    world.say(f"retention: {world.kafka.low}")


def partition(world: World) -> None:
    if SOURCES[2] not in world.kafka.records:
        world.kafka.add(SOURCES[2])
        world.say(f"a new partition: {SOURCES[2]}")


def time(world: World) -> None:
    seconds = world.rng.choice((10.0, 40.0, 40.0, 4000.0, 90_000.0))
    world.say(f"{seconds} s pass")
    world.advance(seconds)


def lose_log(world: World) -> None:
    world.log.restore(LogRows(f"inst-{world.number()}"))
    world.backups.clear()
    _lost(world, "take over", "Postgres is lost, an empty one takes its place")


def backup(world: World) -> None:
    world.backups.append(world.log.backup())
    world.say("Postgres is copied")


def restore_log(world: World) -> None:
    if world.backups and ("columns" not in world.happenings or _quiet(world)):
        world.log.restore(world.rng.choice(world.backups))
        _lost(world, "announced", "Postgres is restored to an earlier copy")


def _lost(world: World, need: str, what: str) -> None:
    world.needs.add(need)
    world.losses += 1
    world.claims.clear()
    world.happenings.add(need)
    world.counts["Postgres lost or restored"] += 1
    world.say(what)


def lose_files(world: World) -> None:
    """A clean-up of orphans by another tool takes what no snapshot names, staged files that are old included."""
    if not _quiet(world):
        return
    named = {f for meta in world.catalog.tables.values() for s in meta.snapshots.values() for f in s.files}
    old = {
        f.path
        for p in world.log.state.parts.values()
        if p.state == "staged" and p.staged_at < world.now - 3700
        for f in p.files
    }
    world.catalog.deleted |= old - named
    if old - named:
        world.happenings.add("files")
        world.say(f"a clean-up takes {sorted(old - named)}")


def wake(world: World) -> None:
    world.wake(everybody=True)


KINDS: dict[str, tuple[Event, int]] = {
    "rollback": (rollback, 3), "recover": (recover, 1), "by hand": (by_hand, 1), "append": (append, 1),
    "compact": (compact, 1), "expire": (expire, 1), "columns": (columns, 2), "edit": (edit, 2),
    "retention": (retention, 1), "partition": (partition, 1), "time": (time, 2), "lose": (lose_log, 1),
    "backup": (backup, 2), "restore": (restore_log, 1), "files": (lose_files, 1), "wake": (wake, 2), "rewrite": (rewrite, 2),
    "letters": (lose_dead_letters, 2), "backfill": (backfill, 3), "replace": (replace, 3), "redrive": (redrive, 3),
}  # fmt: skip
# Events that come only to worlds whose columns follow the records, and to those that are about them.
# Events that come only to worlds with routes, and those that their product refuses.
OF_ROUTES: dict[str, tuple[Event, int]] = {"drop": (drop, 1), "put back": (put_back, 1), "retire": (retire, 2)}
REFUSED_WITH_ROUTES = ("replace",)
OF_COLUMNS: dict[str, tuple[Event, int]] = {"extras": (extras, 3)}


def _begun_late(world: World, kinds: list[Event]) -> list[Event]:
    """The first events of a world with routes: nothing is requested before something was routed."""
    world.pipeline = world.file(world.pipeline.batch.max_records)
    produce(world)
    produce(world)
    kinds += [backfill] * 6
    return [ingest, produce, ingest, ingest, backfill]


def drawn(world: World, only: Sequence[str] | None = None) -> list[Callable[[], None]]:
    """Produce, ingest, and what else this seed is about."""
    rng = world.rng
    about = rng.sample(sorted(KINDS), rng.choice((0, 1, 2, 3, 4, 6))) if only is None else [*only]
    if world.routed:
        about = [name for name in about if name not in REFUSED_WITH_ROUTES]
        about += ["edit"] * (rng.random() < 0.5)
        about += ["drop", "put back"] * (rng.random() < 0.3)
        # Drawn apart, so that worlds of earlier seeds stay as they were.
        about += ["retire", "drop", "put back"] * (random.Random(f"retire {world.seed}").random() < 0.2)
        world.pipeline = world.file(world.pipeline.batch.max_records)
    begun = False
    if "letters" in about:
        world.dead_letters = True
    if "redrive" in about:
        about.append("columns")
        # Without dead letters there is nothing to redrive.
        world.dead_letters = True
        if begun := rng.random() < 0.7:
            world.choosy = NEW
    # Whether rows fit as they did follows from their count under a partition's number: it may mean one topic only.
    # So a replace has them apart, too.
    for source in APART[:2] if world.routed or world.dead_letters or "replace" in about else SOURCES[:2]:
        world.kafka.add(source)
    if "restore" in about:
        about.append("backup")
    if "backfill" in about:
        about.append("rollback")
        if rng.random() < 0.5:
            # What came before the first run stays before the tables' start.
            world.starts_late = True
            file = world.pipeline
            of_b = () if len(file.tables) > 1 else None
            limits = (file.batch.max_records, world.keep_snapshots)
            world.pipeline = pipelines.pipeline(
                (), of_b, DEAD_LETTERS[0], *limits, "latest", tombstones=world.tombstones, evolves=world.evolves
            )
            produce(world)
    kinds: list[Event] = [produce, produce, ingest, ingest, two_ingests, window, time]
    if world.evolves and random.Random(f"extras {world.seed}").random() < 0.6:
        kinds += [extras, extras]
    for name in about:
        event, weight = (KINDS | OF_COLUMNS | OF_ROUTES)[name]
        kinds += [event] * weight * 2
    first: list[Event] = [produce, ingest]
    if world.routed and world.starts_late:
        first = _begun_late(world, kinds)
    if "redrive" in about and begun:
        first = [produce, produce, ingest, fix, produce, ingest, redrive]
    events = [*first, *(rng.choice(kinds) for _ in range(rng.choice((2, 4, 6, 8, 10, 14, 24))))]
    return [lambda event=event: event(world) for event in events]  # type: ignore[misc]
