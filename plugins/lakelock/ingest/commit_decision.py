"""Decide when staged parts of a table are due, and for each: append, mark, wait, write again or refuse."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from lakelock.model.batches import Books, DataFile, StagedPart, covered_range
from lakelock.model.coverage import Coverage, Interval, SourceCoverage
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source, without
from lakelock.model.route_evidence import RouteEvidence


@dataclass(frozen=True, slots=True)
class TableStanding:
    """Identity and ledger of the table as just loaded.

    *misfits* has the layouts whose files must not be committed to it, with reasons.
    """

    uuid: str
    ledger: Ledger
    misfits: Mapping[str, str] = field(default_factory=dict)


# The dead-letter coverage, declared losses included, that a part's rows wait for.
DeadLetters = Callable[[StagedPart], Coverage]


@dataclass(frozen=True, slots=True)
class Decision:
    """Disjoint outcomes for the staged parts of one table, each in planning order.

    * *append* lands in one snapshot with `coverage`.
    * *mark* is in the table already.
    * *waiting* must not land yet, with the reason; `hole` says what is missing before the first of them.
    * *rewrite* was written for a layout that no longer fits or under an older generation, or has dead letters that are
      in the table only in part.
    * *again* can never land as it is, with the reason and the ranges to read instead: the table has it only in part, or
      as a gap.
    * *refused* was staged under a generation that the table does not know. An operator must act.
    * *replaced* was written for another table.
    """

    append: tuple[StagedPart, ...] = ()
    mark: tuple[StagedPart, ...] = ()
    waiting: tuple[tuple[StagedPart, str], ...] = ()
    rewrite: tuple[tuple[StagedPart, str], ...] = ()
    again: tuple[tuple[StagedPart, str, tuple[OffsetRange, ...]], ...] = ()
    refused: tuple[tuple[StagedPart, str], ...] = ()
    replaced: tuple[StagedPart, ...] = ()
    hole: str | None = None
    coverage: Coverage = field(default_factory=Coverage)

    @property
    def files(self) -> tuple[DataFile, ...]:
        return tuple(f for part in self.append for f in part.result.files)

    @property
    def books(self) -> tuple[Books, ...]:
        return tuple(b for part in self.append for b in part.result.books)


def decide(
    parts: Sequence[StagedPart],
    standing: TableStanding,
    starts: Mapping[Source, int],
    dead_letters: DeadLetters,
    evidence: RouteEvidence | None = None,
) -> Decision:
    """Decide each part in planning order, against the coverage that the parts before it leave.

    Offsets that are read again for an earlier place were planned later, so waiting parts are decided again after
    others landed. *starts* gives the declared start of sources that the ledger does not know. *dead_letters* is the
    dead-letter coverage that counts for a part. Parts of dead-letter tables keep no order, because their coverage has
    only the ranges with dead letters. For a routed table, *evidence* from before the parts were read fills offsets between
    them, and its parts also wait for the dead letters without a table.
    """
    # A part that is newer than the evidence is never taken for filled.
    fill = without(evidence.filled(standing.ledger.coverage), [r for p in parts for r in p.ranges]) if evidence else []
    out = _Deciding(standing, starts, dead_letters, standing.ledger.coverage, evidence, fill)
    out.coverage = out.filled_up(out.coverage)
    pending = sorted(parts, key=lambda p: p.sequence)
    while pending:
        landing, out.waiting, out.hole = len(out.append), [], None
        for part in pending:
            out.take(part)
        if len(out.append) == landing:
            out.close_ranks()
        pending = [p for p, _ in out.waiting] if len(out.append) > landing else []
    return Decision(
        tuple(out.append),
        tuple(out.mark),
        tuple(out.waiting),
        tuple(out.rewrite),
        tuple(out.again),
        tuple(out.refused),
        tuple(out.replaced),
        out.hole,
        out.coverage,
    )


@dataclass
class _Deciding:
    standing: TableStanding
    starts: Mapping[Source, int]
    dead_letters: DeadLetters
    coverage: Coverage
    evidence: RouteEvidence | None = None
    fill: Sequence[OffsetRange] = ()
    append: list[StagedPart] = field(default_factory=list)
    mark: list[StagedPart] = field(default_factory=list)
    waiting: list[tuple[StagedPart, str]] = field(default_factory=list)
    rewrite: list[tuple[StagedPart, str]] = field(default_factory=list)
    again: list[tuple[StagedPart, str, tuple[OffsetRange, ...]]] = field(default_factory=list)
    refused: list[tuple[StagedPart, str]] = field(default_factory=list)
    replaced: list[StagedPart] = field(default_factory=list)
    hole: str | None = None

    def take(self, part: StagedPart) -> None:
        identity, generation = part.result.identity, self.standing.ledger.generation
        if identity.uuid != self.standing.uuid:
            self.replaced.append(part)
        elif any(self.coverage.lacking(r) != self.standing.ledger.coverage.lacking(r) for r in part.ranges):
            # The part that lands now is not in the table yet, and may be refused. This one is decided after it.
            self.waiting.append((part, "another part with some of its offsets is being committed"))
        elif all(self.coverage.contains(r) for r in part.ranges):
            self._found(part)
        elif any(self.coverage.touches(r) for r in part.ranges):
            self._in_part(part)
        elif identity.generation > generation:
            self._refuse(part)
        elif reason := self._outdated(part):
            self.rewrite.append((part, reason))
        elif undecided := self._undecided(part):
            self.waiting.append(
                (
                    part,
                    f"the dead letters of {_listed(undecided)} for which no table is known are not in the dead-letter table yet",
                )
            )
        elif not part.result.target and (gap := _gap(part, self.coverage, self.starts)):
            self.hole = self.hole if self.waiting else gap
            self.waiting.append((part, gap))
        elif not part.result.target and (missing := _missing_dead_letters(part, self.dead_letters)):
            self.waiting.append((part, f"the dead letters of {_listed(missing)} are not in the dead-letter table yet"))
        else:
            self._land(part)

    def _found(self, part: StagedPart) -> None:
        """Decide a part that coverage contains.

        A gap has no rows. A backfill may read it later, and the files of this part must never land with it.
        """
        if part.result.target or all(self.coverage.has_records(r) for r in part.ranges):
            self.mark.append(part)
        elif part.result.identity.generation > self.standing.ledger.generation:
            self._refuse(part)
        else:
            self.again.append((part, "its offsets were left out of the table", ()))

    def _in_part(self, part: StagedPart) -> None:
        """Decide a part that coverage contains only in part.

        Dead letters are written again whole, because the rows beside them were written for the whole range.
        """
        reason = "it is only partly in the table"
        if part.result.target:
            self.rewrite.append((part, reason))
        else:
            self.again.append((part, reason, tuple(g for r in part.ranges for g in self.coverage.lacking(r))))

    def _refuse(self, part: StagedPart) -> None:
        staged, now = part.result.identity.generation, self.standing.ledger.generation
        self.refused.append((part, f"staged under generation {staged}, but the table is at {now}"))

    def close_ranks(self) -> None:
        """Land parts that wait only for each other: each has offsets that come before another's range."""
        chosen = [p for p, why in self.waiting if why == _gap(p, self.coverage, self.starts)]
        while chosen:
            together, fitting = self.coverage, []
            for part in chosen:
                if not any(together.touches(r) for r in part.ranges) and not _missing_dead_letters(
                    part, self.dead_letters
                ):
                    together = self._with(together, part)
                    fitting.append(part)
            lasting = [p for p in fitting if not _gap(p, together, self.starts)]
            if len(lasting) == len(chosen):
                break
            chosen = lasting
        for part in chosen:
            self._land(part)
        if chosen:
            self.waiting, self.hole = [(p, why) for p, why in self.waiting if p not in chosen], None

    def _land(self, part: StagedPart) -> None:
        self.append.append(part)
        self.coverage = self._with(self.coverage, part)

    def _with(self, coverage: Coverage, part: StagedPart) -> Coverage:
        return self.filled_up(coverage.adding(part.books, self.starts, self.standing.ledger.generation))

    def filled_up(self, coverage: Coverage) -> Coverage:
        """*coverage* with the filled ranges that follow what it has: others wait, so that it stays a prefix."""
        grown: dict[Source, SourceCoverage] = {}
        for r in self.fill:
            covered = (
                grown.get(r.source) or coverage.get(r.source) or SourceCoverage(self.starts.get(r.source, r.start))
            )
            if covered.prefix_end >= r.start and covered.missing(r.start, r.end):
                grown[r.source] = covered.with_interval(Interval(r.start, r.end, self.standing.ledger.generation))
        return Coverage({**coverage, **grown}) if grown else coverage

    def _undecided(self, part: StagedPart) -> list[OffsetRange]:
        """Ranges of a routed table's part in which a record may still turn out to be a dead letter without a table.

        If the log were lost after the part landed, such a record could become a row that the table seems to have.
        """
        return [] if self.evidence is None else self.evidence.undecided(part.ranges)

    def _outdated(self, part: StagedPart) -> str:
        identity, now = part.result.identity, self.standing
        if identity.generation < now.ledger.generation:
            return f"the table was rolled back to generation {now.ledger.generation}"
        return now.misfits.get(identity.layout, "")


