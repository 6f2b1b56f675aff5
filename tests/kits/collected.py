"""Names of tests in files."""

from __future__ import annotations

import ast
from functools import cache

from stack.settings import REPOSITORY


@cache
def names_in(file: str) -> frozenset[str]:
    """Functions that pytest collects: at the top of the file."""
    tree = ast.parse((REPOSITORY / file).read_text(encoding="utf-8"))
    return frozenset(n.name for n in tree.body if isinstance(n, ast.FunctionDef) and n.name.startswith("test_"))
