"""Searches and their tables; the page docs/proofs/tables.md."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

from model.breadth_first import Result
from model.report import row, table
from model.tables.search import THEN
from model.tables.state import FAULTS, Setup
from model.tables.worlds import Removed

PAGE = Path(__file__).parents[3] / "docs" / "proofs" / "tables.md"

FAULT_NAMES = {
    "attempts": "attempt",
    "kill": "kill",
    "lost": "loss of Postgres",
    "edit": "edit",
    "rollback": "rollback",
    "ledger_rollback": "rollback of D",
    "drop": "drop",
    "replace": "replacement",
    "forbidden": "forbidden table",
    "trim": "deletion by Kafka",
}

TEXT = """# Many tables from one pipeline

With [routes](../routing.md), the tables of a batch become known while it is written. This page
shows that nothing goes wrong with all rules of the protocol, within small bounds, and the shortest
counterexample without each rule that has one.

`python -m model.tables` (with `PYTHONPATH=plugins:tests`) writes it. It searches small worlds
breadth first, through every order of steps and faults. **The product decides** all of this:

| decision | made by |
| --- | --- |
| the staged parts to commit, to mark, to read again, and to wait with; fills | `ingest.commit_decision.decide`, with `model.route_evidence` |
| the ranges that a commit filled, and the ledger after a rollback | `rollback.decision.filled_since`, `rolled_back` |
| parts in the log after a table went back, and the offsets that a rebound table lacks | `ingest.reconcile_decision.follow`, `lacking`, with `ingest.closing_decision.as_planned` |
| the end of the mark, and the tables that are behind it | `ingest.marking.advanced`, with `model.cut` |
| tables and configurations that the ledger names, and the configuration of an offset | `model.registry` |
| records that may be new dead letters without a table | `ingest.dead_letter_state.refuse_late`, `ingest.decided_records.refuse_decided` |
| batches that are below the mark and not closed: they are not written | `ingest.decided_records.refuse_behind` |
| after the log was lost: the frontier, outstanding offsets of each table, and the batches of all tables | `recovery.rebuild_decision.rebuilt`, with `recovery.tail_decision` and `ingest.unclosed_decision` |
| batches in which one table reads offsets again | `ingest.replan_decision.redo_batches` |
| coverage, and the ledger's text | `model.coverage`, `model.ledger` |

**The model has its own** order of steps, and these answers: which batches are open, closed or
complete, which the product's log answers in SQL; that a name known with a UUID is not created again
(`ingest.routed_batch`); that a batch for one table waits for a batch of all tables
(`ingest.readiness`); the ledger of a fenced table (`recovery.adoption`) and of a rebound one
(`gaps.registered_table`).

## Words

- **ledger**: that of the pipeline's dead-letter table D. Its registry names the tables of the
  pipeline with their UUIDs, and the configurations with the first offset of each.
- **closed**: a batch that was staged once, so that its tables are known.
- **fill**: offsets that a part adds to the coverage of its table although no batch had records for
  the table there. The coverage of a table stays a prefix, and a table without records costs
  nothing.
- **mark**: offsets that are complete in every table, except for outstanding ones, and for the
  ranges that a table behind the mark lacks.
- **behind**: a table that has an open part below the mark. The ledger names it, with these ranges.
- **outstanding** (`owed`): offsets that a rollback removed from a table, until they are back.

## The world

One topic with one partition of one to three records, and tables A and B. `AB` is a record for both
tables, `-` is for none. A record with `?` can be decoded in one attempt and not in the next: it is
then a dead letter without a target. A second list has the routes after an edit of the rules.

**Steps**: plan, claim and read, create a table, register, stage, load, swap and mark a commit, draw
up and swap the mark, each step of a recovery, and `publish`, which folds batches away.

**Faults**: a process is killed. An older attempt continues beside a newer one. Postgres is lost,
while processes continue. The rules are edited. A table is forbidden for one attempt, dropped,
replaced, or rolled back. Another tool removes dead letters from D, and `recover` puts them back.
Kafka deletes offsets that are complete everywhere. In worlds with *tables behind*, the mark may
pass each table with an open part, at any time.

**Checked in every state and across every step**:

- A record is in a table at most once, and it is not a dead letter as well.
- All rows of a record were routed by one configuration.
- A table's ledger counts each of its rows. It has no hole below its newest offset; after a loss of
  Postgres, it has none below the mark.
