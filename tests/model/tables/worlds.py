"""What is searched: small worlds that each look at one area, and the rules that are removed one at a time."""

from __future__ import annotations

from typing import NamedTuple

from lakelock.model.ledger import Mode

from model.tables import rules
from model.tables.rules import Rule
from model.tables.state import FAULTS, Setup

REPLAY, SKIP = (Mode.REPLAY,), (Mode.SKIP,)


def world(name: str, *routes: str, **more: object) -> Setup:
    """A setup; *routes* of each configuration have a blank between records, and `-` for none. Faults go by their names."""
    faults = {key: more.pop(key) for key in list(more) if key in FAULTS}
    split = tuple(tuple(r.replace("-", "") for r in one.split(" ")) for one in routes)
    return Setup(name, split, faults, **more)  # type: ignore[arg-type]


CLEAN = [
    world("a topic to two tables", "A B A"),
    world("a record to both tables, one to none", "AB - A"),
    world("a writer is killed, another continues", "A AB", attempts=3, kill=1, writers=2),
    world("two batches at once", "A A", ahead=2, writers=2),
    world("folded below the mark", "A B A", attempts=3, folds=True),
    world("a table is forbidden", "?AB A", forbidden=1, behind=True),
    world("rules edited, Postgres lost", "A A", "B B", edit=1, lost=1, attempts=2, behind=True),
    world("undecided, Postgres lost", "?A A", lost=1, attempts=2, behind=True),
    world("forbidden, Postgres lost", "?AB", forbidden=1, lost=1, attempts=2, behind=True),
    world("two writers create, Postgres lost", "A A", writers=2, lost=1, attempts=2),
    world("Kafka deletes, Postgres lost", "A B", trim=1, lost=1, attempts=2, behind=True),
    world("rollback", "A B", rollback=1, attempts=2, behind=True),
    world("rollback, Postgres lost", "A A", rollback=1, lost=1, attempts=2, modes=REPLAY, behind=True),
    world("rollback, undecided, Postgres lost", "?A A", rollback=1, lost=1, attempts=3, modes=REPLAY),
    world("rollback, folded", "A B", rollback=1, attempts=2, folds=True, behind=True),
    world("dropped", "A A", drop=1, behind=True),
    world("dropped, Postgres lost", "A B", attempts=2, drop=1, lost=1, behind=True),
    world("replaced, Postgres lost", "A B", replace=1, lost=1, attempts=2, behind=True),
    world("rollback of the ledger, Postgres lost", "?A B", ledger_rollback=1, lost=1, attempts=2, behind=True),
    world("rollbacks of the ledger and of a table", "?A A", ledger_rollback=1, rollback=1, attempts=2),
    world("edited twice, two batches at once", "A A", "B B", edit=2, ahead=2, attempts=2),
    world("undecided in a batch of two, Postgres lost", "?A A", sizes=(1, 2), lost=1, attempts=2),
    world("rollback, skipped", "A B", attempts=2, rollback=1, modes=SKIP),
]

LONG = [
    world("a table without rows, Kafka deletes, Postgres lost", "A B A", trim=1, behind=True, lost=1, attempts=3),
    world("rollback, folded, longer", "A B", rollback=1, behind=True, attempts=3, folds=True),
    world(
        "forbidden, rules edited, Postgres lost", "A A", "B AB", attempts=2, behind=True, forbidden=1, lost=1, edit=1
    ),
    world("Postgres lost twice", "A A", lost=2, behind=True, attempts=3),
    world("Postgres lost twice, undecided, Kafka deletes", "?AB", attempts=3, behind=True, lost=2, trim=1),
    world("undecided, rules edited, Postgres lost", "?A A", "?B B", edit=1, lost=1),
    world("two rollbacks", "A A", attempts=2, rollback=2),
    world("rollback, three records of one table", "A A A", attempts=3, rollback=1, modes=REPLAY),
    world(
        "rollback, Kafka deletes, Postgres lost",
        "A B",
        attempts=2,
        behind=True,
        rollback=1,
        trim=1,
        lost=1,
        modes=REPLAY,
    ),
    world(
        "rollback, undecided, two writers, Postgres lost", "?A", rollback=1, behind=True, lost=1, attempts=4, writers=2
    ),
    world("forbidden, dropped, Postgres lost", "AB", drop=1, behind=True, forbidden=1, lost=1),
    world("forbidden, replaced", "AB A", replace=1, behind=True, forbidden=1),
    world("dropped, rules edited, Postgres lost", "A", "AB", attempts=3, behind=True, drop=1, edit=1, lost=1),
    world(
        "undecided, both rolled back, Postgres lost",
        "?A",
        attempts=2,
        behind=True,
        ledger_rollback=1,
        rollback=1,
        lost=1,
    ),
    world(
        "a writer is killed, rules edited, Postgres lost", "A A", "B B", kill=1, writers=2, edit=1, lost=1, attempts=2
    ),
]


