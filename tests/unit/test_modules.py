"""Modules of the product are small enough to be read at one sitting."""

from __future__ import annotations

from stack.settings import REPOSITORY

MOST_LINES = 300


def test_no_module_of_the_product_is_long() -> None:
    sources = [p for folder in ("plugins", "bin", "dags", "spark_jobs") for p in (REPOSITORY / folder).rglob("*.py")]
    assert {p.relative_to(REPOSITORY).parts[0] for p in sources} == {"plugins", "bin", "dags", "spark_jobs"}
    lines = {p: len(p.read_text(encoding="utf-8").splitlines()) for p in sources}
    assert {p.name: n for p, n in lines.items() if n > MOST_LINES} == {}
