"""Postgres is lost while records name their tables: each record is once in its table, and only what must be is read again."""

from __future__ import annotations

import pytest
from kits.memory_recoveries import about, lose_log
from kits.memory_world import DEAD_LETTERS, MemoryWorld, killed_at
from kits.recoveries import meanwhile
from kits.routed_worlds import (
    RULES,
    check,
    commit,
    cycle,
    ledger_of,
    registry_of,
    routed_world,
    send,
    settle,
    write,
)
from kits.world import recover
from lakelock.errors import RecoveryRefused, TableUnfit
from lakelock.model.ledger import Mode
from lakelock.testing import BAD, GOOD
from lakelock.testing.routing import routed_record

ONE, TWO, THREE = "ns.t1", "ns.t2", "ns.t3"