- The mark is true: a marked record is a dead letter, or it is in each of its tables where it is not
  outstanding and not named as lacking. The mark never goes back, and the ledger forgets no table.
- Nothing is committed to a table, or under a configuration, that the ledger does not name.
- A recovery needs nothing from Kafka that was complete everywhere.

**Checked at the end**: from every state, the world runs to its end without another fault, in two
ways for undecided records. Before an operator binds a table that was dropped or replaced, the
others are complete; in worlds with *tables behind*, the mark has all offsets, too. Then each record
is in all tables of one configuration, or is a dead letter, no part is open, the mark has all
offsets, and no table is behind.

**Not covered**: several partitions or topics, where fill and mark are separate; backfill, retire,
accepted losses, redrive and pauses; lost answers, expiry and other writers, which the [model of the
commit protocol](model-check.md) has; a Postgres that was restored; several pipelines; keyed tables.
A part of D is committed whole, and what a person does is one step.

## With all rules

Each of these worlds, and each of the [larger ones](#larger-worlds), was searched whole. *at most*
has the bounds of a world.

{clean}

## With one rule removed

*steps* counts every step of the shortest counterexample. They follow below, step by step.

{shown}

## No counterexample

{none}

## Counterexamples

{ways}

## Larger worlds

`bin/test --long` searches these as well.

{longer}
"""


def routes(setup: Setup) -> str:
    """The records, as each configuration routes them."""
    return "; ".join(" ".join(route or "-" for route in one) for one in setup.routes)


def bounds(setup: Setup) -> str:
    """How often each fault may come, and what may happen at once."""
    said = [f"{n} × {FAULT_NAMES[fault]}" for fault, n in zip(FAULTS, setup.budget, strict=True) if n]
    if setup.faults.get("rollback") and len(setup.modes) == 1:
        said.append(f"mode {setup.modes[0].value}")
    if setup.writers > 1:
        said.append(f"{setup.writers} writers")
    if setup.ahead > 1:
        said.append(f"{setup.ahead} batches at once")
    if len(setup.sizes) > 1:
        said.append(f"batches of {setup.sizes[0]} or {setup.sizes[-1]} records")
    said += ["tables behind"] if setup.behind else []
    return ", ".join([*said, *(["`publish`"] if setup.folds else [])])


def clean_row(setup: Setup, found: Result) -> str:
    states = f"{found.states:,}" + ("" if found.whole else " (cut off)")
    return row(setup.name, f"`{routes(setup)}`", bounds(setup), states, found.wrong or "nothing")


def shown_row(removed: Removed, found: Result) -> str:
    return row(removed.rule.number, removed.rule.says, len(found.trace), found.wrong)


def none_row(removed: Removed, found: Result, why: str) -> str:
    return row(removed.rule.number, removed.rule.says, f"{found.states:,}", why)


def way(removed: Removed, found: Result) -> str:
    """The counterexample, step by step."""
    steps = [line for line in found.trace if not line.startswith(THEN)]
    then = [line.removeprefix(THEN) for line in found.trace if line.startswith(THEN)]
    lines = [f"### {removed.rule.number}: without *{removed.rule.says}*", ""]
    lines += _wrapped(f"Records: `{routes(removed.setup)}`. {'; '.join(steps)}.")
    if then:
        lines += ["", *_wrapped(f"Then, without another fault: {'; '.join(then)}.")]
    return "\n".join([*lines, "", *_wrapped(f"**{found.wrong}**")])


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 100, break_on_hyphens=False, break_long_words=False)


def page(
    clean: Sequence[tuple[Setup, Result]],
    shown: Sequence[tuple[Removed, Result]],
    none: Sequence[tuple[Removed, Result, str]],
    longer: Sequence[tuple[Setup, Result]],
) -> str:
    head = ("world", "records", "at most", "states", "found")
    return TEXT.format(
        clean=table(head, (clean_row(*one) for one in clean)),
        shown=table(("", "without the rule that", "steps", "fault"), (shown_row(*one) for one in shown)),
        none=table(("", "without the rule that", "states", "why"), (none_row(*one) for one in none)),
        ways="\n\n".join(way(*one) for one in shown),
        longer=table(head, (clean_row(*one) for one in longer)),
    )
