"""Searches and their tables; the page docs/proofs/model-check.md."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from pathlib import Path

from model.explorer import Result, explore
from model.setup import Setup

MOST = 300_000
PAGE = Path(__file__).parents[2] / "docs" / "proofs" / "model-check.md"

TEXT = """# Model check

The commit protocol is searched exhaustively within small bounds, breadth first, through every order of steps and faults. The
decisions are the product's own: `ingest.commit_decision.decide`, `ingest.reconcile_decision`, `rollback.decision`, `recovery.rebuild_decision`, `model.ledger` and
`model.coverage` are called, not copied. Around them `tests/model/` has a tiny world: a catalog whose tables have snapshots, a branch
and a tag that are swapped together; the write-ahead log with the guards of `adapters/sql`; Kafka as a few offsets, some of which are
bad records; and planners, writers, committers, `rollback` and `recover` that take one step at a time and may die between any two.

**Faults**: a process is killed; an older attempt goes on beside a newer one; a commit's answer is lost; other writers append; the branch
is set back by hand; snapshots expire and their files go; the table is replaced; a table is rolled back in
any mode; Postgres is lost, or restored to an earlier state; the pipeline file is edited; a record fits its table at one attempt and
not at the next.

**Checked** in every state: a record is there at most once (I1), no hole below what a table holds (I2), rows and ledger agree (I3), what the
log has marked is in the table (I4), ranges do not overlap (I5), coverage shrinks only by a record, and what is to be read again does
not come back as it was (I6), no older attempt or generation enters (I7), nothing lands in another table (I8), no named file is deleted (I9),
the books (I12). From every state the world is run to its end without further faults, in two ways: then every record must be there
once, or be declared as skipped, and nothing may stay open (I13), unless a stop was told of that only a person can resolve: a replaced
table, or one set back to where its history has expired.

**Not covered**: several sources or topics, Kafka's own faults, two pipelines on one table, schema and partition changes, adoption races,
compaction, our own expiry, deletion of orphans, lost answers of Postgres, `publish` (I14), Delta. Of an approved rollback what landed between
look and approval. That nothing begins between the first and the last step of a `recover` that rebuilds is taken for granted: whoever runs it
sees to that.

```sh
PYTHONPATH=plugins:tests .venv/bin/python -m model --page    # the small bounds; writes this page
PYTHONPATH=plugins:tests .venv/bin/python -m model --long    # larger bounds too, as `bin/test --long` searches them
PYTHONPATH=plugins:tests .venv/bin/python -m model --rule 'order'    # the counterexample without a rule, step by step
```

## With all rules

{clean}

## With one rule taken away

Steps count every plan, claim, write, stage, load, swap, mark and fault on the shortest way.

{shown}

## No counterexample

{not_shown}
"""


def searched(setups: Iterable[Setup], removed: Iterable[Sequence[str]] = repeat(())) -> Iterator[Result]:
    """Each setup without those rules, in their order; as many at once as there are processors."""
    with multiprocessing.get_context("fork").Pool() as pool:
        yield from pool.imap(_search, zip(setups, removed, strict=False))


def _search(asked: tuple[Setup, Sequence[str]]) -> Result:
    setup, removed = asked
    return explore(setup, frozenset(removed), MOST)


def row(*cells: object) -> str:
    return "| " + " | ".join(str(c) for c in cells) + " |"


def table(head: Iterable[str], rows: Iterable[str]) -> str:
    head = list(head)
    return "\n".join([row(*head), row(*("---" for _ in head)), *rows])


def page(found: list[Result], without: list[tuple[str, Result]], none: list[tuple[str, Result, str]]) -> str:
    return TEXT.format(
        clean=table(
            ("world", "states", "found"),
            (row(r.setup, f"{r.states:,}" + ("" if r.whole else " (cut off)"), r.wrong or "nothing") for r in found),
        ),
        shown=table(
            ("without", "states", "steps", "what goes wrong"),
            (row(name, f"{r.states:,}", len(r.trace), r.wrong) for name, r in without),
        ),
        not_shown=table(("without", "states", "why"), (row(rule, f"{r.states:,}", why) for rule, r, why in none)),
    )
