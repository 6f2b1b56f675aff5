"""SQL expressions as they are read without Spark."""

from __future__ import annotations

import pytest
from lakelock.records.reasons import Unfit
from lakelock.records.sql.functions import WORDS
from lakelock.records.sql.syntax import columns_used


@pytest.mark.parametrize("word", sorted(WORDS))
@pytest.mark.parametrize("sql", ["{}", "day < {}", "{} > day", "if({} = day, 1, 2)", "day = {} -- a note"])
def test_words_that_are_functions_without_parentheses_are_refused_anywhere(word: str, sql: str) -> None:
    for written in (word, word.upper()):
        with pytest.raises(Unfit, match=f"function {word} is not allowed"):
            columns_used(sql.format(written))


@pytest.mark.parametrize("sql", ["s.user", "`user`", "'user'"])
def test_the_same_words_name_fields_columns_and_texts(sql: str) -> None:
    columns_used(sql)
