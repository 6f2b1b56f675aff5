"""docs/proofs/counterparts.md."""

from __future__ import annotations

from collections import Counter

from conversions.page import REPOSITORY, wrapped
from conversions.peer_entries import Counterpart
from conversions.peers import GROUPS, PEERS

PAGE = REPOSITORY / "docs" / "proofs" / "counterparts.md"
INTRO = """# Counterparts

Other connectors have tests of how values of records become values of a table, how the table's columns follow the
records, and which table a record goes to. This page lists each of these tests, and the test of lakelock that shows the
same case with records of its own:

- **The Iceberg sink for Kafka Connect** ([apache/iceberg](https://github.com/apache/iceberg) at commit
  `7f879b1`): the 59 tests of `TestRecordConverter`, 14 tests of schema changes, and 17 tests of routing. 66 more are of
  routers that two pull requests proposed.
- **The Tabular sink for Kafka Connect**
  ([databricks/iceberg-kafka-connect](https://github.com/databricks/iceberg-kafka-connect), once
  tabular-io/iceberg-kafka-connect, at commit `066bb79`): the 9 tests of routing.
- **Flink's dynamic Iceberg sink**, at commit `7f879b1` for Flink 2.1: 66 tests of schema changes, and 73 tests of
  tables, writers and commits.
- **kafka-delta-ingest** ([delta-io/kafka-delta-ingest](https://github.com/delta-io/kafka-delta-ingest) at
  commit `c6d42de`): the 12 unit tests of `src/coercions.rs` (3) and `src/transforms.rs` (9), and the 7 tests of
  its formats.

Of the {all} tests, lakelock does the same in {same} and better in {better}. It does less in {limit}, and
{other} do not apply to it. [Conversions](../conversions.md) lists many more values.

`python -m conversions` (with `PYTHONPATH=tests`) writes this page, and a test checks that each test named here
exists.
"""


def page() -> str:
    counts = Counter(c.verdict for c in PEERS)
    out = [
        wrapped(
            INTRO.format(
                all=len(PEERS), same=counts["same"], better=counts["better"], limit=counts["limit"],
                other=counts["not applicable"],
            )
        )
    ]  # fmt: skip
    for group in GROUPS:
        out.append(
            f"## {group.title}\n\n{wrapped(group.source)}.\n\n| test | verdict | in lakelock | shown by |\n|---|---|---|---|"
        )
        out += [f"| `{c.name}` | {c.verdict} | {c.why} | {_links(c)} |" for c in group.counterparts]
        out.append("")
    return "\n".join(out)


def _links(counterpart: Counterpart) -> str:
    parts = [test.partition("::") for test in counterpart.tests]
    return "<br>".join(f"[`{name}`](../../{file})" for file, _, name in parts)
