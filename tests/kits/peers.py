"""What the benchmark of peers computes: sizes from text, steady rates from commits, and its table. No effects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

BEGIN, END = "<!-- bench_peers: begin -->", "<!-- bench_peers: end -->"
UNITS = {"": 1, "k": 1_000, "M": 1_000_000}
SIZE = re.compile(r"(\d+(?:\.\d+)?)([kM]?)")
HEAD = (
    "| | rows | rows/s | CPU a row | peak memory | lakelock's rate is |",
    "|---|---:|---:|---:|---:|---:|",
)


@dataclass(frozen=True, slots=True)
class Sample:
    """CPU seconds that some processes have used until *at_s*, and the memory that they have then."""

    at_s: float
    cpu_s: float
    bytes: int


@dataclass(frozen=True, slots=True)
class Run:
    rows: int
    wall_s: float
    cpu_s: float
    peak_bytes: int

    @property
    def rate(self) -> float:
        return self.rows / self.wall_s


@dataclass(frozen=True, slots=True)
class Commit:
    """A snapshot of a table, with the rows that the table has then."""

    at_s: float
    rows: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the table; *ours* is the line of lakelock that this one is compared with, and *goal* the ratio to reach."""

    name: str
    run: Run
    ours: Run | None = None
    goal: float | None = None

    @property
    def ratio(self) -> float | None:
        return None if self.ours is None else self.ours.rate / self.run.rate


def parse_size(text: str) -> int:
    """`8M`, `500k`, `1.5M`, `1_000`: a number of records. Raises ValueError."""
    match = SIZE.fullmatch(text.replace("_", "").replace(",", ""))
    if match is None:
        raise ValueError(f"{text!r} is not a number of records, such as 8M, 500k or 20000")
    count = float(match[1]) * UNITS[match[2]]
    if count != int(count) or not count:
        raise ValueError(f"{text!r} is not a whole number of records above 0")
    return int(count)


def in_words(count: int) -> str:
    """`9 M`, `200 k`, `1,234`: a number of records."""
    for unit, of in ((" M", 1_000_000), (" k", 1_000)):
        if count >= of and count % (of // 10) == 0:
            return f"{count / of:g}{unit}"
    return f"{count:,}"


def measured(samples: Sequence[Sample], rows: int, since_s: float, until_s: float) -> Run:
    """What *rows* have cost between two moments, which may lie between samples."""
    peak = max((s.bytes for s in samples if since_s <= s.at_s <= until_s), default=samples[-1].bytes)
    return Run(rows, until_s - since_s, cpu_at(samples, until_s) - cpu_at(samples, since_s), peak)


def cpu_at(samples: Sequence[Sample], at_s: float) -> float:
    """CPU seconds used until *at_s*; even use is assumed between two samples, and none before and behind all."""
    if at_s <= samples[0].at_s:
        return samples[0].cpu_s
    for one, two in pairwise(samples):
        if at_s <= two.at_s:
            return one.cpu_s + (two.cpu_s - one.cpu_s) * (at_s - one.at_s) / (two.at_s - one.at_s)
    return samples[-1].cpu_s


def steady(commits: Sequence[Commit], warm_up: int) -> tuple[Commit, Commit] | None:
    """The first commit behind *warm_up* rows, and the last that ended a whole interval; None if there is no time between.

    A continuous writer commits by its clock, so the last commit waits for an interval's end with nothing to write.
    """
    warm = [c for c in commits if c.rows >= warm_up][:-1]
    return (warm[0], warm[-1]) if len(warm) > 1 else None


def fastest(runs: Iterable[Run]) -> Run:
    return max(runs, key=lambda run: run.rate)


def table(lines: Sequence[Line]) -> list[str]:
    return [*HEAD, *(_row(line) for line in lines)]


def _row(line: Line) -> str:
    run, ratio = line.run, line.ratio
    return (
        f"| {line.name} | {run.rows / 1e6:.1f} M | {round(run.rate, -3):,.0f} | {run.cpu_s / run.rows * 1e6:.2f} µs | "
        f"{run.peak_bytes / 2**30:.1f} GiB | {'' if ratio is None else f'{ratio:.1f} ×'} |"
    )


def verdicts(lines: Sequence[Line]) -> list[str]:
    """A line per goal, and whether it is reached."""
    return [
        f"{line.name}: {line.ratio:.2f} × (goal ≥ {line.goal:g}: {'reached' if line.ratio >= line.goal else 'missed'})"
        for line in lines
        if line.ratio is not None and line.goal is not None
    ]


def put_between_marks(page: str, lines: Sequence[str]) -> str:
    """*page* with *lines* in place of what stands between its two marks. Raises ValueError if it does not have them once."""
    if page.count(BEGIN) != 1 or page.count(END) != 1 or page.index(BEGIN) > page.index(END):
        raise ValueError(f"the page does not have {BEGIN} and {END} once each, in this order")
    before, _, rest = page.partition(BEGIN)
    return "\n".join((before + BEGIN, *lines, END + rest.partition(END)[2]))


def listed_sums(text: str) -> dict[str, str]:
    """SHA-256 by file, from lines as sha256sum prints them."""
    return {name: digest for digest, name in (line.split(maxsplit=1) for line in text.splitlines() if line.strip())}


def sum_faults(expected: Mapping[str, str], found: Mapping[str, str]) -> list[str]:
    """A line for each file that is missing, not expected, or another than expected."""
    return [
        *(f"{name} is missing" for name in sorted(expected.keys() - found.keys())),
        *(f"{name} is not listed" for name in sorted(found.keys() - expected.keys())),
        *(f"{n} has SHA-256 {found[n]}" for n in sorted(expected.keys() & found.keys()) if found[n] != expected[n]),
    ]


def row_faults(expected: int, counted: Mapping[str, int]) -> list[str]:
    """What is wrong with the rows of a table that must have ids from 0 to *expected* - 1 once each, and no null.

    *counted* has `rows`, `ids` (distinct ones), `lowest`, `highest`, and the number of values of each column.
    """
    wanted = {"rows": expected, "ids": expected, "lowest": 0, "highest": expected - 1}
    faults = [f"{counted[key]:,} {key}, not {number:,}" for key, number in wanted.items() if counted[key] != number]
    if (lost := expected - counted["ids"]) > 0:
        faults.append(f"{lost:,} records are lost")
    if (doubled := counted["rows"] - counted["ids"]) > 0:
        faults.append(f"{doubled:,} rows are doubled")
    for column, values in counted.items():
        if column not in wanted and values != counted["rows"]:
            faults.append(f"{counted['rows'] - values:,} rows without {column}")
    return faults
