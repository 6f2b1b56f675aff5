"""Pages read as a native-speaking engineer would write them, as far as words and line lengths show it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from stack.settings import REPOSITORY

DOCS = REPOSITORY / "docs"
PRODUCT = REPOSITORY / "plugins" / "lakelock"
NAMES = (
    "alerts", "architecture", "audit", "backfill", "check", "commands", "connections", "dead-letters", "decisions", "deployment", "errors", "events", "first-pipeline", "glossary",
    "guarantees", "guide", "json", "maintenance", "monitoring", "page", "questions", "recover", "replace", "roll-back",
)  # fmt: skip
CHECKED = [
    *(REPOSITORY / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY")),
    *(DOCS / f"{name}.md" for name in NAMES),
    # Prose of docs/configuration.md; the tables in it are made of the model.
    REPOSITORY / "plugins" / "lakelock" / "config" / "configuration.frame.md",
]
WIDTH = 100
# With the field's word for it.
WORDS = {
    r"somebody|nobody|whoever|whom": "name who it is",
    r"tell|tells|told": "report, record, notify, say",
    r"mend|mends|mended": "fix",
    r"anew": "again, from the start",
    r"by now|the very|no more(?=[.,;:)]|$)|not any more": "now, no longer",
    r"is to be|are to be|was to be|were to be": "will, must",
}
BLOCK = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def prose(page: Path) -> str:
    """Without code, inline code and the targets of links."""
    text = BLOCK.sub(lambda m: "\n" * m[0].count("\n"), page.read_text(encoding="utf-8"))
    return re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`\n]*`", "", text))


@pytest.mark.parametrize("page", CHECKED, ids=lambda page: page.name)
def test_pages_have_the_fields_words(page: Path) -> None:
    found = []
    for number, line in enumerate(prose(page).splitlines(), 1):
        for words, better in WORDS.items():
            found += [f"{page.name}:{number}: {m[0]!r}: {better}" for m in re.finditer(rf"(?i)\b(?:{words})\b", line)]
    assert found == []


def texts(source: Path) -> Iterator[tuple[int, str]]:
    """Lines and texts of a module of the product that a person may read, be it in Python or JavaScript."""
    code = source.read_text(encoding="utf-8")
    if source.suffix == ".js":
        lines = [(n, line) for n, line in enumerate(code.splitlines(), 1) if not line.lstrip().startswith("//")]
        yield from ((n, text) for n, line in lines for text in re.findall(r'"[^"]*"|`[^`]*`', line))
        return
    nodes = [*ast.walk(ast.parse(code))]
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = [node.body[0].value for node in nodes if isinstance(node, documented) and ast.get_docstring(node)]  # type: ignore[attr-defined]
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
            yield node.lineno, node.value


def test_texts_of_the_product_have_the_fields_words() -> None:
    found = []
    dags = (REPOSITORY / "dags").glob("*.py")
    for source in sorted([*dags, *(p for p in PRODUCT.rglob("*") if p.suffix in (".py", ".js"))]):
        for number, text in texts(source):
            for words, better in WORDS.items() if " " in text else ():
                found += [
                    f"{source.name}:{number}: {m[0]!r}: {better}" for m in re.finditer(rf"(?i)\b(?:{words})\b", text)
                ]
    assert found == []


@pytest.mark.parametrize("page", CHECKED, ids=lambda page: page.name)
def test_no_sentence_of_a_page_begins_with_a_question_word_unless_it_asks(page: Path) -> None:
    text = re.sub(r"^[|#].*$", "", prose(page), flags=re.MULTILINE)
    sentences = re.split(r"(?<=[.!?:;])\s+|\n\n", re.sub(r"(?<!\n)\n(?!\n)", " ", text))
    begins = [s for s in sentences if re.match(r"(?:- )?(?:What|Where|Whatever|Wherever)\b", s) and not s.endswith("?")]
    assert begins == []


@pytest.mark.parametrize("page", CHECKED, ids=lambda page: page.name)
def test_lines_of_a_page_are_wrapped(page: Path) -> None:
    text = BLOCK.sub(lambda m: "\n" * m[0].count("\n"), page.read_text(encoding="utf-8"))
    long = [
        f"{page.name}:{n}" for n, line in enumerate(text.splitlines(), 1) if len(line) > WIDTH and line[0] not in "|!#"
    ]
    assert long == []


def test_the_check_sees_what_it_looks_for(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("The run tells `somebody`.\n\nWhat came later goes.\n\n" + "word " * 30 + "\n")
    with pytest.raises(AssertionError, match=r"page.md:1: 'tells': report"):
        test_pages_have_the_fields_words(page)
    with pytest.raises(AssertionError, match="What came later goes"):
        test_no_sentence_of_a_page_begins_with_a_question_word_unless_it_asks(page)
    with pytest.raises(AssertionError, match="page.md:5"):
        test_lines_of_a_page_are_wrapped(page)
