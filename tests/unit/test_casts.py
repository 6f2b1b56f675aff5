"""Casts: cases, and numbers against Python's decimals."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime, timedelta
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal, localcontext
from itertools import product
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kits.cast_cases import CASES, DEAD, Case, shown
from kits.columns import columns
from kits.json_texts import any_value
from lakelock.adapters.iceberg.columns import schema_from
from lakelock.adapters.json.scanner import scanner
from lakelock.model.type_notation import parse_type
from lakelock.records import reasons
from lakelock.records.casts import CASTS, EPOCHS_US, FORMS, PATTERN, Reading, unfit_reading
from lakelock.records.decoding import Decoded
from lakelock.records.json import cast_parts
from lakelock.records.json.cast_columns import cast_column
from lakelock.records.json.decode import JsonDecoder
from lakelock.records.json.pattern_texts import iso_texts
from lakelock.records.json.shaped import ShapedDecoder
from lakelock.records.time_patterns import TimePattern
from lakelock.records.values import Values
from pyiceberg.io.pyarrow import schema_to_pyarrow

SEEDS = st.integers(0, 2**64)
KINDS = ("string", "boolean", "int", "long", "float", "double", "decimal(9, 2)", "decimal(38, 0)", "decimal(38, 38)",
         "date", "time", "timestamp", "timestamptz")  # fmt: skip


def arrow_of(kind: str) -> pa.DataType:
    return schema_to_pyarrow(schema_from(columns({"f": kind})), include_field_ids=False).field("f").type


def decoded(texts: list[str], kind: str, casts: tuple[str, ...], zone: str | None) -> Decoded:
    schema = pa.schema([("f", arrow_of(kind))])
    decoder = ShapedDecoder(
        columns({"f": kind}),
        schema,
        zones={} if zone is None else {"f": zone},
        skip=frozenset(),
        unknown_fields="dead_letter",
        readings={"f": Reading(("f",), casts)},
        rest=None,
        scanner=scanner,
    )
    return decoder.decode(Values.from_list([b'{"f":%s}' % text.encode() for text in texts]))


def values_of(found: Decoded, count: int) -> list[str]:
    """As `shown`, in the order of records."""
    out = [DEAD] * count
    for i, value in zip(
        range(count) if found.good is None else found.good, found.table.column("f").to_pylist(), strict=True
    ):
        out[i] = shown(value)
    return out


def name(case: Case) -> str:
    return f"{case.text[:30]} as {case.type} by {', '.join(case.casts)} {case.zone or ''}"


@pytest.mark.parametrize("case", CASES, ids=name)
def test_a_case(case: Case) -> None:
    assert unfit_reading(parse_type(case.type), Reading(("f",), case.casts), case.zone) is None
    found = decoded([case.text], case.type, case.casts, case.zone)
    assert values_of(found, 1) == [case.value]
    assert {(b.stage, b.reason.kind, b.reason.field) for b in found.bad} <= {("convert", reasons.NO_CAST, "f")}


def test_cases_give_the_same_together_as_alone() -> None:
    groups = defaultdict(list)
    for case in CASES:
        groups[case.type, case.casts, case.zone].append(case)
    everything = [c.text for c in CASES]
    for (kind, casts, zone), cases in groups.items():
        texts = [c.text for c in cases] + everything[::7]
        assert values_of(decoded(texts, kind, casts, zone), len(texts))[: len(cases)] == [c.value for c in cases]


def test_every_cast_has_a_case_for_every_type_that_takes_it_and_a_refusal() -> None:
    seen = {(cast.partition(":")[0], c.type.partition("(")[0]) for c in CASES for cast in c.casts}
    of = {k.partition("(")[0]: type(parse_type(k)) for k in KINDS}
    wanted = {(cast, kind) for cast, kinds in CASTS.items() for kind in of if of[kind] in kinds}
    wanted |= {("pattern", k) for k in ("date", "time", "timestamp", "timestamptz")}
    unneeded = {(c, k) for c in EPOCHS_US for k in ("timestamp",)} | {
        ("epoch_days", "timestamptz"),
        ("text", "timestamp"),
    }
    unneeded |= {(c, "date") for c in EPOCHS_US} | {("clamp", "decimal"), ("round", "float")}
    assert wanted - seen - unneeded == set()
    refused = {cast.partition(":")[0] for c in CASES if c.value == DEAD for cast in c.casts}
    assert refused >= {*CASTS, "pattern"} - {"json", "null"}


# Texts of numbers in all spellings, most of them near what columns can hold.
def drawn_number(random: Random) -> str:
    digits = "".join(
        random.choice("0123456789") for _ in range(random.choice((1, 2, 5, 9, 10, 18, 19, 20, 38, 45, 400)))
    )
    digits = random.choice((digits, digits, "5" + "0" * 40, "9" * len(digits), "0" * 30 + digits))
    # Arrow divides decimals wrongly beside such powers of two.
    text = str(
        random.choice((2 ** random.randrange(128), 2**31, 2**63, 10**7, 2**53, 253402300800, 62135596800))
        + random.choice((-1, 0, 1))
    )
    whole = random.choice((text, digits.lstrip("0") or "0", "0", "1767225600"))
    fraction = random.choice(("", "", ".5", ".0", f".{digits}", ".25", ".005", "." + "0" * 50, "." + "4" + "9" * 50))
    exponent = random.choice(
        ("", "", "", "e0", "E1", "e+5", "e-2", "e19", "e-30", "e37", "e400", "e-400", "e99999999999999999999")
    )
    return random.choice(("", "-")) + whole + fraction + exponent


_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)


def exactly(text: str) -> Decimal:
    """Only spellings with a small exponent are computed here."""
    mantissa, _, exponent = text.lower().partition("e")
    power = max(min(int(exponent or 0), 1000), -1000)
    with localcontext(_EXACT):
        return Decimal(mantissa).scaleb(power)


def slow_number(text: str, casts: frozenset[str], low: Decimal, high: Decimal, places: int) -> Decimal | None:
    number = exactly(text)
    if "clamp" in casts:
        number = max(low, min(high, number))
    with localcontext(_EXACT):
        rounded = number.quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN)
    if ("round" not in casts and rounded != number) or not low <= rounded <= high:
        return None
    return rounded


@given(SEEDS)
@settings(max_examples=150)
def test_numbers_equal_those_of_pythons_decimals(seed: int) -> None:
    random = Random(seed)
    kind, low, high, places = random.choice((
        ("int", Decimal(-(2**31)), Decimal(2**31 - 1), 0),
        ("long", Decimal(-(2**63)), Decimal(2**63 - 1), 0),
        ("decimal(9, 2)", Decimal("-9999999.99"), Decimal("9999999.99"), 2),
        ("decimal(38, 0)", Decimal("-" + "9" * 38), Decimal("9" * 38), 0),
        ("decimal(38, 38)", Decimal("-0." + "9" * 38), Decimal("0." + "9" * 38), 38),
        ("decimal(38, 20)", Decimal("-" + "9" * 18 + "." + "9" * 20), Decimal("9" * 18 + "." + "9" * 20), 20),
    ))  # fmt: skip
    losses = frozenset(
        random.choice(
            (("round",), ("clamp",), ("round", "clamp"), *([("integral",)] if places == 0 and "d" not in kind else []))
        )
    )
    texts = [drawn_number(random) for _ in range(random.choice((1, 20)))]
    if random.random() < 0.5:
        texts = [t for t in texts if len(t) < 18] or ["0"]
    casts = [*losses, *(["text"] if random.random() < 0.5 else [])]
    given_texts = [f'"{t}"' if "text" in casts and random.random() < 0.5 else t for t in texts]
    expected = [slow_number(t, losses, low, high, places) for t in texts]
    column, bad = cast_column(
        pa.array(given_texts, pa.large_string()), Reading(("f",), tuple(casts)), parse_type(kind), arrow_of(kind), None
    )
    assert column.to_pylist() == expected, texts
    assert sorted(bad) == [i for i, e in enumerate(expected) if e is None]


@given(SEEDS)
@settings(max_examples=150)
def test_epochs_equal_those_of_pythons_decimals(seed: int) -> None:
    random = Random(seed)
    form, truncates = random.choice(list(EPOCHS_US)), random.random() < 0.5
    kind = "date" if form == "epoch_days" or random.random() < 0.3 else "timestamptz"
    texts = [drawn_number(random) for _ in range(random.choice((1, 20)))]
    if random.random() < 0.5:
        texts = [t for t in texts if len(t) < 18] or ["0"]
    expected: list[Any] = []
    for text in texts:
        with localcontext(_EXACT):
            exact = exactly(text) * EPOCHS_US[form] / 1
            micros = exact.to_integral_value(ROUND_FLOOR)
        instant = None
        if -62135596800_000_000 <= micros < 253402300800_000_000 and (truncates or micros == exact):
            instant = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=int(micros))
        if kind == "date" and instant is not None:
            is_midnight = int(micros) % 86_400_000_000 == 0
            expected.append(instant.date() if truncates or is_midnight else None)
        else:
            expected.append(instant)
    casts = (form, *(["truncate_time"] if truncates else []))
    column, bad = cast_column(
        pa.array(texts, pa.large_string()), Reading(("f",), casts), parse_type(kind), arrow_of(kind), None
    )
    assert column.to_pylist() == expected, texts
    assert sorted(bad) == [i for i, e in enumerate(expected) if e is None]


def fitting_casts(kind: str) -> list[str]:
    """Casts that widen, in contrast to forms."""
    return [c for c, kinds in CASTS.items() if isinstance(parse_type(kind), kinds) and c not in {*FORMS, "json"}]


@given(SEEDS)
@settings(max_examples=150)
def test_casts_only_widen_what_a_column_takes(seed: int) -> None:
    """A value that needs no cast is the same with any, whatever is beside it."""
    random = Random(seed)
    kind, zone = random.choice(KINDS), None
    if kind.startswith("timestamp") and random.random() < 0.5:
        zone = "Europe/Berlin"
    chosen = [c for c in fitting_casts(kind) if random.random() < 0.5] or [random.choice(fitting_casts(kind))]
    if kind in {"date", "time", "timestamp", "timestamptz"}:
        chosen = ["rfc3339", *(c for c in chosen if c != "text")]
    texts = [random.choice((drawn_number(random), any_value(random), random.choice(CASES).text)) for _ in range(12)]
    for text in list(texts):
        texts.append(f'"{text}"') if '"' not in text else None
    texts = [t for t in texts if "\n" not in t and "\r" not in t]
    plain = JsonDecoder(
        columns({"f": kind}), pa.schema([("f", arrow_of(kind))]), zones={} if zone is None else {"f": zone},
        skip=frozenset(), unknown_fields="dead_letter",
    )  # fmt: skip
    without = values_of(plain.decode(Values.from_list([b'{"f":%s}' % t.encode() for t in texts])), len(texts))
    with_casts = values_of(decoded(texts, kind, tuple(chosen), zone), len(texts))
    assert [(t, w) for t, w in zip(texts, with_casts, strict=True)] == [
        (t, w if p == DEAD else p) for t, p, w in zip(texts, without, with_casts, strict=True)
    ], (kind, chosen)


def test_a_value_does_not_depend_on_those_beside_it() -> None:
    texts = list(dict.fromkeys(c.text for c in CASES))
    for kind in KINDS:
        extra = ("epoch_s", "epoch_ms", "rfc3339") if kind in {"date", "timestamptz"} else ()
        for casts in (
            *((c,) for c in fitting_casts(kind) if c != "text" or extra == ()),
            tuple(fitting_casts(kind)[:3]) + extra,
            extra,
        ):
            if not casts or unfit_reading(parse_type(kind), Reading(("f",), casts), None):
                continue
            together = values_of(decoded(texts, kind, casts, None), len(texts))
            for n in range(0, len(texts), 23):
                assert values_of(decoded([texts[n]], kind, casts, None), 1) == [together[n]], (texts[n], kind, casts)


@pytest.mark.parametrize(
    ("kind", "casts", "zone", "why"),
    [
        ("int", ("json",), None, "is not for int"),
        ("string", ("text",), None, "is not for string"),
        ("string", ("json", "null"), None, "stands alone"),
        ("long", ("epoch_s",), None, "is not for long"),
        ("time", ("epoch_s",), None, "is not for time"),
        ("double", ("integral",), None, "is not for double"),
        ("uuid", ("null",), None, "is not for uuid"),
        ("list<int>", ("null",), None, "is not for list"),
        ("timestamptz", ("epoch_days",), None, "is not for timestamptz"),
        ("timestamp", ("epoch_s",), None, "needs a zone"),
        ("date", ("text",), None, "no epoch among the casts"),
        ("int", ("pattern:dd.MM.yyyy",), None, "not for int"),
        ("date", ("pattern:MM.yyyy",), None, "no year, month and day"),
        ("timestamp", ("pattern:dd.MM.yyyy",), None, "no hour"),
        ("time", ("pattern:dd.MM.yyyy",), None, "no hour"),
        ("time", ("pattern:dd.MM.yyyy HH",), None, "a time cannot hold"),
        ("time", ("pattern:HH:mmXXX",), None, "a time cannot hold"),
        ("date", ("pattern:dd.MM.yyyy HH:mm",), None, "only cast 'truncate_time' drops"),
        ("date", ("pattern:dd.MM.yyyyXXX",), None, "only cast 'truncate_time' drops"),
    ],
)
def test_a_column_refuses_a_cast_that_is_not_for_it(
    kind: str, casts: tuple[str, ...], zone: str | None, why: str
) -> None:
    found = unfit_reading(parse_type(kind), Reading(("f",), casts), zone)
    assert found is not None
    assert why in found


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("dd.MM.yy", "'yy' is not known"),
        ("hh:mm a", "'hh' is not known"),
        ("dd 'of", "has no end"),
        ("dd dd", "has a field twice"),
        ("yyyy uuuu", "has a field twice"),
        ("HH:ss", "leaves out a field"),
        ("mm", "leaves out a field"),
        ("HH:mm SSS", "without its seconds"),
        ("dMyyyy", "between d and M may belong to both"),
        ("yyyyMMdH", "between d and H may belong to both"),
        ("d'0'M.yyyy", "between d and M may belong to both"),
    ],
)
def test_a_pattern_that_is_not_sure_is_refused(pattern: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        TimePattern.parse(pattern)


@pytest.mark.parametrize("literal", [*'-/.,:;_#&~^$*+?()[]{}|\\"% @', "é", "\t", "\n", "''", "'o''clock'", "'T'"])
def test_text_of_a_pattern_stands_for_itself(literal: str) -> None:
    pattern = TimePattern.parse(f"yyyy{literal}MM{literal}dd")
    plain = "'" if literal == "''" else literal.strip("'").replace("''", "'")
    texts = pa.array([f"2026{plain}01{plain}02", f"2026{plain}01x02", f"2026{plain}13{plain}02"], pa.large_string())
    assert iso_texts(pattern, texts, True, False).to_pylist() == ["2026-01-02", None, None]


def test_exact_numbers_take_any_spelling() -> None:
    far = Decimal(10) ** 60
    for text, expected in {
        "1e99999999999999999999": far,
        "-1e99999999999999999999": -far,
        "0e99999999999999999999": 0,
    }.items():
        assert cast_parts.exact_number(text) == expected
    assert 0 < cast_parts.exact_number("1e-99999999999999999999") < Decimal("1e-59")
    assert cast_parts.exact_number("1" + "0" * 5000 + "e-5000") == 1


def test_all_pairs_of_casts_are_taken_or_refused_with_a_sentence() -> None:
    texts = pa.array(["1", '"x"', None, "true", "[]", "1.5", '"2026-01-01"'], pa.large_string())
    for kind, (one, two) in product(KINDS, product([*CASTS, f"{PATTERN}yyyy-MM-dd HH", f"{PATTERN}HH:mm"], repeat=2)):
        reading = Reading(("f",), (one, two))
        if unfit_reading(parse_type(kind), reading, "UTC" if "timestamp" in kind else None) is None:
            column, bad = cast_column(
                texts, reading, parse_type(kind), arrow_of(kind), "UTC" if "timestamp" in kind else None
            )
            assert len(column) == len(texts)
            assert column.type == arrow_of(kind)
            assert not bad or "null" not in {one, two}