def _gap(part: StagedPart, coverage: Coverage, starts: Mapping[Source, int]) -> str | None:
    """Reason why the part would leave a hole, or None. Coverage is a prefix of each source, from its declared start."""
    for r in part.ranges:
        covered = coverage.get(r.source)
        reached = covered.prefix_end if covered else starts.get(r.source, r.start)
        if reached < r.start:
            return f"{r.source} [{reached}, {r.start}) comes first and is not committed yet"
    return None


def _missing_dead_letters(part: StagedPart, dead_letters: DeadLetters) -> list[OffsetRange]:
    dead = [b.range for b in part.result.books if b.dead]
    there = dead_letters(part) if dead else Coverage()
    return [r for r in dead if not there.contains(covered_range(r, part.result.table))]


def _listed(ranges: Sequence[OffsetRange]) -> str:
    shown = ", ".join(str(r) for r in ranges[:3])
    return shown if len(ranges) <= 3 else f"{shown} and {len(ranges) - 3} more"


def due_in_s(
    staged_bytes: int, oldest_age_s: float, has_rows: bool, min_bytes: int, max_latency_s: float, now: bool
) -> float:
    """Seconds until staged parts are due. Offsets without rows may wait longer: they only save re-reading."""
    if now or staged_bytes >= min_bytes:
        return 0.0
    patience_s = max_latency_s if has_rows else max(max_latency_s * 5, 300.0)
    return max(0.0, patience_s - oldest_age_s)
