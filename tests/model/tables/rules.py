"""The rules of the protocol that can be removed one at a time, by the names that the page gives them."""

from __future__ import annotations

from typing import NamedTuple


class Rule(NamedTuple):
    number: str
    says: str


CLOSED_ONCE = Rule("T1", "the first stage decides the batch's tables, and a later attempt adds none")
FILL_CLOSED = Rule("T2 a", "a fill ends before the first batch that is not closed")
FILL_OPEN = Rule("T2 b", "a fill covers no open part of the table")
FILL_OWED = Rule("T2 c", "a fill covers nothing that is outstanding in the table")
FILL_LETTERS = Rule("T2 d", "a fill and a part wait for the dead letters without a table below their end")
ORDER = Rule("T3", "parts of a table are committed in the order of offsets")
REGISTER_TABLES = Rule("T4", "a table is registered before anything is staged for it, or committed to it")
REGISTER_FORBIDDEN = Rule("T4", "a table that cannot be created is registered as well, without a UUID")
REGISTER_CONFIGS = Rule("T5", "a configuration is registered before anything is staged under it")
REGISTER_GENERATION = Rule("T5", "an attempt registers only under the ledger's generation that it claimed with")
REGISTER_ORDER = Rule("T5", "an attempt also registers the configurations of the batches planned before its own")
MARK_OPEN = Rule("T6", "the mark ends before the first open part of any table that is not behind")
MARK_UUID = Rule("T6", "the mark is true only of the table with the registered UUID")
MARK_SWAP = Rule("T6", "the mark is a compare-and-swap")
MARK = Rule("T6", "the ledger has a mark")
OWED = Rule("T7", "a rollback of a table records what is outstanding")
LEDGER_ROLLBACK = Rule("T7", "a ledger that is put back has the mark, tables and configurations of before")
DECIDED_ALONE = Rule("T8", "a batch that one table alone reads again has no new dead letters")
DECIDED_FIRST = Rule("T8", "offsets that one table alone reads again wait for batches of all tables")
DECIDED_HELD = Rule("T8", "a record that any registered table holds is decided")
KNOWN_NAMES = Rule("T9", "a table that is known with a UUID is not created again")
FENCE_TABLES = Rule("T10", "a recovery fences every registered table")
BEHIND = Rule("T12", "the ledger names each table that is behind the mark, with what it lacks")
BEHIND_READ = Rule("T12", "a recovery reads for a table what the ledger says it lacks")
BEHIND_ABSENT = Rule("T12", "a recovery also reads for a table that is behind and is not there")
CUT = Rule("T11", "a recovery cuts what it plans where a table's coverage begins or ends")
