"""The rules of the design that can be removed one at a time, by the names that the page gives them."""

from __future__ import annotations

from typing import NamedTuple


class Rule(NamedTuple):
    number: str
    says: str


CLOSED_ONCE = Rule("T1", "the first stage decides the batch's tables, and a later attempt adds none")
FILL_CLOSED = Rule("T2 a", "a fill covers only offsets below the mark and of closed batches")
FILL_OPEN = Rule("T2 b", "a fill covers no open part of the table")
FILL_OWED = Rule("T2 c", "a fill covers nothing that is outstanding in the table")
FILL_LETTERS = Rule("T2 d", "a fill waits for the dead letters of every batch that it covers")
ORDER = Rule("T3", "parts of a table are committed in the order of offsets")
REGISTER_TABLES = Rule("T4", "a table is registered before anything is staged for it, or committed to it")
REGISTER_FORBIDDEN = Rule("T4", "a table that cannot be created is registered as well, without a UUID")
LAND_NAMED = Rule("T4", "a commit checks that the ledger names the table and the configuration")
REGISTER_CONFIGS = Rule("T5", "a configuration is registered before anything is staged under it")
REGISTER_GENERATION = Rule("T5", "an attempt registers only under the ledger's generation that it claimed with")
REGISTER_ORDER = Rule("T5", "an attempt also registers the configurations of the batches planned before its own")
MARK_BEHIND = Rule("T6", "the mark names each table that has an open part below it")
MARK_UUID = Rule("T6", "the mark speaks only of the table with the registered UUID")
MARK_SWAP = Rule("T6", "the mark is a compare-and-swap")
MARK = Rule("T6", "the ledger has a mark")
OWED = Rule("T7", "a rollback of a table records what is outstanding")
LEDGER_ROLLBACK = Rule("T7", "a rollback of the ledger keeps mark, tables and configurations of the head")
DECIDED_MARKED = Rule("T8", "below the mark, a record is decided")
DECIDED_HELD = Rule("T8", "a record that any registered table holds is decided")
KNOWN_NAMES = Rule("T9", "a table that is known with a UUID is not created again")
FENCE_TABLES = Rule("T10", "a recovery fences every registered table")
CUT = Rule("T11", "a recovery cuts what it plans where a table's coverage begins or ends")
