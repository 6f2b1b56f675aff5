"""Pages read as a native-speaking engineer would write them, as far as words and line lengths show it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from stack.settings import REPOSITORY

DOCS = REPOSITORY / "docs"
PRODUCT = REPOSITORY / "plugins" / "lakelock"
CHECKED = [
    *(REPOSITORY / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG", "SECURITY")),
    *sorted(DOCS.rglob("*.md")),
]
WIDTH = 100
# Words that pages and texts of the product do not use, with their replacement. CONTRIBUTING.md has the same table.
WORDS = {
    ("somebody", "nobody", "whoever", "whom"): "the actor's name",
    ("tell", "tells", "told"): "report, record, notify, say",
    ("mend", "mends", "mended"): "fix",
    ("anew",): "again, from the start",
    ("by now", "the very", "no more", "not any more"): "now, no longer",
    ("is to be", "are to be", "was to be", "were to be"): "will, must",
}
# Of these, pages alone are free.
WORDS_OF_PAGES = {
    ("someone", "anybody", "everybody"): "the actor's name",
    ("go on", "goes on", "went on"): "continue",
    ("take out", "takes out", "taken out", "took out"): "remove",
    ("lands",): "is committed",
    ("hold up", "holds up", "held up"): "block, delay",
    ("owe", "owes", "owed"): "must be read again",
    ("to before",): "to a state before",
    ("for good",): "permanently",
    ("in part",): "partly",
    ("commonest",): "most common",
}
QUESTIONS = ("What", "Where", "Which", "Whatever", "Wherever", "Whichever")
BLOCK = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def prose(page: Path) -> str:
    """Without code, inline code and the targets of links."""
    text = BLOCK.sub(lambda m: "\n" * m[0].count("\n"), page.read_text(encoding="utf-8"))
    return re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`\n]*`", "", text))


def found_in(text: str, *lists: Mapping[tuple[str, ...], str]) -> list[tuple[int, str]]:
    """Line and text of each listed word, with its replacement; words may be in two lines."""
    found = []
    for words, better in (entry for one in lists for entry in one.items()):
        # "no more than" is no "no more".
        listed = "|".join(word.replace(" ", r"(?: |\n *)") + r"(?=[.,;:)]|$)" * (word == "no more") for word in words)
        matches = re.finditer(rf"(?im)\b(?:{listed})\b", text)
        found += [(text.count("\n", 0, m.start()) + 1, f"{' '.join(m[0].split())!r}: {better}") for m in matches]
    return found


@pytest.mark.parametrize("page", CHECKED, ids=lambda page: page.name)
def test_pages_have_the_fields_words(page: Path) -> None:
    found = found_in(prose(page), WORDS, WORDS_OF_PAGES)
    assert [f"{page.name}:{line}: {word}" for line, word in found] == []


def test_contributing_lists_the_same_words() -> None:
    section = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Write")[2]
    rows = re.findall(r"^\| (`.+?) \| (.+?) \|$", section, re.MULTILINE)
    listed = {tuple(re.findall(r"`(.+?)`", words)): better for words, better in rows}
    assert listed == WORDS | WORDS_OF_PAGES
    assert all(f"*{word}*" in section for word in QUESTIONS)


def texts(source: Path) -> Iterator[tuple[int, str]]:
    """Lines and texts of a module of the product that a person may read, be it in Python or JavaScript."""
    code = source.read_text(encoding="utf-8")
    if source.suffix == ".js":
        lines = [(n, line) for n, line in enumerate(code.splitlines(), 1) if not line.lstrip().startswith("//")]
        yield from ((n, text) for n, line in lines for text in re.findall(r'"[^"]*"|`[^`]*`', line))
        return
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def test_texts_of_the_product_have_the_fields_words() -> None:
    found = []
    dags = (REPOSITORY / "dags").glob("*.py")
    for source in sorted([*dags, *(p for p in PRODUCT.rglob("*") if p.suffix in (".py", ".js"))]):
        for number, text in texts(source):
            found += [f"{source.name}:{number}: {word}" for _, word in found_in(text, WORDS) if " " in text]
    assert found == []


@pytest.mark.parametrize("page", CHECKED, ids=lambda page: page.name)
def test_no_sentence_of_a_page_begins_with_a_question_word_unless_it_asks(page: Path) -> None:
    text = re.sub(r"^[|#].*$", "", prose(page), flags=re.MULTILINE)
    sentences = re.split(r"(?<=[.!?:;])\s+|\n\n", re.sub(r"(?<!\n)\n(?!\n)", " ", text))
    asks = re.compile(rf"(?:- )?(?:{'|'.join(QUESTIONS)})\b")
    begins = [s for s in sentences if asks.match(s) and not s.endswith("?")]
    assert begins == []


@pytest.mark.parametrize("page", CHECKED, ids=lambda page: page.name)
def test_no_cell_of_a_table_begins_with_a_question_word_unless_it_asks(page: Path) -> None:
    rows = re.findall(r"^\|(?!.*\|\n\|[ :|-]+\n).*$", prose(page), re.MULTILINE)
    cells = [cell.strip() for row in rows for cell in row.split("|")]
    asks = re.compile(rf"(?i)(?:{'|'.join(QUESTIONS)})\b")
    assert [cell for cell in cells if asks.match(cell) and "?" not in cell] == []


@pytest.mark.parametrize("page", CHECKED, ids=lambda page: page.name)
def test_lines_of_a_page_are_wrapped(page: Path) -> None:
    text = BLOCK.sub(lambda m: "\n" * m[0].count("\n"), page.read_text(encoding="utf-8"))
    lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if len(line) > WIDTH]
    # Tables, pictures, headings, and a link alone in its line cannot be wrapped.
    long = [f"{page.name}:{n}" for n, line in lines if line[0] not in "|!#" and " " in line.strip()]
    assert long == []


def test_the_check_sees_what_it_looks_for(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    table = "| what | it |\n|---|---|\n| a | what is it? |\n| b | where it is |"
    page.write_text(f"The run tells `somebody`.\n\nWhat came later is removed.\n\n{table}\n\n" + "word " * 30 + "\n")
    with pytest.raises(AssertionError, match=r"page.md:1: 'tells': report"):
        test_pages_have_the_fields_words(page)
    with pytest.raises(AssertionError, match="What came later is removed"):
        test_no_sentence_of_a_page_begins_with_a_question_word_unless_it_asks(page)
    with pytest.raises(AssertionError, match=r"\['where it is'\]"):
        test_no_cell_of_a_table_begins_with_a_question_word_unless_it_asks(page)
    with pytest.raises(AssertionError, match="page.md:10"):
        test_lines_of_a_page_are_wrapped(page)
    assert found_in("No more than\nthat: it goes\non.", WORDS, WORDS_OF_PAGES) == [(2, "'goes on': continue")]
