"""What a column holds instead of personal data, and that the data is nowhere else."""

from __future__ import annotations

import hashlib
import hmac
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import cast
from unittest.mock import patch

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kits.columns import columns
from kits.shaping import landed, pipeline, rows_of
from kits.slices import target
from lakelock.adapters.airflow.connections import Connection
from lakelock.adapters.airflow.masking_keys import masking_key
from lakelock.adapters.hashing import sha256
from lakelock.adapters.hashing.sha256 import digests
from lakelock.adapters.iceberg.ledger_reading import marks_of
from lakelock.adapters.llvm.machine_code import has_instructions
from lakelock.app.runtime import Runtime
from lakelock.apply.decision import Steps
from lakelock.check import preflight
from lakelock.config import Pipeline
from lakelock.errors import ConfigFaults, ConnectionFault, TableUnfit
from lakelock.model.column_types import Column
from lakelock.model.redaction import secrets_of
from lakelock.ports import TableState
from lakelock.ports.tables import PastColumns
from lakelock.records.casts import Reading
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import Decoded
from lakelock.records.decompression import Compression, parts
from lakelock.records.masks import Mask, leaks, masked
from lakelock.records.raw import NO_VALUE
from lakelock.records.values import Values
from lakelock.workers.table_blocks import _explained

KEY = "s3cret-\u00e4"
SEEDS = st.integers(0, 2**64)
LENGTHS = (0, 1, 5, 31, 32, 33, 54, 55, 56, 57, 63, 64, 65, 118, 119, 120, 121, 128, 200, 1000)


def slow(mask: Mask, text: str) -> str:
    """A mask over one text, by other means."""
    n = min(mask.argument, len(text)) if isinstance(mask.argument, int) else 0
    of_kind: dict[str, Callable[[], str]] = {
        "sha256": lambda: hashlib.sha256(text.encode()).hexdigest(),
        "hmac_sha256": lambda: hmac.new(KEY.encode(), text.encode(), "sha256").hexdigest(),
        "redact": lambda: str(mask.argument),
        "truncate": lambda: text[:n],
        "keep_first": lambda: text[:n] + "*" * (len(text) - n),
        "keep_last": lambda: "*" * (len(text) - n) + text[max(len(text) - n, 0) :],
    }
    return of_kind[mask.kind]()


def drawn(random: Random) -> str | None:
    if random.random() < 0.1:
        return None
    return "".join(random.choice("ab0 \u00e4\u20ac\U0001f600\0\n*") for _ in range(random.choice(LENGTHS)))


MASKS = [
    *(Mask("sha256"), Mask("hmac_sha256", "c"), Mask("redact", "***"), Mask("redact", "")),
    *(Mask(kind, n) for kind in ("keep_first", "keep_last", "truncate") for n in (0, 1, 4, 10_000, 10**20)),
]


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_whole_columns_are_masked_as_each_text_alone(seed: int) -> None:
    random = Random(seed)
    texts = [drawn(random) for _ in range(random.choice((0, 1, 7, 8, 9, 40)))]
    kind = random.choice((pa.string(), pa.large_string()))
    start = random.choice((0, 0, 1, 3))
    for mask in MASKS:
        found = masked(pa.array(texts, kind)[start:], mask, KEY.encode() if mask.key_id else None, digests)
        assert found.type == kind
        found.validate(full=True)
        assert found.to_pylist() == [None if t is None else slow(mask, t) for t in texts[start:]]


EACH_WAY = pytest.mark.parametrize(
    "has_sha",
    [
        pytest.param(
            True,
            marks=pytest.mark.skipif(
                not has_instructions("sha"), reason="this processor has no instructions for SHA-256"
            ),
        ),
        False,
    ],
)


@EACH_WAY
@settings(max_examples=60, deadline=None)
@given(seed=SEEDS)
def test_digests_are_those_of_pythons_library(has_sha: bool, seed: int) -> None:
    random = Random(seed)
    values = [
        None if random.random() < 0.1 else random.randbytes(random.choice(LENGTHS))
        for _ in range(random.choice((1, 8, 17)))
    ]
    for key in (None, b"", b"k", random.randbytes(64), random.randbytes(65)):
        for kind in (pa.binary(), pa.large_binary()):
            plain = [
                None if v is None else hashlib.sha256(v).digest() if key is None else hmac.digest(key, v, "sha256")
                for v in values
            ]
            with patch.object(sha256, "has_instructions", lambda _: has_sha):
                assert digests(pa.array(values, kind), key).to_pylist() == plain


