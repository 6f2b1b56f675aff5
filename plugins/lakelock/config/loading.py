"""From files to pipelines: `_defaults.yaml` merged under, environment filled in, and every fault of a file at once."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import get_origin

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from lakelock.config.broken import Path as KeyPath
from lakelock.config.column_sections import ColumnSettings
from lakelock.config.model import NAME_PATTERN, Pipeline, PipelineFile
from lakelock.config.route_section import Rule
from lakelock.config.rules import broken_rules
from lakelock.config.section import Section, section_in
from lakelock.config.table_defaults import table_defaults_faults, table_defaults_of, with_table_defaults
from lakelock.config.table_sections import Table, TableSettings
from lakelock.config.yaml_nodes import (
    Place,
    YamlFault,
    YamlNode,
    YamlReading,
    dropped,
    merged,
    node_at,
    place_at,
    plain,
    put,
)
from lakelock.errors import ConfigFaults

DEFAULTS_FILE = "_defaults.yaml"
SUFFIXES = (".yaml", ".yml")
# In the place of a rule's table that is none.
_STAND_IN = "stand.in"


@dataclass(frozen=True, slots=True)
class BrokenPipeline:
    """A file that is no pipeline as it stands, and all its faults as text."""

    name: str
    path: Path
    message: str


def load_pipeline(path: Path, environment: Mapping[str, str] | None = None) -> Pipeline:
    """Raises ConfigFaults with every fault of the file and of the folder's `_defaults.yaml`, in order of lines."""
    environment = os.environ if environment is None else environment
    faults: list[YamlFault] = []
    own = _read(path, environment, faults)
    if faults and not own.value:
        raise ConfigFaults(_report(path, faults))
    defaults = path.with_name(DEFAULTS_FILE)
    under = _read(defaults, environment, faults) if defaults.is_file() else None
    root = merged(under, own)
    assert root is not None
    if (named := _keys(root).get("name")) is not None:
        faults.append(YamlFault(named.place, "a pipeline has the name of its file; leave this key out"))
        root = dropped(root, [named])
    if not re.fullmatch(NAME_PATTERN, path.stem):
        message = f"the file name is the pipeline's name: {path.stem!r} must be a letter and then letters, digits, _ (lower case)"
        faults.append(YamlFault(Place(path.name, 1), message))
    faults += table_defaults_faults(root)
    pipeline = _validated(path.stem, with_table_defaults(root), table_defaults_of(root), faults)
    if faults or pipeline is None:
        raise ConfigFaults(_report(path, faults))
    return pipeline


def load_folder(
    folder: Path, only: str | None = None, environment: Mapping[str, str] | None = None
) -> list[Pipeline | BrokenPipeline]:
    """Every pipeline of a folder by name, or the one named *only*; files that start with `_` or `.` are none.

    Raises ConfigFaults when there is no such folder.
    """
    if not folder.is_dir():
        raise ConfigFaults(
            f"there is no folder of pipeline files at {folder}.",
            do="Create it, or set LAKELOCK_PIPELINES to another one.",
        )
    found: list[Pipeline | BrokenPipeline] = []
    for name, paths in groupby(pipeline_files(folder), lambda p: p.stem):
        path, *others = paths
        if only is not None and name != only:
            continue
        if others:
            found.append(BrokenPipeline(name, others[-1], _same(path, *others)))
            continue
        try:
            found.append(load_pipeline(path, environment))
        except ConfigFaults as error:
            found.append(BrokenPipeline(path.stem, path, str(error)))
    return found


def pipeline_files(folder: Path) -> list[Path]:
    """What DAGs are made from, by pipeline: files that start with `_` or `.` are none."""
    paths = [p for p in folder.iterdir() if p.suffix in SUFFIXES and not p.name.startswith(("_", "."))]
    return sorted(paths, key=lambda p: (p.stem, p.name))


def refuse_twins(path: Path) -> None:
    """Raises ConfigFaults where another file beside it is the same pipeline: no DAG is made from either."""
    same = [p for p in pipeline_files(path.parent) if p.stem == path.stem]
    if len(same) > 1:
        raise ConfigFaults(_same(*same))


def _same(*paths: Path) -> str:
    return f"{' and '.join(p.name for p in paths)} are the same pipeline; remove one of them."


