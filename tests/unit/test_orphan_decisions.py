"""Which files are ours by their names, and which of these nothing can name again."""

from __future__ import annotations

import uuid

import pytest
from lakelock.model.file_names import attempt_folder, config_file, ledger_file, manifest_list, manifest_stem, numbered
from lakelock.model.ledger import SIDE_FILES
from lakelock.model.table_files import BatchNote, KnownFiles, OwnFile
from lakelock.upkeep.orphans_decision import data_file, metadata_file, orphans, unnamed

TABLE, OTHER = "0b0a4a4e-6a55-4a4c-8e0e-6a1f6a0d7c01", "0b0a4a4e-6a55-4a4c-8e0e-6a1f6a0d7c02"
SOME, BATCH = "9f1b7c1e-58a5-4f0e-9a53-0d6a8f0d1c11", "5f4a3c52-7f0c-4a38-8d0f-3d1f0f2b6a77"
DIGEST = "0" * 64


def of_attempt(attempt: str, batch: str = BATCH) -> OwnFile:
    found = data_file(TABLE, "s3://b/t/data", f"{attempt_folder(TABLE, batch, attempt)}/{uuid.uuid4()}.parquet", 7, 100)
    assert found is not None
    assert (found.batch_id, found.attempt) == (batch, attempt)
    return found


def beside(table_uuid: str) -> list[str]:
    return [
        numbered(manifest_stem(table_uuid, SOME, 4711), 0),
        manifest_list(table_uuid, SOME, 4711),
        *(ledger_file(side.what, table_uuid, SOME, 7, DIGEST) for side in SIDE_FILES),
    ]


@pytest.mark.parametrize("name", beside(TABLE))
def test_manifests_lists_and_ledger_files_are_ours(name: str) -> None:
    assert metadata_file(TABLE, "s3://b/t/metadata", name, 1, 1) is not None
    assert metadata_file(TABLE, "s3://b/t/metadata", f"x{name}", 1, 1) is None


@pytest.mark.parametrize("name", beside(OTHER))
def test_those_of_another_table_in_the_same_folder_are_not(name: str) -> None:
    assert metadata_file(TABLE, "s3://b/t/metadata", name, 1, 1) is None


@pytest.mark.parametrize(
    "name",
    [
        "00000-4711.metadata.json",
        f"{SOME}-m0.avro",
        f"snap-4711-1-{SOME}.avro",
        # What another commit may name, too.
        config_file(DIGEST),
        f"lakelock-coverage-{DIGEST}.json",
        # Those that say of no table that it is theirs.
        f"lakelock-{SOME}-4711-m0.avro",
        f"snap-4711-lakelock-{SOME}.avro",
        f"lakelock-coverage-{SOME}-{DIGEST}.json",
        # Those that another try of the same commit may name.
        f"lakelock-coverage-{TABLE}-{SOME}-{DIGEST}.json",
        # The UUID where a commit's id is.
        manifest_list(OTHER, TABLE, 4711),
        "4711.stats",
    ],
)
def test_what_others_wrote_and_what_may_be_named_again_is_not(name: str) -> None:
    assert metadata_file(TABLE, "s3://b/t/metadata", name, 1, 1) is None


@pytest.mark.parametrize(
    "path",
    [
        "a.parquet",
        f"day=1/{SOME}.parquet",
        f"{TABLE}/{BATCH}/a/part-0.parquet",
        f"{TABLE}/{BATCH}/{SOME}.parquet",
        f"{OTHER}/{BATCH}/a/{SOME}.parquet",
        f"{BATCH}/a/{SOME}.parquet",
        f"{BATCH}/{TABLE}/{SOME}.parquet",
    ],
)
def test_data_files_of_other_writers_and_other_tables_are_not(path: str) -> None:
    assert data_file(TABLE, "s3://b/t/data", path, 1, 1) is None


def test_a_file_is_known_by_its_name_whatever_its_path() -> None:
    file = of_attempt("a")
    assert unnamed([file], 101, {file.name}) == []
    assert unnamed([file], 101, set()) == [file]
    assert unnamed([file], 100, set()) == [], "it is not older"


@pytest.mark.parametrize(
    ("note", "is_orphan"),
    [
        (BatchNote(True, "a"), False),
        (BatchNote(True, "b"), True),
        (BatchNote(True, None), True),
        (BatchNote(False, "a"), True),
        (None, True),
    ],
)
def test_only_the_current_attempt_of_an_open_batch_may_still_write(note: BatchNote | None, is_orphan: bool) -> None:
    file = of_attempt("a")
    known = KnownFiles({BATCH: note} if note else {})
    assert orphans([file], known, alone=True) == ([file] if is_orphan else [])
    assert orphans([file], KnownFiles(known.batches, frozenset({file.name})), alone=True) == []


def test_a_batch_that_another_log_may_know_is_left() -> None:
    file = of_attempt("a")
    assert orphans([file], KnownFiles(), alone=False) == []
    assert orphans([file], KnownFiles({BATCH: BatchNote(False, None)}), alone=False) == [file]