@EACH_WAY
def test_a_long_text_among_short_ones_is_hashed_whole(has_sha: bool) -> None:
    texts = ["", "a" * 10_000_000, "b", None, "c" * 63, "d" * 64]
    with patch.object(sha256, "has_instructions", lambda _: has_sha):
        assert digests(pa.array(texts), None).to_pylist() == [
            None if t is None else hashlib.sha256(t.encode()).hexdigest() for t in texts
        ]


COLUMNS = """columns:
      id: long
      mail: {type: string, field: user.mail, mask: sha256}
      phone: {type: string, mask: {keep_last: 4}}
      name: {type: string, mask: {hmac_sha256: masking_key}}
      raw: {type: binary, mask: sha256}
    new_fields: {json_column: rest}"""
RECORD = b'{"id":1,"user":{"mail":"ann@example.org","age":7},"phone":"+4930123","name":"Ann","raw":"YQ==","x":1}'


def test_masked_values_are_nowhere_in_the_row(tmp_path: Path) -> None:
    rows, bad = landed(tmp_path, COLUMNS, [RECORD, b'{"id":2,"phone":null}'], keys={"masking_key": KEY})
    assert not bad
    assert rows[0] == {
        "id": 1,
        "mail": hashlib.sha256(b"ann@example.org").hexdigest(),
        "phone": "****0123",
        "name": hmac.new(KEY.encode(), b"Ann", "sha256").hexdigest(),
        "raw": hashlib.sha256(b"a").digest(),
        "rest": '{"user":{"age":7},"x":1}',
    }
    assert rows[1] == {"id": 2, "mail": None, "phone": None, "name": None, "raw": None, "rest": None}


def test_reasons_do_not_quote_what_a_mask_hides(tmp_path: Path) -> None:
    values = [
        b'{"id":1,"phone":4930123}',
        b'{"id":2,"user":"ann@example.org"}',
        b'{"id":3,"user":{"mail":["ann@example.org"]}}',
        b'{"id":"4711"}',
        b'"ann@example.org"',
    ]
    _, bad = landed(tmp_path, COLUMNS, values, keys={"masking_key": KEY})
    assert sorted(bad) == [0, 1, 2, 3, 4]
    for n in (0, 1, 2, 4):
        assert bad[n].found is None
        assert "493" not in repr(bad[n])
        assert "ann" not in repr(bad[n])
    assert bad[0].message == "field 'phone': number for a string (its column has a mask)"
    assert bad[3].found == "4711"


def test_a_dead_letter_hides_a_value_by_the_old_name_of_a_column(tmp_path: Path) -> None:
    of = pipeline(tmp_path, "columns: {id: long, mail: {type: string, mask: sha256}}")
    rows = rows_of(tmp_path, of, renamed={"address": "mail"})
    values = [b'{"id":1,"address":"ann"}', b'{"id":2,"address":4930123}', b'{"id":3,"address":"ann","mail":"ann"}']
    metadata: dict[str, pa.Array] = {}
    found = rows.decode(Values.from_list(values), metadata.__getitem__)
    assert found.table.to_pylist() == [{"id": 1, "mail": hashlib.sha256(b"ann").hexdigest()}]
    assert [b.index for b in found.bad] == [1, 2]
    assert "493" not in repr(found.bad)
    assert "ann" not in repr(found.bad)


def test_reasons_do_not_quote_the_beginning_of_a_record_that_a_mask_hides(tmp_path: Path) -> None:
    values = [b'[{"phone":"+4930123"}]', b'"+4930123"', b'{"phone":"+4930123"']
    _, bad = landed(tmp_path, COLUMNS, values, keys={"masking_key": KEY})
    assert {n: why.kind for n, why in bad.items()} == dict.fromkeys(range(3), "not a JSON object")
    assert "493" not in repr(bad)


