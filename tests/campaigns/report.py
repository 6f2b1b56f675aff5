"""What a campaign prints: one table by scenario, one by point."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from campaigns.lanes import Outcome

HEADS = ("runs", "lost", "doubled", "dead letters", "stuck", "unclear", "most runs to quiet", "s a run")


def table(outcomes: Sequence[Outcome], seconds: float) -> str:
    """Only runs whose faults came about are counted; the others are told in the last line."""
    counted = [o for o in outcomes if o.reached]
    by_scenario = _rows(counted, lambda o: (o.run.scenario.name, _kinds(o)))
    by_point = _rows(counted, lambda o: (_call(o.run.fault.point), _kinds(o)))
    lost, doubled = sum(o.lost for o in counted), sum(o.doubled for o in counted)
    passed = len(outcomes) - len(counted)
    return "\n".join([
        *_markdown(("scenario", "fault", *HEADS), by_scenario), "",
        *_markdown(("point", "fault", *HEADS), by_point), "",
        f"{len(counted)} runs in {seconds:.0f} s: {lost} records lost, {doubled} doubled, "
        f"{sum(not o.well for o in counted)} runs not as they should be; {passed} more ended before their fault.",
    ])  # fmt: skip


def page(tables: str, every: int) -> str:
    chosen = f" --every {every}`, one of {every} runs drawn by chance" if every > 1 else "`"
    return (
        "# Crash points\n\n"
        f"Written by `python -m campaigns.crash --long{chosen} (with `PYTHONPATH=plugins:bin:tests`). In each run a real process is killed\n"
        "(SIGKILL) or frozen (SIGSTOP) before or after one call with which it touches Kafka, Postgres, the catalog or storage;\n"
        "another does the same work, or rolls back, or recovers; a frozen one then wakes up and ends as it may. At most three\n"
        "ordinary runs follow, then each record of the topic must be in its table once, or in the dead letters once, as DuckDB\n"
        "counts, and the product's own audit must be clean. The calls are not listed anywhere: a run without a fault shows them.\n\n"
        "*stuck*: runs that needed a person. *unclear*: processes that ended in an error that is no message for an operator.\n"
        "*dead letters*: those found, over all runs.\n\n" + tables + "\n"
    )


def keep_logs(out: Outcome, folder: Path | None) -> None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        name = "".join(c if c.isalnum() else "-" for c in out.run.name)[:150]
        (folder / f"{name}.log").write_text(out.line + "\n\n" + "\n----- next process\n".join(out.logs))


def _kinds(out: Outcome) -> str:
    kinds = [out.run.fault.kind.value, *([out.run.second.kind.value] if out.run.second else [])]
    return " + ".join(kinds)


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


def _markdown(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [tuple(heads), *(tuple(row) for row in rows)]
    widths = [max(len(line[n]) for line in lines) for n in range(len(heads))]
    text = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines
    ]
    return [text[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *text[1:]]
