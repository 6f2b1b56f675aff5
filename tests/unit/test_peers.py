"""What the benchmark of peers computes from its measurements."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from kits import peers
from kits.peers import BEGIN, END, Commit, Line, Run, Sample
from stack import settings

REPOSITORY = settings.REPOSITORY
RUN = Run(rows=9_000_000, wall_s=10.0, cpu_s=18.0, peak_bytes=3 << 29)
SLOW = Run(rows=2_000_000, wall_s=8.0, cpu_s=10.0, peak_bytes=1 << 30)
SAMPLES = [Sample(100.0, 10.0, 1), Sample(102.0, 12.0, 7), Sample(104.0, 16.0, 5)]
COUNTED = {"rows": 100, "ids": 100, "lowest": 0, "highest": 99, "account": 100}


@pytest.mark.parametrize(
    ("text", "count"),
    [("8M", 8_000_000), ("1.5M", 1_500_000), ("500k", 500_000), ("1_000", 1_000), ("20,000", 20_000), ("7", 7)],
)
def test_sizes(text: str, count: int) -> None:
    assert peers.parse_size(text) == count


@pytest.mark.parametrize("text", ["", "M", "8 M", "-1", "0", "1.5", "8m", "8K", "1e6", "0.0001k"])
def test_texts_that_are_no_size(text: str) -> None:
    with pytest.raises(ValueError, match="number of records"):
        peers.parse_size(text)


@pytest.mark.parametrize(
    ("count", "text"), [(9_000_000, "9 M"), (1_500_000, "1.5 M"), (200_000, "200 k"), (1_234, "1,234"), (999, "999")]
)
def test_sizes_in_words(count: int, text: str) -> None:
    assert peers.in_words(count) == text


@pytest.mark.parametrize(
    ("at_s", "cpu_s"), [(99.0, 10.0), (100.0, 10.0), (101.0, 11.0), (103.0, 14.0), (104.0, 16.0), (200.0, 16.0)]
)
def test_cpu_between_two_samples(at_s: float, cpu_s: float) -> None:
    assert peers.cpu_at(SAMPLES, at_s) == cpu_s


def test_a_run_has_the_cpu_and_the_peak_of_its_own_time() -> None:
    assert peers.measured(SAMPLES, 30, 101.0, 103.0) == Run(30, 2.0, 3.0, 7)
    assert peers.measured(SAMPLES, 30, 103.0, 104.0).peak_bytes == 5
    assert peers.measured(SAMPLES, 30, 102.5, 103.0).peak_bytes == 5, "without a sample, the last one counts"


def test_a_steady_rate_has_neither_the_warm_up_nor_the_last_interval() -> None:
    commits = [Commit(float(10 * n), rows) for n, rows in enumerate((1, 4, 8, 12, 13))]
    assert peers.steady(commits, 3) == (commits[1], commits[3])
    assert peers.steady(commits, 4) == (commits[1], commits[3])
    assert peers.steady(commits, 5) == (commits[2], commits[3])


@pytest.mark.parametrize("rows", [(), (5,), (5, 9), (1, 2, 5, 9)])
def test_too_few_commits_have_no_steady_rate(rows: tuple[int, ...]) -> None:
    assert peers.steady([Commit(float(n), count) for n, count in enumerate(rows)], 3) is None


def test_the_table() -> None:
    lines = [Line("ours", RUN), Line("theirs", SLOW, RUN, goal=3.2)]
    assert peers.table(lines)[2:] == [
        "| ours | 9.0 M | 900,000 | 2.00 µs | 1.5 GiB |  |",
        "| theirs | 2.0 M | 250,000 | 5.00 µs | 1.0 GiB | 3.6 × |",
    ]
    assert {line.count("|") for line in peers.table(lines)} == {7}


def test_goals() -> None:
    lines = [Line("ours", RUN), Line("one", SLOW, RUN, 3.2), Line("two", SLOW, RUN, 4.0), Line("three", SLOW, RUN)]
    assert peers.verdicts(lines) == ["one: 3.60 × (goal ≥ 3.2: reached)", "two: 3.60 × (goal ≥ 4: missed)"]


def test_the_fastest_run_is_that_of_the_highest_rate() -> None:
    assert peers.fastest([SLOW, RUN, Run(1_000, 0.1, 0.0, 0)]) == RUN


def test_only_the_text_between_the_marks_changes() -> None:
    page = f"before\n\n{BEGIN}\nold\n{END}\n\nbehind\n"
    assert peers.put_between_marks(page, ["", "new", ""]) == f"before\n\n{BEGIN}\n\nnew\n\n{END}\n\nbehind\n"
    assert peers.put_between_marks(peers.put_between_marks(page, ["x"]), ["old"]) == page


@pytest.mark.parametrize("page", ["", BEGIN, END, f"{END}{BEGIN}", f"{BEGIN}{BEGIN}{END}"])
def test_a_page_without_its_marks_is_not_written(page: str) -> None:
    with pytest.raises(ValueError, match="once each"):
        peers.put_between_marks(page, [])


def test_the_page_has_the_marks() -> None:
    page = (REPOSITORY / "docs" / "comparison.md").read_text(encoding="utf-8")
    assert "new line" in peers.put_between_marks(page, ["new line"])


def test_rows() -> None:
    assert peers.row_faults(100, COUNTED) == []
    assert peers.row_faults(100, {**COUNTED, "account": 98}) == ["2 rows without account"]
    lost = peers.row_faults(100, {**COUNTED, "rows": 99, "ids": 99, "account": 99})
    assert lost == ["99 rows, not 100", "99 ids, not 100", "1 records are lost"]
    doubled = peers.row_faults(100, {**COUNTED, "rows": 103, "account": 103})
    assert doubled == ["103 rows, not 100", "3 rows are doubled"]
    other = peers.row_faults(100, {**COUNTED, "lowest": 1, "highest": 100})
    assert other == ["1 lowest, not 0", "100 highest, not 99"]


def test_jars_are_compared_with_the_listed_ones() -> None:
    listed = peers.listed_sums("aa  sink/one.jar\nbb  sink/two.jar\n\n")
    assert listed == {"sink/one.jar": "aa", "sink/two.jar": "bb"}
    assert peers.sum_faults(listed, listed) == []
    assert peers.sum_faults(listed, {"sink/one.jar": "cc", "sink/three.jar": "dd"}) == [
        "sink/two.jar is missing",
        "sink/three.jar is not listed",
        "sink/one.jar has SHA-256 cc",
    ]


def test_each_artifact_of_the_peers_has_a_sum() -> None:
    listed = peers.listed_sums((REPOSITORY / "tests/benchmarks/peers.sha256").read_text(encoding="utf-8"))
    artifacts = {
        "connect": settings.CONNECT_ARTIFACTS,
        "sink": settings.SINK_ARTIFACTS,
        "streaming": settings.STREAMING_ARTIFACTS,
    }
    wanted = {f"{folder}/{name}-{version}.jar" for folder, of in artifacts.items() for _, name, version, _ in of}
    assert wanted <= listed.keys()
    assert {Path(name).parent.name for name in listed} == artifacts.keys()
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in listed.values())
