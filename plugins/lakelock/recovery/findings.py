"""The findings that `recover` reports, and records that a rebuild would lose because only the log knows them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lakelock.config import Pipeline
from lakelock.ingest.bind import rebind
from lakelock.ingest.kafka_losses import Lost, lost
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import Notes, PartState, Stand
from lakelock.model.offsets import without
from lakelock.ports import Broker, Tables
from lakelock.rollback import decision as rollbacks


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault, and the action that `recover` takes; `left` marks one that is left to an operator.

    `approval` names an action that cannot be undone and that a person must approve; empty if none is needed.
    """

    about: str
    what: str
    then: str
    left: bool = False
    approval: str = ""

    @property
    def line(self) -> str:
        return f"{self.about}: {self.what}; {self.then}"


def left_alone(about: str, what: str) -> Finding:
    return Finding(about, what, "is not changed", left=True)


def of_rebuild(found: Iterable[Finding], without: Collection[str], staged: Collection[str]) -> list[Finding]:
    """*found* as a rebuild ends them: it goes on *without* some tables, and gives up files that are *staged* for others."""
    out = []
    for f in found:
        if f.about in without:
            then = (
                "the log is rebuilt without it: afterwards, put the old table back and recover again, or run "
                f"{rebind(f.about)}"
            )
            out.append(replace(f, then=then, approval=f"rebuild without {f.about}"))
        elif f.left and f.about in staged:
            out.append(replace(f, then=f"{f.then}, but its staged files are given up with the log"))
        else:
            out.append(f)
    return out


def in_words(gone: Sequence[Lost]) -> str:
    return "; ".join(f"{g.wanted}, but Kafka {g.now}" for g in gone)


def losing(gone: Sequence[Lost]) -> str:
    """For `approval`: the same text for the same loss, wherever Kafka begins when it is approved."""
    return "loses " + ", ".join(str(g.gone) for g in gone)


@dataclass(frozen=True, slots=True)
class Losses:
    """Finds losses; *ledgers* has each readable table's ledger as it is and as it will be once adopted."""

    broker: Broker
    ledgers: Mapping[str, tuple[Ledger, Ledger]]

    def of(self, notes: Notes) -> dict[str, list[Lost]]:
        """Ranges by table that Kafka no longer has and that are only in the log's files, or were removed by hand.

        If a table cannot be read now, its committed parts are safe as soon as it can be; its staged parts are in no
        table.
        """
        out = {}
        for name in sorted({*notes, *self.ledgers}):
            of_table = notes.get(name, ())
            if name in self.ledgers:
                before, after = self.ledgers[name]
                written = [r for n in of_table if n.state is not PartState.PLANNED for r in n.ranges]
                ranges = [g for r in written for g in after.coverage.lacking(r)]
                # Those of a dead-letter table are put back, or declared lost.
                if not before.holds_dead_letters:
                    ranges += rollbacks.taken_out(before.coverage, after.coverage)
            else:
                ranges = [r for n in of_table if n.state is PartState.STAGED for r in n.ranges]
            if gone := lost(self.broker, ranges):
                out[name] = gone
        return out

    def findings(self, by_table: Mapping[str, Sequence[Lost]]) -> Iterator[Finding]:
        for name, gone in by_table.items():
            where = "it lacks" if name in self.ledgers else "staged for it are"
            what = f"{where} records in files that only the log knows: {in_words(gone)}"
            yield Finding(name, what, "gives these files up", approval=f"{name} {losing(gone)}")

    def unseen(self, notes: Notes, seen: Mapping[str, Sequence[Lost]]) -> list[Finding]:
        """Losses as of now, beyond those in *seen*."""
        now = self.of(notes)
        more = {
            n: gone for n, gone in now.items() if without([g.gone for g in gone], [g.gone for g in seen.get(n, ())])
        }
        return list(self.findings(more))


def unheard_of(pipeline: Pipeline, tables: Tables, stands: Sequence[Stand], names: Sequence[str]) -> Iterator[Finding]:
    """Tables among *names* that neither log nor catalog knows and that would begin at the others' current position.

    *names* are tables of the file. Records that such a table once had would be missing without notice.
    """
    topics = {source.topic for stand in stands for source in stand.starts}
    dead = sum(covered.dead_letters for stand in stands for covered in stand.ledger.coverage.values())
    for name in names:
        is_dead_letters = name == pipeline.dead_letter_table
        # Of a pipeline with routes it also names all tables, and what is complete in them.
        has_more = dead > 0 or (pipeline.route is not None and bool(topics))
        if has_more if is_dead_letters else any(pipeline.feeds(name, topic) for topic in topics):
            what = "it does not exist, and without the log lakelock cannot know whether it ever did"
            then = (
                "if it never had rows, remove it from the pipeline file until the log is rebuilt; otherwise lakelock creates it "
                f"again, and it gets only new records. If it had rows, restore it first. {tables.way_back(name, None, (), ())}"
            )
            yield Finding(name, what, then, approval=f"{name} does not exist")
