"""The preview of a redrive that a person approves, and its outcome."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from lakelock.gaps.gap_preview import Which
from lakelock.ingest.outcome import CommitOutcome, listed, without_links
from lakelock.model.batches import NO_TABLE
from lakelock.model.offsets import OffsetRange, offsets_in, overlap, united
from lakelock.model.operator_log import What
from lakelock.model.units import counted

CAUSES_SHOWN = 5
TABLES_SHOWN = 10
_ASSIGNED = f"{NO_TABLE}>"


@dataclass(frozen=True, slots=True)
class RedriveRequest:
    """Selects dead letters: of all tables if none is named, and with any *reason* unless a text in it is given."""

    table: str | None = None
    topic: str | None = None
    partition: int | None = None
    start: int | None = None
    end: int | None = None
    reason: str | None = None

    @property
    def which(self) -> Which:
        return Which(What.REDRIVE, self.topic, self.partition, self.start, self.end)

    @property
    def whole(self) -> RedriveRequest:
        """The same sources with all offsets and any reason."""
        return replace(self, start=None, end=None, reason=None)

    def of(self, ranges: Sequence[OffsetRange]) -> list[OffsetRange]:
        """The selected pieces of *ranges*."""
        mine = [r for r in ranges if self.which.takes(r.source)]
        if self.start is None or self.end is None:
            return mine
        start, end = self.start, self.end
        return overlap(mine, [OffsetRange(source, start, end) for source in sorted({r.source for r in mine})])

    @property
    def about(self) -> str:
        offsets = "" if self.start is None else f" [{self.start}, {self.end})"
        reason = "" if self.reason is None else f", reason with {self.reason!r}"
        return f"{self.which.about}{offsets}{reason}"


@dataclass(frozen=True, slots=True)
class ApprovedTable:
    """A table and its dead-letter tables as they were at the preview; *digest* is of the file that routes dead letters."""

    generation: int
    version_id: int
    dead_letters: Mapping[str, int]
    digest: str = ""


@dataclass(frozen=True, slots=True)
class ApprovedDeadLetters:
    """The approved state by table, or of NO_TABLE: later dead letters do not become rows under this approval.

    Dead letters of NO_TABLE that are assigned to a table have the key `*>table`.
    """

    tables: Mapping[str, ApprovedTable] = field(default_factory=dict)

    @property
    def of_tables(self) -> list[str]:
        return [key for key in self.tables if not key.startswith(NO_TABLE)]

    @property
    def assigned(self) -> set[str]:
        return {key.removeprefix(_ASSIGNED) for key in self.tables if key.startswith(_ASSIGNED)}

    @property
    def text(self) -> str:
        return json.dumps({table: asdict(seen) for table, seen in self.tables.items()})

    @classmethod
    def of(cls, text: str) -> ApprovedDeadLetters:
        return cls({table: _approved(seen) for table, seen in json.loads(text).items()})


def _approved(seen: Mapping[str, Any]) -> ApprovedTable:
    """An approval may be one that release 0.2.0 asked for, which had another name for the version."""
    version_id = seen["version_id"] if "version_id" in seen else seen["snapshot_id"]
    return ApprovedTable(seen["generation"], version_id, seen["dead_letters"], seen.get("digest", ""))


@dataclass(frozen=True, slots=True)
class TableDeadLetters:
    """One table's open dead letters; of the *tried* newest ones *fits* fit now and *unfit* do not, by reason.

    *waiting* are ranges whose dead letters cannot be redriven yet; *left_out* says why none can. They may be some that *had no
    table* before.
    """

    table: str
    seen: ApprovedTable | None = None
    found: tuple[OffsetRange, ...] = ()
    causes: Mapping[str, int] = field(default_factory=dict)
    tried: int = 0
    fits: int = 0
    unfit: Mapping[str, int] = field(default_factory=dict)
    waiting: tuple[OffsetRange, ...] = ()
    left_out: str = ""
    had_no_table: bool = False

    @property
    def key(self) -> str:
        return f"{_ASSIGNED}{self.table}" if self.had_no_table else self.table

    @property
    def dead_letters(self) -> int:
        return offsets_in(self.found)

    @property
    def may_fit(self) -> bool:
        """Whether some may become rows: some fitted when tried, or not all were tried."""
        return bool(self.found) and (self.fits > 0 or self.tried < self.dead_letters)

    @property
    def lines(self) -> list[str]:
        if self.left_out:
            return [f"{self.table}: left out: {self.left_out}"]
        open_ = counted(self.dead_letters, "open dead letter")
        open_ += " that had no table before" if self.had_no_table else ""
        out = [f"{self.table}: {open_}" + (f": {listed(self.found)}" if self.found else "")]
        out += [f"{self.table}: {text}" for text in by_cause(self.causes)]
        if self.tried:
            out.append(f"{self.table}: {self.fits} of the {self.tried} that were tried now fit the table")
        out += [f"{self.table}: still unfit: {text}" for text in by_cause(self.unfit)]
        if self.waiting:
            out.append(f"{self.table}: dead letters of {listed(self.waiting)} wait until the table has these offsets")
        return out


@dataclass(frozen=True, slots=True)
class UnassignedLetters:
    """Dead letters without a table; of the *tried* newest ones, the rules give *routed* numbers to tables, some of them *new*.

    The others stay, by cause.
    """

    found: tuple[OffsetRange, ...]
    causes: Mapping[str, int]
    tried: int
    routed: Mapping[str, int]
    new: tuple[str, ...]
    unroutable: Mapping[str, int]
    seen: ApprovedTable

    @property
    def may_fit(self) -> bool:
        return bool(self.routed) or self.tried < offsets_in(self.found)

    @property
    def lines(self) -> list[str]:
        if not self.found:
            return []
        out = [f"{NO_TABLE}: {counted(offsets_in(self.found), 'dead letter')} without a table: {listed(self.found)}"]
        out += [f"{NO_TABLE}: {text}" for text in by_cause(self.causes)]
        for table, n in sorted(self.routed.items(), key=lambda of: (-of[1], of[0]))[:TABLES_SHOWN]:
            new = ", a new table" if table in self.new else ""
            out.append(f"{NO_TABLE}: {n} of the {self.tried} that were tried now go to {without_links(table)}{new}")
        if (more := len(self.routed) - TABLES_SHOWN) > 0:
            out.append(f"{NO_TABLE}: and to {counted(more, 'more table')}")
        return out + [f"{NO_TABLE}: still without a table: {text}" for text in by_cause(self.unroutable)]


@dataclass(frozen=True, slots=True)
class RedrivePlan:
    """The preview of a redrive: `nothing` if there are no open dead letters, or all were tried and none fits.

    Dead letters *of retired* tables, to which an earlier redrive assigned them, wait.
    """

    request: RedriveRequest
    tables: tuple[TableDeadLetters, ...]
    unassigned: UnassignedLetters | None = None
    of_retired: Mapping[str, tuple[OffsetRange, ...]] = field(default_factory=dict)

    @property
    def nothing(self) -> bool:
        may_be_assigned = self.unassigned is not None and self.unassigned.may_fit
        return not may_be_assigned and not any(t.may_fit for t in self.tables)

    @property
    def shown(self) -> ApprovedDeadLetters:
        seen = {t.key: t.seen for t in self.tables if t.seen is not None and t.found}
        if self.unassigned is not None and self.unassigned.found:
            seen[NO_TABLE] = self.unassigned.seen
        return ApprovedDeadLetters(seen)

    @property
    def lines(self) -> list[str]:
        """The preview that a person approves."""
        done = ""
        if self.nothing:
            of_tables = any(t.found for t in self.tables) or bool(self.of_retired)
            found = of_tables or (self.unassigned is not None and bool(self.unassigned.found))
            done = ": none of them fits its table now" if found else ": there are none"
        of_table = "" if self.request.table is None else f"{self.request.table}, "
        out = [
            f"redrive dead letters of {of_table}{without_links(self.request.about)}{done}",
            *(self.unassigned.lines if self.unassigned is not None else ()),
            *(line for t in self.tables for line in t.lines),
            *(
                f"{table}: dead letters that are assigned to it wait, because it is retired: {listed(ranges)}. A rebind makes it "
                "a routed table again"
                for table, ranges in sorted(self.of_retired.items())
            ),
        ]
        if not self.nothing:
            out.append("those that fit become rows; the dead-letter table keeps them, with the reason why they failed")
        return out


@dataclass(frozen=True, slots=True)
class RedriveOutcome:
    """Result for *tried* dead letters of a table: *rows* are rows now, *unfit* still do not fit, by reason.

    *twice* were made rows by another redrive in between. *snapshots* have the rows, whose offsets are *ranges*. Of NO_TABLE,
    *given* dead letters were assigned to tables.
    """

    table: str
    tried: int = 0
    rows: int = 0
    twice: int = 0
    unfit: Mapping[str, int] = field(default_factory=dict)
    ranges: tuple[OffsetRange, ...] = ()
    snapshots: tuple[int, ...] = ()
    given: int = 0
    given_to: Mapping[str, int] = field(default_factory=dict)

    def assigned(
        self, tried: int, tables: Mapping[str, Sequence[OffsetRange]], unroutable: Mapping[str, int]
    ) -> RedriveOutcome:
        to = Counter(self.given_to) + Counter({t: offsets_in(ranges) for t, ranges in tables.items()})
        given = self.given + offsets_in(united(r for ranges in tables.values() for r in ranges))
        return replace(
            self,
            tried=self.tried + tried,
            given=given,
            given_to=dict(to),
            unfit=dict(Counter(self.unfit) + Counter(unroutable)),
        )

    @property
    def has_landed(self) -> bool:
        """Whether a commit has landed."""
        return bool(self.snapshots or self.given)

    @property
    def landed(self) -> CommitOutcome:
        """The result as an outcome of a commit."""
        newest = self.snapshots[-1] if self.snapshots else None
        return CommitOutcome(self.table, newest, self.ranges, self.rows, self.lines[0])

    @property
    def lines(self) -> list[str]:
        if not self.tried:
            return [f"{self.table}: no open dead letters, nothing was changed"]
        if self.table == NO_TABLE:
            to = f"{self.given} of {counted(self.tried, 'dead letter')} are assigned to {counted(len(self.given_to), 'table')}"
            stay = [f"still without a table: {text}" for text in by_cause(self.unfit)]
            return [f"{NO_TABLE}: {text}" for text in (to, *stay)]
        where = f", snapshot {', '.join(map(str, self.snapshots))}" if self.snapshots else ""
        twice = f"; {self.twice} became rows by another redrive" if self.twice else ""
        became = "became a row" if self.rows == self.tried == 1 else "became rows"
        out = [f"{self.table}: {self.rows} of {counted(self.tried, 'dead letter')} {became}{where}{twice}"]
        return out + [f"{self.table}: still unfit: {text}" for text in by_cause(self.unfit)]


def by_cause(counts: Mapping[str, int]) -> list[str]:
    """The most frequent causes, and a count of the others."""
    # Producers choose field names, so the text is untrusted.
    plain: Counter[str] = Counter()
    for text, n in counts.items():
        plain[without_links(text)] += n
    inorder = sorted(plain.items(), key=lambda pair: (-pair[1], pair[0]))
    more = sum(n for _, n in inorder[CAUSES_SHOWN:])
    return [f"{cause}: {n:,}" for cause, n in inorder[:CAUSES_SHOWN]] + ([f"other causes: {more:,}"] if more else [])
