"""What is searched: small worlds that each look at one area, and the rules that are taken away one at a time."""

from __future__ import annotations

from dataclasses import dataclass

from model.decisions import Mode
from model.setup import Setup

RECOMMIT, REPLAY, SKIP = Mode.RECOMMIT, Mode.REPLAY, Mode.SKIP


def world(name: str, decoding: str | tuple[str, ...] = "gg", files: tuple[str, ...] = ("A",), **more: object) -> Setup:
    """A setup; what is no field of it is a fault and how often it may come, with `_` for a blank."""
    fields = Setup.__dataclass_fields__
    faults = {k.replace("_", " "): v for k, v in more.items() if k not in fields}
    named = {k: v for k, v in more.items() if k in fields}
    decodings = (decoding,) * len(files) if isinstance(decoding, str) else decoding
    return Setup(name, decodings, files, faults=faults, **named)  # type: ignore[arg-type]


BY_HAND = world(
    "letters and rows by hand",
    "??",
    sizes=(1, 2),
    attempts=2,
    by_hand=2,
    rolls_back="AD",
    recover_modes=(RECOMMIT, SKIP),
)

# All rules on: nothing may be found. The first are searched whole in the default run, LONG in the long form.
CLEAN = (
    world("zombies", attempts=2, crash=1, unknown=1, writers=2, committers=2),
    world("dead letters", "b", attempts=2, crash=1, unknown=1, committers=2),
    world("undecided records", "?", attempts=2, writers=2, committers=2),
    world("other writers", "g", attempts=1, append=1, by_hand=1, committers=2),
    world("foreign expiry", "g", attempts=2, append=1, by_hand=1, expire=1),
    world("rollback", "g", attempts=2, rollback=1, crash=1, committers=2),
    world("rollback, two batches", attempts=2, rollback=1),
    world("letters by hand", "b?", attempts=2, by_hand=1, rolls_back="D", recover_modes=(RECOMMIT, SKIP)),
    world("letters by hand, lost files", "b", attempts=2, by_hand=1, expire=1, rolls_back="D"),
    world("both go back", "?", attempts=2, rollback=1, by_hand=1, rolls_back="AD", recover_modes=(RECOMMIT, SKIP)),
    world("letters by hand, restored", "?", attempts=2, by_hand=1, restore=1, rolls_back="D"),
    world("rollback beside by hand", "g", attempts=1, rollback=1, by_hand=1, modes=(REPLAY,)),
    world("Postgres lost", "g", attempts=2, lost=1, committers=2),
    world("Postgres lost, undecided", "?", attempts=1, lost=1),
    world("Postgres lost, rollback", "g", attempts=1, lost=1, rollback=1, modes=(RECOMMIT, REPLAY)),
    world("Postgres restored", "?", attempts=2, restore=1, committers=2),
    world("replaced table", attempts=2, replaced=1, committers=2),
    world("edited file", files=("AB", "A", "AB"), attempts=2, edit=2),
    world("changed columns", ("b", "g"), files=("A", "A"), attempts=3, edit=1, rollback=1),
    world("planners that race", sizes=(1, 2), planners=2, attempts=2),
)

LONG = (
    world("zombies, longer", attempts=4, crash=1, unknown=1, append=1, writers=2, committers=2),
    world("dead letters, longer", "bg", sizes=(1, 2), attempts=3, crash=1, unknown=1, committers=2),
    world("undecided, longer", "??", sizes=(1, 2), attempts=3, writers=2, committers=2),
    world("other writers, longer", attempts=2, append=1, by_hand=1, crash=1, committers=2),
    world("foreign expiry, longer", attempts=2, append=1, by_hand=1, expire=1),
    world("rollback, longer", attempts=3, rollback=1, crash=1, unknown=1, committers=2),
    world("two rollbacks", attempts=3, rollback=2, crash=1),
    world("rollback, lost files, longer", attempts=3, rollback=1, expire=1),
    world("letters by hand, longer", "b", attempts=3, by_hand=1, crash=1, rolls_back="D", committers=2),
    BY_HAND,
    world("by hand and back", "?", attempts=3, by_hand=1, rollback=1, rolls_back="AD"),
    world("by hand, two committers", "?", attempts=3, by_hand=2, rolls_back="AD", committers=2),
    world("Postgres lost, longer", sizes=(1, 2), attempts=3, lost=1, committers=2),
    world("Postgres lost, two tables", files=("AB",), sizes=(1, 2), attempts=2, lost=1),
    world("Postgres lost, rollback, longer", attempts=3, lost=1, rollback=1),
    world("Postgres restored, longer", sizes=(1, 2), attempts=3, restore=1, crash=1),
    world("Postgres restored, rollback", attempts=2, restore=1, rollback=1),
)


