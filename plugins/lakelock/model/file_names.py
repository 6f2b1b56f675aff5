"""Names of lakelock's files: a clean-up recognises them, and their table by its UUID, by these names alone."""

from __future__ import annotations

import re

from lakelock.model.ledger import SIDE_FILES

_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_BATCH = re.compile(_UUID)
_DATA = re.compile(rf"(?P<table>{_UUID})/(?P<batch>{_UUID})/(?P<attempt>[^/]+)/{_UUID}\.parquet")
_BESIDE = "|".join(
    (
        rf"lakelock-(?P<of_manifest>{_UUID})-{_UUID}-\d+-m\d+\.avro",
        rf"snap-\d+-lakelock-(?P<of_list>{_UUID})-{_UUID}\.avro",
        rf"lakelock-(?:{'|'.join(side.what for side in SIDE_FILES)})-(?P<of_ledger>{_UUID})-{_UUID}-\d+-[0-9a-f]{{64}}\.json",
    )
)
_METADATA = re.compile(_BESIDE)


def attempt_folder(table_uuid: str, batch_id: str, attempt: str) -> str:
    """Folder below a table's data folder, which several tables may share: after a rename, a drop, or by properties."""
    return f"{table_uuid}/{batch_id}/{attempt}"


def manifest_stem(table_uuid: str, commit_id: str, version_id: int) -> str:
    return f"lakelock-{table_uuid}-{commit_id}-{version_id}"


def numbered(stem: str, number: int) -> str:
    """The path of a manifest; *stem* begins with a folder."""
    return f"{stem}-m{number}.avro"


def manifest_list(table_uuid: str, commit_id: str, version_id: int) -> str:
    return f"snap-{version_id}-lakelock-{table_uuid}-{commit_id}.avro"


def ledger_file(what: str, table_uuid: str, commit_id: str, version_id: int, digest: str) -> str:
    """A name that no other snapshot uses, not even a retry of the same commit: an unreferenced file can be deleted."""
    return f"lakelock-{what}-{table_uuid}-{commit_id}-{version_id}-{digest}.json"


def config_file(digest: str) -> str:
    """Named by content alone. The next commit may reference a file that nothing references now: clean-ups keep it."""
    return f"lakelock-config-{digest}.json"


def is_batch_folder(name: str) -> bool:
    return _BATCH.fullmatch(name) is not None


def batch_and_attempt(relative: str, table_uuid: str) -> tuple[str, str] | None:
    """Batch and attempt of the file at *relative* in a data folder, if lakelock wrote it for this table."""
    match = _DATA.fullmatch(relative)
    return (match["batch"], match["attempt"]) if match and match["table"] == table_uuid else None


def is_own_metadata(name: str, table_uuid: str) -> bool:
    """Whether lakelock wrote this manifest, manifest list or ledger file for this table."""
    match = _METADATA.fullmatch(name)
    return match is not None and table_uuid in match.groups()
