"""Modules of the product are small enough to be read at one sitting, and their names mean one thing."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

from stack.settings import REPOSITORY

MOST_LINES = 300
# Product files outside the packages and modules of *redrive* that name it: what the next capability costs, too.
MOST_FILES_OF_A_CAPABILITY = 16
# Words that are a module and a method of another module, each with one meaning: the method does or returns what the module
# is about. A search for any other word finds one thing.
SHARED = frozenset(
    [
        "applying",
        "audit",
        "backfill",
        "batches",
        "bind",
        "block",
        "books",
        "broker",
        "catalog",
        "columns",
        "commit_views",
        "commit",
        "compact",
        "complete_hours",
        "constants",
        "context",
        "coverage",
        "dead_letters",
        "declare",
        "decode",
        "definitions",
        "end_earlier",
        "expire",
        "expressions",
        "file",
        "files",
        "headers",
        "heartbeat",
        "keeper",
        "live_files",
        "log",
        "masks",
        "metadata",
        "offsets",
        "options",
        "orphans",
        "overview",
        "pausing",
        "plan",
        "publish",
        "readings",
        "rebind",
        "redrive",
        "registry",
        "replace",
        "reshape",
        "router",
        "sample",
        "snippets",
        "spark_target",
        "status",
        "table_capabilities",
        "tables",
        "templates",
        "write",
        "writer",
    ]
)


def test_no_module_of_the_product_is_long() -> None:
    sources = [p for folder in ("plugins", "bin", "dags", "spark_jobs") for p in (REPOSITORY / folder).rglob("*.py")]
    assert {p.relative_to(REPOSITORY).parts[0] for p in sources} == {"plugins", "bin", "dags", "spark_jobs"}
    lines = {p: len(p.read_text(encoding="utf-8").splitlines()) for p in sources}
    assert {p.name: n for p, n in lines.items() if n > MOST_LINES} == {}


def test_a_module_named_like_a_method_of_another_one_means_the_same() -> None:
    modules = [p for p in (REPOSITORY / "plugins" / "lakelock").rglob("*.py") if p.stem != "__init__"]
    methods = {p: _methods(p) for p in modules}
    both = {p.stem for p in modules if any(p.stem in found for other, found in methods.items() if other != p)}
    assert sorted(both - SHARED) == [], "give the module a name of its own, or show here that both mean one thing"
    assert sorted(SHARED - both) == []


def test_a_capability_is_named_in_few_files_that_are_not_its_own() -> None:
    sources = [p for end in ("py", "js", "sql") for p in (REPOSITORY / "plugins").rglob(f"*.{end}")]
    others = [p.relative_to(REPOSITORY).as_posix() for p in sources if "redriv" in p.read_text("utf-8").lower()]
    others = [name for name in others if "redriv" not in name]
    assert "plugins/lakelock/catalogue/decision_commands.py" in others
    assert len(others) <= MOST_FILES_OF_A_CAPABILITY, sorted(others)


def _methods(path: Path) -> set[str]:
    classes = [n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.ClassDef)]
    return {n.name for c in classes for n in c.body if isinstance(n, ast.FunctionDef)}


def test_no_two_classes_have_one_name() -> None:
    files = (REPOSITORY / "plugins").rglob("*.py")
    named = [name for file in files for name in re.findall(r"^class (\w+)", file.read_text(), re.MULTILINE)]
    assert [n for n, count in Counter(named).items() if count > 1 and not n.startswith("_")] == []