def test_the_reason_of_a_value_that_is_not_compressed_does_not_quote_it(tmp_path: Path) -> None:
    masks = {"id": Mask("sha256")}
    masked_target = target(tmp_path, "t", columns({"id": "string"}), ["t"], masks=masks)
    found = parts(Values.from_list([b"4930123,x"]), Compression("gzip", 1_000), 1_000)
    (part,) = list(found)
    bad = Decoded(pa.table({"id": pa.array([], pa.string())}), [], [BadRecord(0, "decode", NO_VALUE)])
    (record,) = _explained(bad, part.unfit, masked_target).bad
    assert (record.stage, record.reason.kind) == ("decompress", "not compressed as declared")
    assert "34 39 33" not in record.reason.message
    (record,) = _explained(bad, part.unfit, target(tmp_path, "t", columns({"id": "string"}), ["t"])).bad
    assert "34 39 33" in record.reason.message


def test_reasons_quote_nothing_of_a_whole_value_that_a_mask_hides(tmp_path: Path) -> None:
    table = "columns: {id: long, print: {type: string, field: $, mask: sha256}}"
    values = [b'{"id":"4930123"}', b'{"id":1,"x":"4930123"}', b'"4930123"', b'{"id":[}']
    _, bad = landed(tmp_path, table, values)
    assert sorted(bad) == [0, 1, 2, 3]
    assert "493" not in repr(bad)


def test_keys_of_records_can_be_masked_too(tmp_path: Path) -> None:
    table = "columns: {id: long, k: {type: string, mask: {truncate: 1}}}"
    more = "metadata_columns: {partition: false, offset: false, timestamp: false, key: k}"
    rows, _ = landed(tmp_path, table, [b'{"id":1}'], more=more, metadata={"key": pa.array([b"ann"], pa.binary())})
    assert rows == [{"id": 1, "k": "a"}]


def test_whole_values_of_any_format_can_be_masked(tmp_path: Path) -> None:
    table = "columns: {id: long, print: {type: string, field: $, mask: sha256}}"
    rows, _ = landed(tmp_path, table, [b'{"id":1}'])
    assert rows == [{"id": 1, "print": hashlib.sha256(b'{"id":1}').hexdigest()}]
    more = "metadata_columns: false\nvalue: {format: raw}"
    rows, _ = landed(tmp_path, "columns: {v: {type: string, mask: {redact: '?'}}}", [b"ann"], more=more)
    assert rows == [{"v": "?"}]


def test_without_its_key_nothing_is_written(tmp_path: Path) -> None:
    for keys in ({}, {"other": KEY}, {"masking_key": ""}):
        with pytest.raises(TableUnfit, match="column 'name': the key of its mask is not known"):
            landed(tmp_path, COLUMNS, [RECORD], keys=keys)


def test_the_key_is_in_no_file_digest_or_text(tmp_path: Path) -> None:
    of = pipeline(tmp_path, COLUMNS)
    assert of.tables[0].mask_key_ids == ["masking_key"]
    target = rows_of(tmp_path, of, {"masking_key": KEY})._filled._target
    assert KEY not in repr(target)
    assert KEY in {text for settings in target.secrets for text in secrets_of(settings)}
    assert pickle.loads(pickle.dumps(target)) == target
    assert masking_key(Connection("c", "generic", password=KEY)) == KEY
    with pytest.raises(ConnectionFault, match="connection 'c' has no password"):
        masking_key(Connection("c", "generic"))


def test_stored_files_have_the_notation(tmp_path: Path) -> None:
    of = pipeline(tmp_path, COLUMNS)
    assert Pipeline.from_resolved(of.resolved()).digest == of.digest
    assert [c.get("mask") for c in of.resolved()["tables"][0]["columns"]] == [
        None,
        "sha256",
        {"keep_last": 4},
        {"hmac_sha256": "masking_key"},
        "sha256",
    ]


@pytest.mark.parametrize(
    ("column", "why"),
    [
        ("{type: long, mask: sha256}", "mask sha256 is for string and binary, not for long"),
        ("{type: binary, mask: {keep_last: 4}}", "mask keep_last is for string, not for binary"),
        ("{type: string, mask: md5}", "'md5' is no mask; there are sha256, hmac_sha256, redact"),
        ("{type: string, mask: {keep_last: -1}}", "keep_last needs a number of characters"),
        ("{type: string, mask: {keep_last: true}}", "keep_last needs a number of characters"),
        ("{type: string, mask: {truncate: 0}}", "truncate needs a number of characters"),
        ("{type: string, mask: {redact: 1}}", "redact needs a text"),
        ("{type: string, mask: hmac_sha256}", "hmac_sha256 needs the id of the Airflow connection with the key"),
        ("{type: string, mask: {sha256: x}}", "sha256 has no argument"),
        ("{type: string, mask: {keep_last: 1, keep_first: 1}}", "must be sha256, or one of"),
        ("{type: string, mask: []}", "must be sha256, or one of"),
    ],
)
def test_a_mask_that_cannot_be_is_a_fault_of_its_line(tmp_path: Path, column: str, why: str) -> None:
    with pytest.raises(ConfigFaults, match=rf"p\.yaml:5: .*columns\.c.*{why}"):
        pipeline(tmp_path, f"columns: {{c: {column}}}")


