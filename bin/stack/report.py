"""The demo's output of its results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from lakelock.model.units import counted
from rich.console import Console
from rich.table import Table as Grid

from stack.accounts import Accounts
from stack.lake import TABLE, Stored, snapshots

if TYPE_CHECKING:
    from pyiceberg.table import Table

NEWEST = 5


def component(what: str, seconds: float) -> str:
    """One line about one component."""
    return f"  [green]✓[/] {what}  [dim]{seconds:.1f} s[/]"


class Report:
    """Writes tables to a console."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def snapshots(self, table: Table) -> None:
        """Print the newest snapshots with their offset ranges."""
        every = snapshots(table)
        noun = "snapshot" if len(every) == 1 else "snapshots"
        title = f"{len(every)} {noun} of {TABLE}" + (f", the newest {NEWEST}" if len(every) > NEWEST else "")
        columns = ("snapshot", "at (UTC)", "rows", "offset ranges [start, end) per partition")
        grid = Grid(*columns, title=title, title_justify="left")
        for snapshot in every[-NEWEST:]:
            at = datetime.fromtimestamp(snapshot.at_ms / 1000, UTC).strftime("%H:%M:%S")
            ranges = "  ".join(f"{p}: [{start}, {end})" for p, start, end in sorted(snapshot.ranges))
            grid.add_row(str(snapshot.snapshot_id), at, f"{snapshot.rows:,}", ranges)
        self._print(grid)

    def answer(self, sql: str, answers: Mapping[str, Sequence[tuple[Any, ...]]]) -> None:
        """Print one query and the answer of each engine."""
        names = ("carrier", "flights", "destinations", "miles", "longest delay (minutes)")
        for engine, rows in answers.items():
            grid = Grid(*names, title=f"answered by {engine}", title_justify="left")
            for row in rows:
                grid.add_row(*(f"{v:,}" if isinstance(v, int) else str(v) for v in row))
            self._print(grid)
        self._console.print(f"[dim]{' '.join(sql.split())}[/]", soft_wrap=True)

    def offsets(self, accounts: Accounts, readers: Mapping[str, Sequence[Stored]]) -> None:
        """Print per partition the topic's offsets and those that each engine found."""
        dead = accounts.all_without_row.dead
        grid = Grid("partition", "topic has [start, end)", *(f"{name}: rows, first–last" for name in readers),
                    title=f"offsets in topic and table ({counted(dead, 'open dead letter')})", title_justify="left")  # fmt: skip
        for partition, (start, end) in sorted(accounts.spans.items()):
            found = [{h.partition: h for h in rows}.get(partition) for rows in readers.values()]
            cells = [f"{h.rows:,}, {h.first}–{h.last}" if h else "nothing" for h in found]
            grid.add_row(str(partition), f"[{start}, {end})", *cells)
        self._print(grid)

    def verdict(self, wrong: Mapping[str, Sequence[str]], accounts: Accounts) -> None:
        """Print the one line that matters."""
        none, requested = accounts.all_without_row, accounts.requested
        out = accounts.offsets_left_out - requested
        without = f", and none of the {out:,} that were left out on purpose" if out else ""
        without += f", and none of the {requested:,} that a backfill has yet to load" if requested else ""
        others = f". Without a row: {none}" if none.offsets else ""
        if not any(wrong.values()):
            self._console.print(
                f"  [green]✓[/] [bold]{TABLE} holds each of the {accounts.rows:,} records exactly once[/]{without}, by offset, "
                f"in DuckDB and in Spark{others}",
                soft_wrap=True,
            )
        for reader, lines in wrong.items():
            for line in lines:
                self._console.print(f"  [red]✗ {reader}: {line}[/]", soft_wrap=True)

    def times(self, spent: Sequence[tuple[str, float]], total_s: float) -> None:
        """Print the times of the phases."""
        parts = " · ".join(f"{what} {seconds:.1f} s" for what, seconds in spent)
        self._console.print(f"  [bold]Total {total_s:.1f} s[/]  [dim]({parts})[/]", soft_wrap=True)

    def _print(self, grid: Grid) -> None:
        self._console.print()
        self._console.print(grid)