class Removed(NamedTuple):
    rule: Rule
    setup: Setup


SHOWN = [
    Removed(rules.CLOSED_ONCE, world("", "?AB", forbidden=1)),
    Removed(rules.FILL_CLOSED, world("", "A A", attempts=2, ahead=2)),
    Removed(rules.FILL_OPEN, world("", "A A", forbidden=1)),
    Removed(rules.FILL_OWED, world("", "A A", attempts=2, rollback=1)),
    Removed(rules.FILL_LETTERS, world("", "?A A", lost=1)),
    Removed(rules.REGISTER_TABLES, world("", "?A", lost=1)),
    Removed(rules.REGISTER_FORBIDDEN, world("", "AB A", forbidden=1, lost=1, behind=True)),
    Removed(rules.REGISTER_CONFIGS, world("", "A A", "B B", lost=1, edit=1)),
    Removed(rules.REGISTER_GENERATION, world("", "A", "A", attempts=2, lost=1, edit=1, writers=2)),
    Removed(rules.REGISTER_ORDER, world("", "A A", "B B", edit=2, ahead=2, attempts=2)),
    Removed(rules.MARK, world("", "A B", attempts=2, lost=1, trim=1)),
    Removed(rules.MARK_OPEN, world("", "A", attempts=1)),
    Removed(rules.MARK_UUID, world("", "A A", attempts=2, lost=1, replace=1)),
    Removed(rules.MARK_SWAP, world("", "A B", attempts=2, ahead=2, writers=2)),
    Removed(rules.OWED, world("", "A", attempts=2, rollback=1)),
    Removed(rules.LEDGER_ROLLBACK, world("", "?A A", attempts=2, ledger_rollback=1, lost=1, trim=1)),
    Removed(rules.DECIDED_ALONE, world("", "?A", rollback=1, attempts=3, modes=REPLAY, lost=1)),
    Removed(rules.DECIDED_FIRST, world("", "?A", rollback=1, lost=1, modes=REPLAY)),
    Removed(rules.DECIDED_HELD, world("", "?AB", lost=1)),
    Removed(rules.KNOWN_NAMES, world("", "A A", drop=1)),
    Removed(rules.FENCE_TABLES, world("", "?A", lost=1)),
    Removed(rules.BEHIND, world("", "A", attempts=1, behind=True)),
    Removed(rules.BEHIND_READ, world("", "A", attempts=2, lost=1, behind=True)),
    Removed(rules.BEHIND_ABSENT, world("", "A", attempts=2, lost=1, forbidden=1, behind=True)),
]

NOT_SHOWN = [
    (
        Removed(rules.ORDER, world("", "A A", forbidden=1, ahead=2, lost=1, attempts=2)),
        "rows of an append-only table have no order; the rule keeps coverage a prefix, and keyed tables need it",
    ),
    (
        Removed(rules.CUT, world("", "A A", sizes=(1, 2), lost=1, attempts=3)),
        "a table that has a part of a batch is read for alone, which reads Kafka once for each table",
    ),
]
