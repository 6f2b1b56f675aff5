"""What docs/transforms.md says of each record is what becomes of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from conversions.transforms import PAGE, page
from kits.transform_cases import RUN, TOOLS, TRANSFORMS, WITH_SQL, Transform
from kits.transforms import outcome


@pytest.mark.parametrize("case", RUN, ids=lambda case: case.theirs)
def test_a_record_becomes_what_the_page_says(tmp_path: Path, case: Transform) -> None:
    assert outcome(tmp_path, case.settings, case.record) == (case.row, case.other)


def test_only_cases_with_expressions_are_left_to_the_tests_with_spark() -> None:
    assert [
        t for t in TRANSFORMS if any('sql: "' in line or line.startswith("where") for line in t.settings)
    ] == WITH_SQL
    assert len({(tool.title, t.theirs) for tool in TOOLS for t in tool.transforms}) == sum(
        len(tool.transforms) for tool in TOOLS
    )


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run PYTHONPATH=tests python -m conversions"
