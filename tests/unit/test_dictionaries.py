"""Columns whose values repeat get a dictionary, others none, and the rows of a file are the same with and without it."""

from __future__ import annotations

import uuid
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from kits.columns import columns
from kits.slices import target
from lakelock.adapters.parquet.budget import WriterBudget
from lakelock.adapters.parquet.dictionaries import (
    FILES_A_LOOK,
    SMALL_ROWS,
    SharedChoices,
    with_dictionary,
)
from lakelock.adapters.parquet.writer import TableWriter

ROWS = 40_000


def table(random: Random) -> pa.Table:
    texts = [f"{random.getrandbits(64):016x}" for _ in range(ROWS)]
    return pa.table(
        {
            "unique": pa.array(range(ROWS)),
            "text": texts,
            "twice": [texts[random.randrange(ROWS // 2)] for _ in range(ROWS)],
            "pairs": [n // 2 for n in range(ROWS)],
            "few": [n % 7 for n in range(ROWS)],
            "null": pa.nulls(ROWS, pa.int64()),
            "rare": [n if n % 100 == 0 else None for n in range(ROWS)],
            "half": [n if n % 2 else None for n in range(ROWS)],
            "list": [[n] for n in range(ROWS)],
            "offset": [n % 9_000 for n in range(ROWS)],
            "id": pa.ExtensionArray.from_storage(
                pa.uuid(), pa.array([uuid.UUID(int=n).bytes for n in range(ROWS)], pa.binary(16))
            ),
        }
    )


def test_only_values_that_repeat_have_a_dictionary() -> None:
    rows = table(Random(1))
    paths = [*(n for n in rows.column_names if n != "list"), "list.list.element"]
    found = with_dictionary(rows, paths, {"offset"})
    assert set(paths) - set(found) == {"unique", "text", "half", "offset", "id"}
    assert with_dictionary(rows.slice(0, 500), paths, ()) == paths
    assert with_dictionary(rows.slice(0, 0), paths, ()) == paths


def test_of_a_small_file_values_that_repeat_rarely_have_none() -> None:
    count = 3_000
    rows = pa.table(
        {
            "once": pa.array(range(count)),
            "rarely": [n % 2_400 for n in range(count)],
            "often": [n % 1_800 for n in range(count)],
            "twice": [n // 2 for n in range(count)],
            "null": [n if n % 3 == 0 else None for n in range(count)],
            "rarely null": [n % 1_000 if n % 3 else None for n in range(count)],
            "offset": [n % 7 for n in range(count)],
        }
    )
    assert with_dictionary(rows, rows.column_names, {"offset"}) == ["often", "twice", "rarely null"]
    # That many of a thousand are distinct says little of the file.
    repeated = pa.concat_tables([rows] * (SMALL_ROWS // count + 1))
    assert {"rarely", "once"} <= set(with_dictionary(repeated, rows.column_names, {"offset"}))


def test_small_files_of_alike_tables_share_a_choice_for_a_while() -> None:
    looked: list[int] = []

    def choose(rows: pa.Table) -> list[str]:
        looked.append(rows.num_rows)
        return [str(len(looked))]

    def choices(alike: str, rows: int, files: int) -> list[str]:
        return [choice for _ in range(files) for choice in shared.of(alike, pa.table({"a": pa.nulls(rows)}), choose)]

    shared = SharedChoices()
    assert choices("x", 4_000, FILES_A_LOOK) == ["1"] * FILES_A_LOOK
    assert choices("x", 4_000, 2) == ["2", "2"]
    assert choices("y", 4_000, 1) == ["3"]
    assert choices("x", 4_000, 1) == ["2"]
    assert choices("x", SMALL_ROWS + 1, 2) == ["4", "5"]
    assert choices("x", 999, FILES_A_LOOK - 3) == ["2"] * (FILES_A_LOOK - 3)
    assert choices("x", 999, 2) == ["6", "7"]
    assert choices("x", 4_000, 1) == ["8"]


def test_files_with_the_choice_of_another_table_have_the_rows_that_they_were_given(tmp_path: Path) -> None:
    of = columns({"id": "long", "name": "string"})
    budget = WriterBudget()
    found = []
    for n, ids in enumerate((range(2_000), [7] * 2_000, [None, 3] * 1_000)):
        writer = TableWriter(target(tmp_path, f"t{n}", of, ["t"]), "b", "a", 1 << 30, budget=budget)
        rows = pa.Table.from_arrays([pa.array(ids), pa.array(["x"] * 2_000)], schema=writer.arrow_schema)
        writer.write(rows)
        (file,) = writer.finish()
        found.append(pq.ParquetFile(file.path.removeprefix("file://")))
        assert found[-1].read().to_pydict() == rows.to_pydict()
    groups = [file.metadata.row_group(0) for file in found]
    assert [[g.column(n).has_dictionary_page for n in range(2)] for g in groups] == [[False, True]] * 3


def test_tables_with_other_columns_properties_or_metadata_have_a_choice_of_their_own(tmp_path: Path) -> None:
    budget = WriterBudget()
    wanted = "write.parquet.dict-encoding-enabled.column.id"
    of_table: dict[str, tuple[dict[str, str], dict[str, Any]]] = {
        "a": ({"id": "long", "n": "long"}, {}),
        "with more": ({"id": "long", "n": "long", "more": "long"}, {}),
        "with a property": ({"id": "long", "n": "long"}, {"properties": {wanted: "true"}}),
        "with metadata": ({"id": "long", "n": "long"}, {"metadata_columns": {"offset": "n"}}),
        "like a": ({"id": "long", "n": "long"}, {}),
    }
    found = {}
    for name, (kinds, settings) in of_table.items():
        writer = TableWriter(
            target(tmp_path, name, columns(kinds), ["t"], **settings), "b", "a", 1 << 30, budget=budget
        )
        repeats = [range(2_000), [5] * 2_000, [6] * 2_000][: len(kinds)]
        writer.write(pa.Table.from_arrays([pa.array(values) for values in repeats], schema=writer.arrow_schema))
        (file,) = writer.finish()
        group = pq.ParquetFile(file.path.removeprefix("file://")).metadata.row_group(0)
        found[name] = [group.column(n).has_dictionary_page for n in range(len(kinds))]
    assert found == {
        "a": [False, True],
        "with more": [False, True, True],
        "with a property": [True, True],
        "with metadata": [False, False],
        "like a": [False, True],
    }


def test_a_file_has_the_rows_that_it_was_given_without_dictionaries(tmp_path: Path) -> None:
    of = columns({"id": "long", "kind": "string", "name": "string", "o": "long"})
    writer = TableWriter(target(tmp_path, "t", of, ["t"], metadata_columns={"offset": "o"}), "b", "a", 1 << 30)
    random = Random(2)
    names = [f"{random.getrandbits(64):016x}" for _ in range(ROWS)]
    arrays = [pa.array(range(ROWS)), pa.array(["x", "y"] * (ROWS // 2)), pa.array(names), pa.array([5] * ROWS)]
    rows = pa.Table.from_arrays(arrays, schema=writer.arrow_schema)
    for start in range(0, ROWS, 5_000):
        writer.write(rows.slice(start, 5_000))
    (file,) = writer.finish()
    found = pq.ParquetFile(file.path.removeprefix("file://"))
    group = found.metadata.row_group(0)
    assert [group.column(n).has_dictionary_page for n in range(4)] == [False, True, False, False]
    assert found.read().to_pydict() == rows.to_pydict()
