"""What is interrupted, and from which state it starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from campaigns.place import NAME, ORDERS

Act = tuple[str, ...]
DEAD_LETTERS = f"{NAME}__dead_letters"
BACKFILL: Act = ("backfill",)
REDRIVE: Act = ("redrive",)
KEEP, LOSE, RESTORE = ("keep the log",), ("lose the log",), ("restore the log",)
WITH_SQL: Act = ("use SQL",)
WITH_EVOLUTION: Act = ("let columns follow",)
WITH_LANDING: Act = ("land without partitions",)
WITH_ROUTES: Act = ("route records",)
WITH_ROUTES_AND_A_TABLE: Act = ("route records beside a table of all",)
WITH_SHUFFLE: Act = ("shuffle records",)
# A table of rules, which a rollback is about.
BERN = "to_bern"

_MOVED: tuple[Act, ...] = (("cycle", "20"),) * 3
_IN_FLIGHT: tuple[Act, ...] = (*_MOVED, ("write", "10"), ("plan", "10"))
_MENDED: tuple[Act, ...] = (*_MOVED, ("fix",), ("look at letters",))
_LEFT_OUT: tuple[Act, ...] = (*_IN_FLIGHT, ("approve", ORDERS, "last:2"), ("rollback", "skip"))
BASES: Mapping[str, tuple[Act, ...]] = {
    "new": (),
    "moved": _MOVED,
    "moved, with SQL": (WITH_SQL, *_MOVED),
    "new, evolving": (WITH_EVOLUTION,),
    "moved, evolving": (WITH_EVOLUTION, *_MOVED),
    "in flight, evolving": (WITH_EVOLUTION, *_IN_FLIGHT),
    "approved, evolving": (WITH_EVOLUTION, *_IN_FLIGHT, ("approve", ORDERS, "last:2")),
    "log lost, evolving": (WITH_EVOLUTION, *_IN_FLIGHT, LOSE),
    "in flight, landing": (WITH_LANDING, *_IN_FLIGHT),
    "approved, landing": (WITH_LANDING, *_IN_FLIGHT, ("approve", ORDERS, "last:2")),
    "new, routed": (WITH_ROUTES,),
    "begun, routed": (WITH_ROUTES, ("cycle", "1")),
    "moved, routed": (WITH_ROUTES, *_MOVED),
    "in flight, routed": (WITH_ROUTES, *_IN_FLIGHT),
    "approved, routed": (WITH_ROUTES, *_IN_FLIGHT, ("approve", BERN, "last:1")),
    "log lost, routed": (WITH_ROUTES, *_IN_FLIGHT, LOSE),
    "moved, shuffled": (WITH_ROUTES, WITH_SHUFFLE, *_MOVED),
    "new, mixed": (WITH_ROUTES_AND_A_TABLE,),
    "moved, mixed": (WITH_ROUTES_AND_A_TABLE, *_MOVED),
    "in flight, mixed": (WITH_ROUTES_AND_A_TABLE, *_IN_FLIGHT),
    "approved, mixed": (WITH_ROUTES_AND_A_TABLE, *_IN_FLIGHT, ("approve", BERN, "last:1")),
    "log lost, mixed": (WITH_ROUTES_AND_A_TABLE, *_IN_FLIGHT, LOSE),
    "held": (*_MOVED, ("hold", "20")),
    "in flight": _IN_FLIGHT,
    "moved, approved": (*_MOVED, ("approve", ORDERS, "last:2")),
    "approved": (*_IN_FLIGHT, ("approve", ORDERS, "last:2")),
    "left out": _LEFT_OUT,
    "left out, approved": (*_LEFT_OUT, ("cycle", "10"), ("approve", ORDERS, "last:1")),
    "fixed": _MENDED,
    "fixed, approved": (*_MENDED, ("approve", ORDERS, "last:1")),
    "log lost": (*_IN_FLIGHT, LOSE),
    "log restored": (*_MOVED, KEEP, ("cycle", "10"), ("write", "10"), RESTORE),
    "set back by hand": (*_IN_FLIGHT, ("by hand", ORDERS)),
    "dead letters set back by hand": (*_IN_FLIGHT, ("by hand", DEAD_LETTERS)),
}


@dataclass(frozen=True)
class Scenario:
    """*act* is interrupted; then *twin* runs to its end, and a frozen act wakes up behind it.

    The twin is the act's retry where nothing else is said. *log_lost*: between the two, Postgres is replaced by an empty one.
    *short* is what of it the short form runs: `all` points, each call's `first`, of these only to `kill` at, or only the commit's
    to `freeze` at. With *pairs* the twin is killed, too. With *rest* the long form has it on a REST catalog, too.
    *stops*: the error with which the act ends without a fault, too, and which the twin fixes.
    """

    name: str
    base: str
    act: Act
    twin: Act = ()
    short: str = ""
    spark: bool = False
    log_lost: bool = False
    pairs: bool = False
    rest: bool = False
    stops: str = ""

    @property
    def meanwhile(self) -> Act:
        return self.twin or self.act

    @property
    def skips(self) -> bool:
        """Whether some of what a person agreed to leave out may be missing in the end."""
        # A backfill that is killed before it asked, and not tried again, loads nothing.
        never_requested = self.act == BACKFILL and self.meanwhile != BACKFILL
        return never_requested or "skip" in self.act + self.meanwhile


_MODES = ("recommit", "replay", "skip")
SCENARIOS: tuple[Scenario, ...] = (
    Scenario("first cycle", "new", ("cycle", "20"), short="kill"),
    Scenario("cycle", "moved", ("cycle", "20"), short="all", pairs=True, rest=True),
    Scenario("cycle with a backlog", "in flight", ("cycle", "20")),
    Scenario("cycle that takes a batch over", "held", ("cycle", "20")),
    *(Scenario(f"rollback, {m}", "approved", ("rollback", m), short="all", rest=True) for m in _MODES),
    Scenario("recover after a lost log", "log lost", ("recover", "take-over"), short="all", rest=True),
    Scenario("recover after a restored log", "log restored", ("recover", "restored"), short="first"),
    *(
        Scenario(f"recover after a rollback by hand, {m}", "set back by hand", ("recover", "by hand", m))
        for m in _MODES
    ),
    Scenario(
        "recover after dead letters were set back by hand",
        "dead letters set back by hand",
        ("recover", "by hand", "recommit"),
        short="first",
    ),
    Scenario("compact", "in flight", ("compact",), short="all", rest=True),
    Scenario("cycle, landing", "in flight, landing", ("cycle", "20"), short="kill", rest=True),
    Scenario("compact, landing", "in flight, landing", ("compact",), short="all", rest=True),
    Scenario(
        "compact, landing; meanwhile a cycle", "in flight, landing", ("compact",), ("cycle", "20"), short="freeze"
    ),
    Scenario("cycle, landing; meanwhile a compaction", "in flight, landing", ("cycle", "20"), ("compact",)),
    Scenario(
        "compact, landing; meanwhile a rollback, recommit",
        "approved, landing",
        ("compact",),
        ("rollback", "recommit"),
        short="freeze",
    ),
    Scenario("compact; meanwhile a cycle", "in flight", ("compact",), ("cycle", "20"), short="freeze"),
    Scenario("cycle; meanwhile a compaction", "in flight", ("cycle", "20"), ("compact",)),
    Scenario("replace", "moved", ("replace",), short="all", rest=True),
    Scenario("replace; meanwhile a cycle", "moved", ("replace",), ("cycle", "20"), short="freeze"),
    Scenario("cycle; meanwhile a replace", "moved", ("cycle", "20"), ("replace",), short="freeze"),
    Scenario("replace; meanwhile a compaction", "moved", ("replace",), ("compact",), short="freeze"),
    Scenario("compact; meanwhile a replace", "moved", ("compact",), ("replace",), short="freeze"),
    *(
        Scenario(
            f"replace; meanwhile a rollback, {m}", "moved, approved", ("replace",), ("rollback", m), short="freeze"
        )
        for m in _MODES
    ),
    *(
        Scenario(f"rollback, {m}; meanwhile a replace", "moved, approved", ("rollback", m), ("replace",))
        for m in _MODES
    ),
    *(
        Scenario(f"compact; meanwhile a rollback, {m}", "approved", ("compact",), ("rollback", m), short="freeze")
        for m in _MODES
    ),
    *(Scenario(f"rollback, {m}; meanwhile a compaction", "approved", ("rollback", m), ("compact",)) for m in _MODES),
    *(Scenario(f"rollback, {m}; meanwhile a cycle", "approved", ("rollback", m), ("cycle", "20")) for m in _MODES),
    *(
        Scenario(
            f"cycle; meanwhile a rollback, {m}", "approved", ("cycle", "20"), ("rollback", m), short="freeze", rest=True
        )
        for m in _MODES
    ),
    Scenario(
        "cycle; meanwhile dead letters are put back",
        "dead letters set back by hand",
        ("cycle", "20"),
        ("recover", "by hand", "recommit"),
        stops="LedgerDetached",
    ),
    Scenario("backfill", "left out", BACKFILL, short="first", rest=True),
    Scenario("backfill; meanwhile a cycle", "left out", BACKFILL, ("cycle", "20"), short="freeze"),
    Scenario("cycle; meanwhile a backfill", "left out", ("cycle", "20"), BACKFILL, short="freeze"),
    Scenario("backfill; meanwhile the log is restored", "left out", BACKFILL, ("recover", "restored")),
    Scenario("backfill; meanwhile the log is lost", "left out", BACKFILL, ("recover", "take-over"), log_lost=True),
    *(
        Scenario(
            f"backfill; meanwhile a rollback, {m}", "left out, approved", BACKFILL, ("rollback", m), short="freeze"
        )
        for m in _MODES
    ),
    *(
        Scenario(f"rollback, {m}; meanwhile a backfill", "left out, approved", ("rollback", m), BACKFILL)
        for m in _MODES
    ),
    Scenario("redrive", "fixed", REDRIVE, short="first", rest=True),
    Scenario("redrive; meanwhile a cycle", "fixed", REDRIVE, ("cycle", "20"), short="freeze"),
    Scenario("cycle; meanwhile a redrive", "fixed", ("cycle", "20"), REDRIVE),
    Scenario("redrive; meanwhile the log is lost", "fixed", REDRIVE, ("recover", "take-over"), log_lost=True),
    *(
        Scenario(f"redrive; meanwhile a rollback, {m}", "fixed, approved", REDRIVE, ("rollback", m), short="freeze")
        for m in _MODES
    ),
    *(Scenario(f"rollback, {m}; meanwhile a redrive", "fixed, approved", ("rollback", m), REDRIVE) for m in _MODES),
    Scenario("first cycle, evolving", "new, evolving", ("cycle", "20"), short="kill"),
    Scenario("cycle, evolving", "moved, evolving", ("cycle", "20"), short="all", pairs=True, rest=True),
    *(Scenario(f"rollback, {m}, evolving", "approved, evolving", ("rollback", m), short="first") for m in _MODES),
    *(
        Scenario(
            f"cycle, evolving; meanwhile a rollback, {m}",
            "approved, evolving",
            ("cycle", "20"),
            ("rollback", m),
            short="freeze",
        )
        for m in _MODES
    ),
    Scenario("recover after a lost log, evolving", "log lost, evolving", ("recover", "take-over"), short="first"),
    Scenario("cycle, evolving; meanwhile a compaction", "in flight, evolving", ("cycle", "20"), ("compact",)),
    Scenario(
        "compact; meanwhile a cycle, evolving", "in flight, evolving", ("compact",), ("cycle", "20"), short="freeze"
    ),
    Scenario("first cycle, routed", "new, routed", ("cycle", "20"), short="all", pairs=True, rest=True),
    Scenario("cycle, routed", "moved, routed", ("cycle", "20"), short="first", rest=True),
    *(Scenario(f"rollback, {m}, routed", "approved, routed", ("rollback", m), short="first") for m in _MODES),
    *(
        Scenario(
            f"cycle, routed; meanwhile a rollback, {m}",
            "approved, routed",
            ("cycle", "20"),
            ("rollback", m),
            short="freeze",
        )
        for m in _MODES
    ),
    Scenario("recover after a lost log, routed", "log lost, routed", ("recover", "take-over"), short="all", rest=True),
    Scenario(
        "cycle with new tables, routed; meanwhile the log is lost",
        "begun, routed",
        ("cycle", "20"),
        ("recover", "take-over"),
        log_lost=True,
        rest=True,
    ),
    Scenario(
        "cycle, routed; meanwhile the log is lost",
        "in flight, routed",
        ("cycle", "20"),
        ("recover", "take-over"),
        log_lost=True,
    ),
    Scenario("first cycle, mixed", "new, mixed", ("cycle", "20"), short="kill", rest=True),
    Scenario("cycle, mixed", "moved, mixed", ("cycle", "20"), short="all", pairs=True, rest=True),
    *(Scenario(f"rollback, {m}, mixed", "approved, mixed", ("rollback", m), short="first") for m in _MODES),
    Scenario("recover after a lost log, mixed", "log lost, mixed", ("recover", "take-over"), short="all", rest=True),
    Scenario(
        "cycle, mixed; meanwhile the log is lost",
        "in flight, mixed",
        ("cycle", "20"),
        ("recover", "take-over"),
        log_lost=True,
    ),
    Scenario("cycle; meanwhile the log is restored", "in flight", ("cycle", "20"), ("recover", "restored")),
    Scenario("cycle; meanwhile the log is lost", "in flight", ("cycle", "20"), ("recover", "take-over"), log_lost=True),
)
# With the real writer: its tasks go on when their driver is gone.
ON_SPARK_ROUTED = Scenario("cycle, routed, on Spark", "moved, routed", ("cycle", "20"), spark=True)
ON_SPARK_EVOLVING = Scenario("cycle, evolving, on Spark", "moved, evolving", ("cycle", "20"), spark=True)
ON_SPARK = Scenario("cycle on Spark", "moved", ("cycle", "20"), spark=True)
# Then a task has two workers with a stage of SQL between them.
ON_SPARK_WITH_SQL = Scenario("cycle with SQL on Spark", "moved, with SQL", ("cycle", "20"), spark=True)
# In two stages: tasks that read send the records of all tables to tasks that write them.
ON_SPARK_SHUFFLED = Scenario("cycle, routed, shuffled on Spark", "moved, shuffled", ("cycle", "20"), spark=True)
ALL_ON_SPARK = (ON_SPARK, ON_SPARK_WITH_SQL, ON_SPARK_EVOLVING, ON_SPARK_ROUTED, ON_SPARK_SHUFFLED)
ON_REST = tuple(replace(s, name=f"{s.name}, REST catalog") for s in SCENARIOS if s.rest)
