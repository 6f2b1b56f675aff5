"""The ledger that a table keeps with its versions, and the refusal of incomplete ones (fail closed)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from lakelock import PROTOCOL_VERSION
from lakelock.errors import LedgerUnreadable, State
from lakelock.model import consistent_cut as cut_codec
from lakelock.model import coverage_text, registry_text, valid_through
from lakelock.model import operator_log as decisions_codec
from lakelock.model.batches import Books, is_target
from lakelock.model.coverage import Coverage
from lakelock.model.offsets import OffsetRange, offsets_in, overlap, without
from lakelock.model.operator_log import PAUSES, Decided, What, paused_by
from lakelock.model.registry import Registry

PREFIX = "lakelock."
# Of a table that lakelock created: the pipeline that did. No pipeline has a hyphen in its name.
CREATED_BY = PREFIX + "created-by"
PROTOCOL = PREFIX + "protocol"
INSTALLATION = PREFIX + "installation"
PIPELINE = PREFIX + "pipeline"
COMMIT_ID = PREFIX + "commit-id"
BATCHES = PREFIX + "batches"
GENERATION = PREFIX + "generation"
CONFIG = PREFIX + "config"
RANGES = PREFIX + "ranges"
RANGES_FILE = PREFIX + "ranges-file"
ROLLBACK = PREFIX + "rollback"
COVERAGE = PREFIX + "coverage"
COVERAGE_FILE = PREFIX + "coverage-file"
DECISIONS = PREFIX + "decisions"
DECISIONS_FILE = PREFIX + "decisions-file"
VALID_THROUGH = PREFIX + "valid-through"
MARK = PREFIX + "mark"
MARK_FILE = PREFIX + "mark-file"
MARK_VALID_THROUGH = PREFIX + "mark-valid-through"
BEHIND = PREFIX + "behind"
BEHIND_FILE = PREFIX + "behind-file"
REGISTRY = PREFIX + "registry"
REGISTRY_FILE = PREFIX + "registry-file"


class SideFile(NamedTuple):
    """A summary value that goes into a file of its own *above_bytes*; *file_key* then has the file's path."""

    what: str
    key: str
    file_key: str
    above_bytes: int


# Every retained version repeats the coverage, and every commit rewrites the metadata that lists them.
SIDE_FILES = (
    SideFile("coverage", COVERAGE, COVERAGE_FILE, 16_384),
    SideFile("ranges", RANGES, RANGES_FILE, 8_192),
    SideFile("decisions", DECISIONS, DECISIONS_FILE, 4_096),
    SideFile("mark", MARK, MARK_FILE, 16_384),
    SideFile("behind", BEHIND, BEHIND_FILE, 4_096),
    SideFile("registry", REGISTRY, REGISTRY_FILE, 4_096),
)
# Of those, the ones that the ledger has: RANGES is of one version alone.
LEDGER_SIDE_FILES = tuple(side for side in SIDE_FILES if side.key != RANGES)


class Mode(Enum):
    """How a rollback treats the batches that it removes from a table."""

    RECOMMIT = "recommit"
    REPLAY = "replay"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Rollback:
    """The rollback behind a table's generation; every own version repeats it until the next rollback."""

    from_version_id: int
    to_version_id: int
    mode: Mode
    who: str
    why: str

    @property
    def line(self) -> str:
        """Text for people. A rebuilt log begins a generation without going back: both versions are the same."""
        way = f"from snapshot {self.from_version_id} to {self.to_version_id}"
        if self.from_version_id == self.to_version_id:
            way = f"at snapshot {self.to_version_id}, which stayed current"
        return f"{way}, {self.mode.value}, by {self.who}: {self.why}"


