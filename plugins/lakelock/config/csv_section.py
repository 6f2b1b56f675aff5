"""The options of delimited text, as a pipeline file has them."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, PlainValidator, WithJsonSchema

from lakelock.config.section import Section
from lakelock.records.csv.options import CsvOptions


def _sign(value: Any) -> Any:
    if not isinstance(value, str) or len(value) != 1 or not value.isascii() or value in "\r\n\0":
        raise ValueError(r'must be one ASCII character, such as "|" or "\t"')
    return value


def _sign_or_false(value: Any) -> Any:
    """False stands for none: None in a resolved file is left out, and is then read as the default."""
    return False if value is False or value is None else _sign(value)


def _columns(value: tuple[str, ...]) -> tuple[str, ...]:
    if twice := [name for name, count in Counter(value).items() if count > 1]:
        raise ValueError(f"has {twice[0]!r} twice")
    return value


def _null_text(value: str) -> str:
    if "\r" in value or "\n" in value:
        raise ValueError("must not have a line break")
    return value


_SIGN = {"type": "string", "minLength": 1, "maxLength": 1}
_OR_FALSE = WithJsonSchema({"anyOf": [_SIGN, {"enum": [False, None]}]})
Sign = Annotated[Any, PlainValidator(_sign), WithJsonSchema(_SIGN)]
SignOrFalse = Annotated[Any, PlainValidator(_sign_or_false), _OR_FALSE]
OptionalSign = Annotated[Any, PlainValidator(lambda value: _sign_or_false(value) or None), _OR_FALSE]


class Csv(Section):
    """How rows of delimited text are written."""

    delimiter: Sign = Field(default=",", description=r'The character between fields, such as `"|"` or `"\t"`.')
    quote: SignOrFalse = Field(
        default='"',
        description=(
            "The character around text that contains delimiters, line breaks or quotes. Within, a quote is doubled. With "
            "`false`, there are no quotes, and the character is one like any other."
        ),
    )
    escape: OptionalSign = Field(
        default=None,
        description=(
            "The character before a delimiter, a quote, a line break or an escape that is part of the text. Default: none."
        ),
        examples=["\\"],
    )
    null_text: Annotated[str, AfterValidator(_null_text)] = Field(
        default="",
        description="A field that is exactly this text, without quotes, is null. Default: an empty field.",
        examples=[r"\N"],
    )
    columns: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], AfterValidator(_columns)] | None = Field(
        default=None,
        min_length=1,
        description=(
            "Names of all fields of a row, in order. Default: the names of the table's columns, without metadata columns."
        ),
        examples=[["id", "name"]],
    )
    header: Literal["dead_letter", "skip"] | None = Field(
        default=None,
        description=(
            "Treatment of a record with the names of all fields: `dead_letter`, or `skip`, which counts it as filtered. "
            "Default: it is a row like any other."
        ),
    )

    @property
    def options(self) -> CsvOptions:
        return CsvOptions(
            self.delimiter, self.quote or None, self.escape, self.null_text, self.columns or (), self.header
        )
