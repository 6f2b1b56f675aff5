"""Searches and their tables; the page docs/proofs/model-check.md."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from pathlib import Path

from model.breadth_first import Result
from model.explorer import explore
from model.setup import Setup

MOST = 300_000
PAGE = Path(__file__).parents[2] / "docs" / "proofs" / "model-check.md"

TEXT = """# Model check

The model check searches the commit protocol exhaustively within small bounds, breadth first,
through every order of steps and faults. It calls the product's own decisions and does not copy
them: `ingest.commit_decision.decide`, `ingest.reconcile_decision`, `rollback.decision`,
`recovery.rebuild_decision`, `model.ledger` and `model.coverage`.

Around them, `tests/model/` has a small world:

- a catalog whose tables have snapshots, and a branch and a tag that are swapped together;
- the write-ahead log, with the guards of `adapters/sql`;
- Kafka as a few offsets, some of which are bad records;
- planners, writers, committers, `rollback` and `recover`, which take one step at a time and may die
  between any two steps.

**Faults**: a process is killed. An older attempt continues beside a newer one. The answer of a
commit is lost. Other writers append. Another tool sets the branch back. Snapshots expire, and their
files are deleted. The table is replaced. A table is rolled back in any mode. Postgres is lost, or
restored to an earlier state. The pipeline file is edited. A record fits its table in one attempt
and not in the next.

**Checked in every state**:

| | invariant |
| --- | --- |
| I1 | a record is there at most once |
| I2 | a table has no hole below its newest offset |
| I3 | rows and ledger agree |
| I4 | parts that the log has marked as committed are in the table |
| I5 | ranges do not overlap |
| I6 | coverage shrinks only with a rollback record, and files whose records must be read again do not come back |
| I7 | no older attempt or generation is committed |
| I8 | no files are committed to another table |
| I9 | no file that a snapshot names is deleted |
| I12 | the books balance |

**Checked at the end** (I13): from every state, the world runs to its end without further faults, in
two ways. Then every record must be there once, or be declared as skipped, and nothing may stay
open. The exception is a stop that only a person can resolve: a replaced table, or a table that was
set back to a state whose history has expired.

**Not covered**: several sources or topics, Kafka's own faults, two pipelines on one table, schema
changes and tables that become known while a batch is written, which have searches of their own
([columns](columns.md), [tables](tables.md)), and partition changes, adoption races, compaction,
lakelock's own expiry, deletion of orphans, lost answers of Postgres, `publish` (I14), Delta, and
records that are committed between the preview and the approval of a rollback. The model assumes
that no other process starts between the first and the last step of a `recover` that rebuilds the
log; the operator ensures this.

```sh
PYTHONPATH=plugins:tests .venv/bin/python -m model --page    # the small bounds; writes this page
PYTHONPATH=plugins:tests .venv/bin/python -m model --long    # larger bounds as well, like `bin/test --long`
PYTHONPATH=plugins:tests .venv/bin/python -m model --rule 'order'    # the counterexample without this rule, step by step
```

## With all rules

{clean}

## With one rule removed

*steps* counts every plan, claim, write, stage, load, swap, mark and fault of the shortest
counterexample.

{shown}

## No counterexample

{not_shown}
"""


def searched(setups: Iterable[Setup], removed: Iterable[Sequence[str]] = repeat(())) -> Iterator[Result]:
    """Each setup without those rules, in their order; as many at once as there are processors."""
    with multiprocessing.get_context("fork").Pool() as pool:
        yield from pool.imap(_search, zip(setups, removed, strict=False))


def _search(task: tuple[Setup, Sequence[str]]) -> Result:
    setup, removed = task
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
            (row(r.name, f"{r.states:,}" + ("" if r.whole else " (cut off)"), r.wrong or "nothing") for r in found),
        ),
        shown=table(
            ("without", "states", "steps", "what goes wrong"),
            (row(name, f"{r.states:,}", len(r.trace), r.wrong) for name, r in without),
        ),
        not_shown=table(("without", "states", "why"), (row(rule, f"{r.states:,}", why) for rule, r, why in none)),
    )