@dataclass(frozen=True, slots=True)
class Ledger:
    """Contents of the newest own version, for one (table, branch, pipeline).

    Every own version repeats *decisions*; a rollback never removes any, whichever version it goes back to. All
    records with timestamps before *valid_through_ms* are in the table; None if unknown.

    Only the dead-letter table of a pipeline with routes has the others. *mark* covers the offsets in which every table of
    *registry* is complete, except for what a table owes, and for the ranges that a table in *behind* lacks. It never shrinks. All
    records with timestamps before *mark_through_ms* are marked; None if unknown.
    """

    installation_id: str
    pipeline: str
    commit_id: str
    generation: int
    config_digest: str
    coverage: Coverage
    rollback: Rollback | None = None
    decisions: tuple[Decided, ...] = ()
    valid_through_ms: int | None = None
    mark: Coverage | None = None
    registry: Registry | None = None
    behind: Mapping[str, tuple[OffsetRange, ...]] = field(default_factory=dict)
    mark_through_ms: int | None = None

    def decided(self, commit_id: str, coverage: Coverage, decisions: tuple[Decided, ...]) -> Ledger:
        """After a decision that changed *coverage*; the valid-through time is then unknown."""
        return replace(self, commit_id=commit_id, coverage=coverage, decisions=decisions, valid_through_ms=None)

    @property
    def is_used(self) -> bool:
        """Whether it records anything beyond the table's adoption."""
        taken = any(covered.intervals or covered.requested for covered in self.coverage.values())
        return self.generation > 0 or taken or self.mark is not None or self.registry is not None

    @property
    def paused(self) -> Decided | None:
        """The decision that pauses commits to the table, if one is in force."""
        return paused_by(self.decisions)

    def paused_or_resumed(self, said: Decided) -> Ledger:
        """After *said*, a pause or a resume. Every commit repeats all decisions: only the newest of these is kept."""
        others = tuple(d for d in self.decisions if d.what not in PAUSES)
        return replace(self, decisions=(*others, said))

    @property
    def holds_dead_letters(self) -> bool:
        """Whether it is a dead-letter table's ledger; False while its coverage is empty.

        Judged by the coverage alone, because the log may have been lost.
        """
        return any(is_target(source) for source in self.coverage)

    @property
    def backfills_left(self) -> list[OffsetRange]:
        """Ranges that backfills of all routed tables have requested, and that are not complete."""
        return without(self.registry.backfilled if self.registry else (), self.mark.ranges if self.mark else ())

    @property
    def waits_for_backfills(self) -> bool:
        """Whether a requested backfill of all routed tables is not complete in each of them."""
        backfilled = self.registry.backfilled if self.registry else []
        behind = [r for ranges in self.behind.values() for r in ranges] if backfilled else []
        return bool(self.backfills_left or overlap(backfilled, behind))

    @property
    def size(self) -> int:
        """Grows with every record under one generation: of two ledgers the larger one is newer."""
        # A backfill request may replace a gap, so it must weigh more than the gap.
        requested = [r for d in self.decisions if d.what is What.BACKFILL for r in d.ranges]
        return self.coverage.size + 2 * offsets_in(requested) + (self.mark.size if self.mark else 0)


def registry_of(ledgers: Iterable[Ledger]) -> Registry | None:
    """What those of *ledgers* name that have a registry, the current one first."""
    found = [ledger.registry for ledger in ledgers if ledger.registry is not None]
    return found[0].joined(found[1:]) if found else None


def owner_property(pipeline: str) -> str:
    return PREFIX + pipeline


def owners_in(properties: Mapping[str, str]) -> dict[str, str]:
    """Installations of the pipelines that own a table with these *properties*, by pipeline."""
    owners = (key for key in properties if key.startswith(PREFIX) and key != CREATED_BY)
    return {key.removeprefix(PREFIX): properties[key] for key in owners}