@dataclass(frozen=True)
class Removed:
    """One rule, or several together, and the world in which its absence shows soonest."""

    rules: tuple[str, ...]
    setup: Setup

    @property
    def name(self) -> str:
        return " + ".join(self.rules)


def without(*rules: str, of: Setup) -> Removed:
    return Removed(rules, of)


SHOWN = (
    without("branch assertion", of=world("other writers", attempts=2, append=1, committers=2)),
    without("tag assertion", of=world("by hand", attempts=2, by_hand=1, committers=2)),
    without("branch assertion", "tag assertion", of=world("zombies", attempts=2, committers=2)),
    without("tag move", of=world("one commit", "g", attempts=1)),
    without("detached-tag stop", of=world("by hand", attempts=2, by_hand=1)),
    without("UUID check", of=world("replaced table", attempts=2, replaced=1, committers=2)),
    without("generation check", of=world("rollback", attempts=2, rollback=1, committers=2)),
    without("attempt fence", of=world("zombies", attempts=2, writers=2)),
    without("dead letters first", of=world("dead letters", "b", attempts=1, lost=1)),
    without("rollback as a commit", of=world("rollback", "g", attempts=1, rollback=1)),
    without("unknown is not failed", of=world("unknown", "g", attempts=1, unknown=1)),
    without("unknown is not landed", of=world("unknown", "g", attempts=1, unknown=1)),
    without("mark guard", of=world("rollback", "g", attempts=1, rollback=1)),
    without("head's generation", of=world("two rollbacks", attempts=2, rollback=2)),
    without("order", of=world("rollback", attempts=2, rollback=1, committers=2)),
    without("recover's fence", of=world("Postgres lost", "?", attempts=2, lost=1)),
    without("stop until recover", of=world("Postgres restored", "?", attempts=2, restore=1)),
    without("pinned configuration", of=world("edited file", files=("AB", "A"), attempts=2, edit=1)),
    without("wait for dead letters", of=world("rollback", "g?", attempts=3, rollback=1, modes=(REPLAY,))),
    without("decisions pinned", of=world("rollback", "?", attempts=2, rollback=1, modes=(REPLAY,))),
    without(
        "default replay",
        of=world("by hand", "g", attempts=1, rollback=1, by_hand=1, modes=(REPLAY,), recover_modes=(RECOMMIT,)),
    ),
    without("follow holes", of=world("Postgres lost", "g", attempts=1, rollback=1, lost=1, modes=(RECOMMIT,))),
    without("rows go with their dead letters", of=BY_HAND),
    without(
        "generation first, then what is staged",
        of=world("rollback", "?", attempts=3, rollback=2, modes=(RECOMMIT, REPLAY)),
    ),
    without(
        "cut at the dead-letter table's edges", of=world("Postgres restored", "??", sizes=(1, 2), attempts=3, restore=1)
    ),
)

# No counterexample is found for these; why, is said for each.
NOT_SHOWN = {
    "database constraint": (
        world("planners that race", sizes=(1, 2), planners=2, attempts=2, second_end=False),
        "redundant: overlapping batches break only I5, because a part that the table holds is only marked, and a "
        "part that it holds partly is never committed; the constraint prevents duplicate work",
    ),
    "partial overlap": (
        world("Postgres restored", sizes=(1, 2), attempts=2, restore=1, committers=2),
        "redundant if no process continues between a restore and the recovery, which gives up all parts first; a "
        "process that commits parts of a restored log before that needs the rule",
    ),
    "containment, not a floor": (
        world("rollback", attempts=2, rollback=1, modes=(REPLAY,)),
        "redundant while coverage is a prefix (the rule *order*), because both then give the same answer; the "
        "dead-letter table has no order and needs it, but only with several sources or targets, which one small "
        "world does not have",
    ),
    "state guard at stage": (
        world("zombies", attempts=2, writers=2, crash=1),
        "redundant: the attempt fence already refuses every attempt but the newest, and an attempt stages once; "
        "the guard is for a repeated call after a lost answer of Postgres, which is not modelled",
    ),
    "follow by UUID": (
        world("replaced table", "g", attempts=1, rollback=1, replaced=1, lost=1, modes=(RECOMMIT,), second_end=False),
        "the bounds are too small: a rollback must be interrupted, its table replaced, the log lost and taken "
        "over, and the new table rolled back again",
    ),
}
