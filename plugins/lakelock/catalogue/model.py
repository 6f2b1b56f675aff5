"""A command or a form as data. Imported when Airflow parses DAG files: standard library only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum


class OptionKind(Enum):
    """The values of an option."""

    TEXT = "text"
    INTEGER = "integer"
    FLAG = "flag"
    CHOICE = "choice"
    MOMENT = "time"
    DURATION = "duration"
    # One of the pipeline's tables.
    TABLE = "table"
    # A snapshot id, a time, or last:N.
    PAST = "snapshot"
    # Offsets by topic and partition, and a list of tables: in forms only.
    OFFSETS = "offsets"
    TABLES = "tables"


class Files(Enum):
    """The pipeline files that a command takes."""

    NONE = ""
    ONE = "FILE"
    ANY = "[FILE…]"


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a command, or field of a form.

    `help` is in whole sentences. `unset` says, as the end of a sentence, what holds where the option is not given.
    """

    name: str
    title: str
    help: str
    kind: OptionKind = OptionKind.TEXT
    choices: Mapping[str, str] = field(default_factory=dict)
    default: object = None
    required: bool = False
    minimum: int | None = None
    unset: str = ""
    section: str = ""
    metavar: str | None = None
    # The value of an option that is given without one.
    bare: object = None
    # Of an option for a table of a pipeline with routes: what it takes beside names of tables.
    beside_names: tuple[str, ...] = ()

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def field(self) -> str:
        """Its name in code: an interval has a start and an end, and `from` is a keyword of Python."""
        is_interval = self.kind in (OptionKind.MOMENT, OptionKind.INTEGER)
        return {"from": "start", "to": "end"}.get(self.name, self.name) if is_interval else self.name

    def text(self, empty: str) -> str:
        """The help with what holds where nothing is given; *empty* is the word for that: `Default`, `Empty`."""
        choices = "; ".join(f"{name}: {what}" for name, what in self.choices.items())
        unset = f"{empty}: {self.unset}." if self.unset else ""
        return " ".join(filter(None, [self.help, choices + "." if choices else "", unset]))

    def but(self, **changes: object) -> Option:
        """The same option with other words or limits, for one command or form."""
        return replace(self, **changes)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Dialog:
    """A dialog of the page that starts a run, and the button that opens it.

    In `title`, `{table}` is the table of the page, or *all tables*. `fields` are options of the DAG's form. A field of
    the kind TABLE is a list of tables; without one, the run is about the table of the page.
    """

    button: str
    title: str
    about: str
    fields: tuple[Option, ...] = ()
    # Fields of the form that are sent and not shown.
    fixed: Mapping[str, object] = field(default_factory=dict)
    # Whether the dialog itself shows the steps for the chosen tables.
    previews: bool = False
    # Whether the run shows a preview and waits for approval. If not, `then` says how it continues.
    asks: bool = False
    then: str = ""
    # How Airflow's own form does the same.
    same: str = "with the same fields"


@dataclass(frozen=True, slots=True)
class Command:
    """A command of `bin/lakelock`. `dag` is the kind of DAG that does the same in Airflow.

    `runs` is its function in `cli/`, as `module:function`. A decision of `recover__p` also has a class in
    `orchestration/`, `decides`, and may have a dialog of its own. `in_dag` says, in whole sentences, how the tasks of
    that DAG differ for it.
    """

    name: str
    summary: str
    runs: str
    options: tuple[Option, ...] = ()
    files: Files = Files.ONE
    # Of these options exactly one is given.
    one_of: tuple[str, ...] = ()
    dag: str = ""
    decides: str = ""
    in_dag: str = ""
    dialog: Dialog | None = None

    @property
    def short(self) -> str:
        """The summary's first sentence, to stand in the middle of another one."""
        first = self.summary.partition(". ")[0].removesuffix(".")
        return first[0].lower() + first[1:]


@dataclass(frozen=True, slots=True)
class Form:
    """The form of one kind of DAG, and the page's dialog with the fields of it that most runs need."""

    dag: str
    fields: tuple[Option, ...]
    dialog: Dialog
    # Whether its tables include the dead-letter table: decisions and backfills are about those of the file.
    has_dead_letters: bool = False
