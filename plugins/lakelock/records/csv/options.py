"""The options of delimited text that a pipeline file names. Pipeline files are checked by it, so it loads no heavy library."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

DEAD_LETTER, SKIP = "dead_letter", "skip"


@dataclass(frozen=True, slots=True)
class CsvOptions:
    """*delimiter*, *quote* and *escape* are single ASCII characters. *columns* names the fields in order; empty: as the table's.

    *header* is what becomes of a record with the names of all fields: None for a row, as of any other record.
    """

    delimiter: str = ","
    quote: str | None = '"'
    escape: str | None = None
    null_text: str = ""
    columns: tuple[str, ...] = ()
    header: str | None = None

    def faults(self) -> Iterator[tuple[str, str]]:
        """Options that contradict others, each with a sentence."""
        if self.quote == self.delimiter:
            yield "quote", "must differ from delimiter"
        if self.escape is not None and self.escape in (self.delimiter, self.quote):
            yield "escape", "must differ from delimiter and quote (a quote within quotes is doubled without any escape)"
        for name, sign in (("delimiter", self.delimiter), ("quote", self.quote)):
            if sign is not None and sign in self.null_text:
                yield "null_text", f"no field can be this text, because it contains the {name}"
        if self.escape is not None and self.null_text.endswith(self.escape):
            yield "null_text", "must not end with the escape, which would belong to the character behind it"
