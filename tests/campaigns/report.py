"""What a campaign prints: one table by scenario, one by point."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from campaigns import markdown
from campaigns.draw import Draw
from campaigns.lanes import Outcome

HEADS = ("runs", "lost", "doubled", "dead letters", "stuck", "unclear", "most runs to quiet", "s a run")


def table(outcomes: Sequence[Outcome], seconds: float) -> str:
    """Only runs whose faults came about are counted; the last line has the others."""
    counted = [o for o in outcomes if o.reached]
    by_scenario = _rows(counted, lambda o: (o.run.scenario.name, o.run.kinds))
    by_point = _rows(counted, lambda o: (_call(o.run.fault.point), o.run.kinds))
    lost, doubled = sum(o.lost for o in counted), sum(o.doubled for o in counted)
    passed = len(outcomes) - len(counted)
    return "\n".join([
        *markdown.table(("scenario", "fault", *HEADS), by_scenario), "",
        *markdown.table(("point", "fault", *HEADS), by_point), "",
        f"{len(counted)} runs in {seconds:.0f} s: {lost} records lost, {doubled} duplicated, "
        f"{sum(not o.well for o in counted)} failed runs; {passed} more ended before their fault.",
    ])  # fmt: skip


def page(tables: str, draw: Draw) -> str:
    return (
        "# Crash points\n\n"
        "`python -m campaigns.crash --long` (with `PYTHONPATH=plugins:bin:tests`) writes this page. This one\n"
        f"has {draw.drawn:,} of {draw.of:,} runs, {_percent(draw)} % of all, chosen at random.\n\n"
        "In each run, a real process is killed (SIGKILL) or frozen (SIGSTOP) before or after one of its calls\n"
        "to Kafka, Postgres, the catalog or storage. Another process then does the same work, or rolls back,\n"
        "or recovers. A frozen process wakes up afterwards and continues. After at most three ordinary runs,\n"
        "each record of the topic must be once in its table or once in the dead-letter table, by DuckDB's\n"
        "count, and the product's own audit must be clean. No list of calls exists: a run without a fault\n"
        "records them.\n"
        "\n"
        "*stuck* counts runs that needed a person. *unclear* counts processes that ended with an error that\n"
        "is not a message for an operator. *dead letters* is their number in all runs.\n"
        "\n" + tables + "\n"
    )


def write(file: Path, tables: str, draw: Draw) -> str:
    """The page, but where it says more already: a smaller share is no news. Returns which it was."""
    before = share_said(file.read_text()) if file.exists() else None
    if before is not None and before > _percent(draw):
        return f"{file} stays as it is: it has {before} % of the runs, and these are {_percent(draw)} %"
    file.write_text(page(tables, draw))
    return f"{file} is written"


def share_said(text: str) -> int | None:
    """Of how many in a hundred runs a page is."""
    found = re.search(r"runs, (\d+) % ", text)
    return int(found[1]) if found else None


def _percent(draw: Draw) -> int:
    return 100 * draw.drawn // max(1, draw.of)


def keep_logs(out: Outcome, folder: Path | None) -> None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        name = "".join(c if c.isalnum() else "-" for c in out.run.name)[:150]
        (folder / f"{name}.log").write_text(out.line + "\n\n" + "\n----- next process\n".join(out.logs))


def _call(point: str) -> str:
    words = point.split()
    return " ".join(w for w in words if w not in ("before", "after") and not w.isdigit())


def _rows(outcomes: Iterable[Outcome], key: Callable[[Outcome], tuple[str, ...]]) -> list[tuple[str, ...]]:
    groups: dict[tuple[str, ...], list[Outcome]] = {}
    for out in outcomes:
        groups.setdefault(key(out), []).append(out)
    return [(*name, *_numbers(of_group)) for name, of_group in sorted(groups.items())]


def _numbers(outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    settled = [o.settled for o in outcomes if o.settled]
    numbers = (
        len(outcomes),
        sum(o.lost for o in outcomes),
        sum(o.doubled for o in outcomes),
        sum(s.verdict.dead for s in settled),
        sum(o.stuck for o in outcomes),
        sum(bool(o.unclear) for o in outcomes),
        max((s.cycles for s in settled), default=0),
    )
    return (*map(str, numbers), f"{sum(o.seconds for o in outcomes) / len(outcomes):.2f}")