def parse(summary: Mapping[str, str], table: str) -> Ledger:
    """Parse an own version's summary; raises LedgerUnreadable."""
    version = summary.get(PROTOCOL)
    if version != str(PROTOCOL_VERSION):
        raise LedgerUnreadable(
            f"{table}: the ledger has protocol {version!r}, but this release knows {PROTOCOL_VERSION}.",
            State.NOTHING_CHANGED,
            "Upgrade lakelock where this pipeline runs.",
        )
    try:
        return Ledger(
            installation_id=summary[INSTALLATION],
            pipeline=summary[PIPELINE],
            commit_id=summary[COMMIT_ID],
            generation=int(summary[GENERATION]),
            config_digest=summary[CONFIG],
            coverage=coverage_text.decode(summary[COVERAGE]),
            rollback=rollback_of(summary[ROLLBACK]) if ROLLBACK in summary else None,
            decisions=decisions_codec.decode(summary[DECISIONS]) if DECISIONS in summary else (),
            valid_through_ms=valid_through.of_text(summary[VALID_THROUGH]) if VALID_THROUGH in summary else None,
            mark=coverage_text.decode(summary[MARK]) if MARK in summary else None,
            registry=registry_text.decode(summary[REGISTRY]) if REGISTRY in summary else None,
            behind=cut_codec.decode(summary[BEHIND]) if BEHIND in summary else {},
            mark_through_ms=valid_through.of_text(summary[MARK_VALID_THROUGH])
            if MARK_VALID_THROUGH in summary
            else None,
        )
    except (KeyError, ValueError, TypeError, AttributeError) as fault:
        raise LedgerUnreadable(
            f"{table}: the newest lakelock snapshot has no valid ledger ({type(fault).__name__}: {fault}).",
            State.NOTHING_CHANGED,
            "Another tool changed or truncated its properties: roll the table back to a snapshot that has them intact.",
        ) from fault


def summary(ledger: Ledger, batch_ids: Iterable[str], books: Iterable[Books]) -> dict[str, str]:
    """Summary keys of an own version. RANGES: [topic id, partition, start, end, read, written, dead, filtered]."""
    out = {
        PROTOCOL: str(PROTOCOL_VERSION),
        INSTALLATION: ledger.installation_id,
        PIPELINE: ledger.pipeline,
        COMMIT_ID: ledger.commit_id,
        BATCHES: ",".join(batch_ids),
        GENERATION: str(ledger.generation),
        CONFIG: ledger.config_digest,
        RANGES: f"[{','.join(map(_row, books))}]",
        COVERAGE: coverage_text.encode(ledger.coverage),
    }
    if ledger.rollback is not None:
        out[ROLLBACK] = rollback_text(ledger.rollback)
    if ledger.decisions:
        out[DECISIONS] = decisions_codec.encode(ledger.decisions)
    if ledger.valid_through_ms is not None:
        out[VALID_THROUGH] = valid_through.text(ledger.valid_through_ms)
    if ledger.mark is not None:
        out[MARK] = coverage_text.encode(ledger.mark)
    if ledger.mark_through_ms is not None:
        out[MARK_VALID_THROUGH] = valid_through.text(ledger.mark_through_ms)
    if ledger.behind:
        out[BEHIND] = cut_codec.encode(ledger.behind)
    if ledger.registry is not None:
        out[REGISTRY] = registry_text.encode(ledger.registry)
    return out


def ranges_of(text: str, coverage: Coverage) -> tuple[OffsetRange, ...]:
    """Ranges of a version's own parts, from RANGES; *coverage* is that after it. Raises KeyError or ValueError."""
    sources = {(s.topic_id, s.partition): s for s in coverage}
    return tuple(OffsetRange(sources[topic_id, p], start, end) for topic_id, p, start, end, *_ in json.loads(text))


def rollback_text(record: Rollback) -> str:
    return json.dumps(
        {
            "from": record.from_version_id,
            "to": record.to_version_id,
            "mode": record.mode.value,
            "who": record.who,
            "why": record.why,
        }
    )


def rollback_of(text: str) -> Rollback:
    """Raises KeyError, ValueError or LedgerUnreadable for text that `rollback_text` does not write."""
    found = json.loads(text)
    return Rollback(
        found["from"],
        found["to"],
        Mode(found["mode"]),
        found["who"],
        found["why"],
    )


def _row(b: Books) -> str:
    source = b.range.source
    numbers = f"{source.partition},{b.range.start},{b.range.end},{b.read},{b.written},{b.dead},{b.filtered}"
    return f"[{_quoted(source.topic_id)},{numbers}]"


@lru_cache(maxsize=1024)
def _quoted(text: str) -> str:
    return json.dumps(text)