def _read(path: Path, environment: Mapping[str, str], faults: list[YamlFault]) -> YamlNode:
    reading = YamlReading(path.name, environment)
    try:
        node = reading.read(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        faults.append(YamlFault(Place(path.name, 1), f"cannot be read: {error}"))
        return YamlNode({}, Place(path.name, 1))
    faults += reading.faults
    return node


def _validated(
    name: str, root: YamlNode, table_defaults: TableSettings | None, faults: list[YamlFault]
) -> Pipeline | None:
    """Adds every fault of *root*: what keys must look like, then rules between keys that are right by themselves."""
    name = name if re.fullmatch(NAME_PATTERN, name) else "unnamed"
    places = {fault.place for fault in faults}
    wrong: list[KeyPath] = []
    stands_in: list[KeyPath] = []
    while True:
        try:
            pipeline = Pipeline.model_validate({**plain(root), "name": name})
            break
        except ValidationError as error:
            # A list whose entries are all wrong counts as empty; the entries' own faults are reported already.
            found = [(d, node_at(root, d["loc"])) for d in error.errors(include_url=False)]
            found = [(d, node) for d, node in found if not (d["type"] == "too_short" and node and node.value)]
        if not wrong:
            for detail, node in found:
                place = node.place if node else root.place
                if place not in places:
                    _add(faults, YamlFault(place, _message(detail)))
        # What is right is judged too, so that one reading shows everything; a rule as well whose table is wrong.
        of_rules = {detail["loc"]: node or root for detail, node in found if _is_table_of_rule(detail["loc"])}
        found = [(detail, node) for detail, node in found if detail["loc"] not in of_rules]
        wrong += [detail["loc"][: -1 if detail["type"] == "missing" else None] for detail, _ in found]
        gone = [node for _, node in found if node is not None]
        if not gone and not of_rules:
            return None
        for loc, node in of_rules.items():
            root = put(root, loc, YamlNode(_STAND_IN, node.place))
        stands_in += of_rules
        root = dropped(root, gone)
    for rule in broken_rules(pipeline, table_defaults):
        paths = (rule.path, *rule.decided_on)
        if not any(_touch(path, loc) for path in paths for loc in wrong) and not any(
            # Such a rule has its place still.
            all(a == b for a, b in zip(path, loc, strict=False))
            for path in paths
            for loc in stands_in
        ):
            _add(faults, YamlFault(place_at(root, rule.path), rule.message))
    return pipeline


def _is_table_of_rule(loc: KeyPath) -> bool:
    return loc[:1] == ("route",) and loc[1:2] in (("rules",), ("otherwise",)) and loc[-1] == "table" and len(loc) < 5


def _touch(one: KeyPath, other: KeyPath) -> bool:
    """One path leads to, or through, the other; positions in lists do not matter, for they moved."""
    return all(a == b or isinstance(a, int) or isinstance(b, int) for a, b in zip(one, other, strict=False))


def _add(faults: list[YamlFault], fault: YamlFault) -> None:
    """Once: a fault of `table_defaults` or of an alias, which several tables have, is one fault."""
    if fault not in faults:
        faults.append(fault)


_MESSAGES = {
    "string_type": "must be text (put it in quotes)",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "tuple_type": "must be a list",
    "dict_type": "must be a map of keys",
    "mapping_type": "must be a map of keys",
    "model_type": "must be a map of keys",
    "model_attributes_type": "must be a map of keys",
    "string_too_short": "must not be empty",
    "too_short": "must not be empty",
}


def _message(detail: ErrorDetails) -> str:
    kind, context = detail["type"], detail.get("ctx", {})
    key = str(detail["loc"][-1]) if detail["loc"] else ""
    if kind == "missing":
        return f"{key} is missing"
    if kind == "extra_forbidden":
        return f"unknown key {key!r}{_hint(key, detail['loc'])}"
    if kind == "value_error":
        return str(context.get("error", detail["msg"]))
    if kind == "literal_error":
        return f"must be {str(context.get('expected', '')).replace(chr(39), '')}"
    if kind == "string_pattern_mismatch" and key in ("name", "table"):
        return "must be namespace.table"
    return _MESSAGES.get(kind) or detail["msg"].replace("Input should", "must")


def _hint(key: str, loc: Sequence[str | int]) -> str:
    import difflib

    section = _section_at(loc[:-1])
    known = [name for name in section.model_fields if name != "name" or section is Table] if section else []
    elsewhere = [path for path in _all_paths(PipelineFile) if path.rsplit(".", 1)[-1] == key]
    # A letter too few is a slip; a key of another place, which only resembles one of here, is not.
    if near := difflib.get_close_matches(key, known, n=1, cutoff=0.6 if not elsewhere else 0.85):
        return f"; did you mean {near[0]!r}?"
    if elsewhere:
        return f"; it belongs at {' or '.join(elsewhere)}"
    return f"; known here: {', '.join(known)}" if known else ""


def _section_at(loc: Sequence[str | int]) -> type[Section] | None:
    section: type[Section] | None = PipelineFile
    for step in loc:
        if isinstance(step, int):
            continue
        field = section.model_fields.get(step) if section else None
        section = section_in(field.annotation) if field else section if section is ColumnSettings else None
    return section


def _all_paths(section: type[Section], prefix: str = "") -> Iterator[str]:
    for name, field in section.model_fields.items():
        if section is Rule and name in TableSettings.model_fields:
            # It belongs at `tables` first of all.
            continue
        inner = section_in(field.annotation)
        yield prefix + name
        if inner is not None and name != "table_defaults":
            listed = "[]" if get_origin(field.annotation) is tuple else ""
            yield from _all_paths(inner, f"{prefix}{name}{listed}.")


def _keys(node: YamlNode) -> dict[str, YamlNode]:
    return node.value if isinstance(node.value, dict) else {}


def _report(path: Path, faults: Sequence[YamlFault]) -> str:
    """In order of file (defaults last) and line."""
    ordered = sorted(faults, key=lambda f: (f.place.file != path.name, f.place.file, f.place.line))
    count = "1 error" if len(ordered) == 1 else f"{len(ordered)} errors"
    lines = "\n".join(f"  {fault}" for fault in ordered)
    return f"pipeline {path.stem} has {count}; nothing of it runs until the file is fixed:\n{lines}"
