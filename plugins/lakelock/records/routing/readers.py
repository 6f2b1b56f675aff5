"""How the fields of values are found in blocks: machine code that tasks have."""

from __future__ import annotations

from dataclasses import dataclass

from lakelock.records.csv.splitting import Splitter
from lakelock.records.json.quick import Reader
from lakelock.records.json.scanned import Scanner


@dataclass(frozen=True, slots=True)
class Readers:
    """*scanner* and *reader* are for JSON, *splitter* is for delimited text."""

    scanner: Scanner
    reader: Reader
    splitter: Splitter
