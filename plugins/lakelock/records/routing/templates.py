"""Names of tables from templates: what a template may have in braces, and the name that values give.

A substituted value is corrected: ASCII letters become lower case, and every character but a-z, 0-9 and _ becomes _. So a name
has as many characters as it has without corrections, and all of its dots are the template's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

# Of each level of a name; catalogs on Hive's metastore refuse longer ones.
MAX_LEVEL_CHARACTERS = 128
_IN_BRACES = re.compile(r"\{([^{}]*)\}")
_INVALID = re.compile(r"[^a-z0-9_]")
_UNFIT_LITERAL = re.compile(r"[\s/]")
# No text in Postgres or Arrow has these, so no name is kept with them.
_UNKEPT = re.compile("[\0\ud800-\udfff]")
_LOWER = {ord(letter): ord(letter.lower()) for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
Kind = Literal["topic", "group", "key", "header", "field"]
_OWN_NAMES = ("topic", "key", "header", "value")


def corrected(value: str) -> str:
    """*value* as a part of a table's name, of the same length."""
    return _INVALID.sub("_", value.translate(_LOWER))


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A value of a record: `topic`, `topic.1` (a group of the rule's `topics_regex`), `key`, `header.NAME`, or a field.

    *text* is what is between the braces. *name* is that of the group or header, *path* that of the field.
    """

    text: str
    kind: Kind
    name: str = ""
    path: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Placeholder:
        """Raises ValueError."""
        first, _, rest = text.partition(".")
        if text in ("topic", "key"):
            return cls(text, "topic" if text == "topic" else "key")
        if text == "header":
            raise ValueError("{header} needs a name, as in {header.type}; for a field, write {value.header}")
        if text == "value":
            raise ValueError("{value} needs a field, as in {value.type}; for a field of that name, write {value.value}")
        if first == "topic":
            if not rest.isascii() or (not rest.isidentifier() and not rest.isdigit()):
                raise ValueError(f"{{{text}}} is no group of topics_regex; for a field, write {{value.{text}}}")
            return cls(text, "group", rest)
        if first == "header":
            if not rest:
                raise ValueError(f"{{{text}}} needs a name, as in {{header.type}}")
            return cls(text, "header", rest)
        if first == "key":
            raise ValueError(f"{{{text}}}: the key is a text, without fields; for a field, write {{value.{text}}}")
        path = tuple((rest if first == "value" else text).split("."))
        if not all(path) or any(name != name.strip() for name in path):
            raise ValueError(f"{{{text}}} must be a field such as {{event.type}}, or topic, key or header.NAME")
        return cls(text, "field", path=path)

    @property
    def is_of_topic(self) -> bool:
        """Whether the name of a record's topic decides its value."""
        return self.kind in ("topic", "group")


@dataclass(frozen=True, slots=True)
class Rendered:
    """The name of a table. *raw_name* is the name without corrections: records of different ones never share a table."""

    name: str
    raw_name: str


@dataclass(frozen=True)
class Template:
    """The name of a table with placeholders in braces; *parts* are its texts and placeholders in order."""

    text: str
    parts: tuple[str | Placeholder, ...]

    @classmethod
    def parse(cls, text: str) -> Template:
        """Raises ValueError."""
        parts: list[str | Placeholder] = []
        for n, piece in enumerate(_IN_BRACES.split(text)):
            if n % 2:
                parts.append(Placeholder.parse(piece))
            elif "{" in piece or "}" in piece:
                raise ValueError(f"{text!r}: a brace without its other one; write a placeholder as {{event.type}}")
            elif piece:
                parts.append(piece)
        whole = "".join(part if isinstance(part, str) else "x" for part in parts)
        if "." not in whole or not all(whole.split(".")) or _UNFIT_LITERAL.search(whole):
            raise ValueError(f"{text!r} must be namespace.table, which may have placeholders such as {{event.type}}")
        if any(len(level) > MAX_LEVEL_CHARACTERS for level in whole.split(".")):
            raise ValueError(f"{text!r} has a level that is longer than {MAX_LEVEL_CHARACTERS} characters")
        return cls(text, tuple(parts))

    @cached_property
    def placeholders(self) -> tuple[Placeholder, ...]:
        """Each once, in order."""
        return tuple(dict.fromkeys(part for part in self.parts if isinstance(part, Placeholder)))

    @property
    def is_fixed(self) -> bool:
        """Whether it names one table alone."""
        return not self.placeholders

    @cached_property
    def namespace(self) -> str:
        """All levels but the last, as they are written."""
        last = max(n for n, part in enumerate(self.parts) if isinstance(part, str) and "." in part)
        texts = [part if isinstance(part, str) else f"{{{part.text}}}" for part in self.parts[: last + 1]]
        return "".join(texts).rpartition(".")[0]

    def render(self, values: Mapping[str, str]) -> Rendered | None:
        """The name that *values*, by `Placeholder.text`, give; None if it would be empty, too long or no text."""
        made = self._filled(values)
        is_apt = all(0 < len(level) <= MAX_LEVEL_CHARACTERS for level in made.name.split("."))
        return made if is_apt and not _UNKEPT.search(made.raw_name) else None

    def _filled(self, values: Mapping[str, str]) -> Rendered:
        raw = "".join(part if isinstance(part, str) else values[part.text] for part in self.parts)
        name = "".join(part if isinstance(part, str) else corrected(values[part.text]) for part in self.parts)
        return Rendered(name, raw)

    def could_make_all_of(self, other: Template) -> bool:
        """Whether it could make each name that *other* makes."""
        # No template's text has these characters, so only placeholders can give them, which can then give any others.
        values = {place.text: f"/{' ' * n}/" for n, place in enumerate(other.placeholders, 1)}
        return self.could_make(other._filled(values), {})

    def could_make(self, made: Rendered, values: Mapping[str, str]) -> bool:
        """Whether *values*, and some for the other placeholders, give this name."""
        if not self._is_apt(made):
            return False
        known = {p.text: values[p.text] for p in self.placeholders if p.text in values}
        if len(known) == len(self.placeholders):
            return self.render(values) == made
        pattern = self._pattern(known) if known else self._free_pattern
        return pattern.fullmatch(_traced(made)) is not None

    def _is_apt(self, made: Rendered) -> bool:
        """Whether the name begins as the template does."""
        first = self.parts[0]
        return isinstance(first, Placeholder) or (made.name.startswith(first) and made.raw_name.startswith(first))

    @cached_property
    def _free_pattern(self) -> re.Pattern[str]:
        return self._pattern({})

    def _pattern(self, known: Mapping[str, str]) -> re.Pattern[str]:
        """Of what `_traced` makes of names in which the *known* placeholders have these values."""
        groups, out = dict[str, str](), list[str]()
        for part in self.parts:
            if isinstance(part, str):
                out += [f"{re.escape(c)}[bt]" for c in part]
            elif part.text in known:
                out += [f"{re.escape(c)}[bv]" for c in known[part.text]]
            elif part.text in groups:
                out.append(f"(?P={groups[part.text]})")
            else:
                name = groups[part.text] = f"g{len(groups)}"
                out.append(f"(?P<{name}>(?:.[bv])*)")
        return re.compile("".join(out), re.DOTALL)


# Rules are compared with a table's name several times a batch.
@lru_cache(maxsize=65536)
def _traced(made: Rendered) -> str:
    """Each character of the raw name, then whether a text (t), a value (v) or both (b) could give it; n for neither."""
    if len(made.name) != len(made.raw_name):
        return ""
    out = []
    for raw, now, value in zip(made.raw_name, made.name, corrected(made.raw_name), strict=True):
        of_text, of_value = raw == now, value == now
        out.append(raw + ("b" if of_text and of_value else "t" if of_text else "v" if of_value else "n"))
    return "".join(out)