def test_check_looks_up_keys_and_warns_of_columns_that_hold_the_original(tmp_path: Path) -> None:
    asked: list[str] = []
    found = pipeline(tmp_path, COLUMNS.replace("      raw:", "      user: json\n      raw:"))
    runtime = SimpleNamespace(file=found, mask_keys=lambda table: asked.extend(table.mask_key_ids))
    said = preflight._file(cast(Runtime, runtime))
    assert asked == ["masking_key"]
    assert said.endswith("; warning: a.b: column 'user' holds what mask hides in column 'mail'")
    runtime.file = pipeline(tmp_path, COLUMNS)
    assert "warning" not in preflight._file(cast(Runtime, runtime))


def test_check_warns_of_columns_of_the_table_that_the_file_does_not_name(tmp_path: Path) -> None:
    found = pipeline(
        tmp_path,
        "columns: {hidden: {field: user.mail, mask: sha256}, mail: {mask: sha256}, no: {constant: 1}}\n"
        "    new_fields: {json_column: user}",
    )
    of = columns({"hidden": "string", "mail": "string", "user": "string", "no": "int"})
    assert "warning" not in said_of_table(found, of, tmp_path)
    own = "own: {field: user.mail, cast: stringify, mask: sha256}"
    found = pipeline(tmp_path, f"columns: {{hidden: {{field: mail, mask: sha256}}, {own}}}")
    of = columns({"hidden": "string", "own": "string", "mail": "string", "user": "struct<mail: string>"})
    assert said_of_table(found, of, tmp_path).endswith(
        "; warning: a.b: column 'mail' holds what mask hides in column 'hidden'"
        "; warning: a.b: column 'user' holds what mask hides in column 'own'"
    )


def said_of_table(found: Pipeline, of: Sequence[Column], folder: Path) -> str:
    """What `check` says of the table, which exists with these columns."""
    made = target(folder, "t", of, ["t"])
    state = TableState("a.b", "id", made.location, made.layout, made.columns, {}, None, None,
                       None, marks_of("p"))  # fmt: skip
    nothing = SimpleNamespace(bound=lambda name: {}, bound_uuid=lambda name, table: None)
    tables = SimpleNamespace(load=lambda name: state, past_columns=lambda state: PastColumns())
    applying = SimpleNamespace(differences=lambda state: Steps())
    runtime = SimpleNamespace(pipeline=found, file=found, log=nothing, tables=tables, applying=applying)
    return preflight._tables(cast(Runtime, runtime), preflight.Result("records", needs="Kafka"))


def test_columns_that_hold_what_a_mask_hides_are_named() -> None:
    masks = {"mail": Mask("sha256"), "whole": Mask("sha256")}
    readings = {
        "mail": Reading(("user", "mail")),
        "whole": Reading((), whole=True),
        "all": Reading((), ("json",), whole=True),
        "again": Reading(("user", "mail"), ("json",)),
        "other": Reading(("user", "age")),
    }
    assert leaks(masks, readings, ["mail", "whole", "all", "user", "again", "other", "id"]) == [
        f"column {name!r} holds what mask hides in column 'mail'" for name in ("all", "user", "again")
    ]
    assert leaks(masks, readings, [], {"domain": ["again"], "tens": ["other"]}) == [
        "column 'domain' may show what mask hides in column 'mail': its SQL uses input 'again'"
    ]


def test_fixed_bytes_have_no_mask(tmp_path: Path) -> None:
    with pytest.raises(ConfigFaults, match=r"mask sha256 is for string and binary, not for fixed\[16\]"):
        pipeline(tmp_path, "columns: {id: long, f: {type: 'fixed[16]', mask: sha256}}")
