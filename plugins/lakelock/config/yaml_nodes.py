"""YAML that remembers where each value was written: nodes with file, line and path, merged without losing them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import yaml

_VARIABLE = re.compile(r"\$\$\{|\$\{([^}]*)\}")
_TYPED_TAGS = frozenset(f"tag:yaml.org,2002:{name}" for name in ("int", "float", "bool", "null"))
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
Scalar = str | int | float | bool | None


class Place(NamedTuple):
    """Where something was written; *path* is the path of the key in its own file."""

    file: str
    line: int
    path: str = ""


@dataclass(frozen=True, slots=True)
class YamlFault:
    place: Place
    message: str

    def __str__(self) -> str:
        path = f"{self.place.path}: " if self.place.path else ""
        return f"{self.place.file}:{self.place.line}: {path}{self.message}"


@dataclass(frozen=True, slots=True)
class YamlNode:
    """A map (dict of nodes), a list (list of nodes) or a scalar, and where it was written."""

    value: dict[str, YamlNode] | list[YamlNode] | Scalar
    place: Place


@dataclass(slots=True)
class YamlReading:
    """One file being read: its environment, and the faults met so far."""

    file: str
    environment: Mapping[str, str]
    faults: list[YamlFault] = field(default_factory=list)
    _open: list[yaml.Node] = field(default_factory=list)

    def read(self, text: str) -> YamlNode:
        """The document of *text*; an empty one is an empty map. Faults are collected, never raised."""
        whole = Place(self.file, 1)
        loader = _Loader(text)
        try:
            document = loader.get_single_node()
            if document is None:
                return YamlNode({}, whole)
            node = self._node(loader, document, "")
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            problem = " ".join(t for t in (error.context, error.problem) if t)
            self.faults.append(YamlFault(Place(self.file, mark.line + 1 if mark else 1), f"not YAML: {problem}"))
            return YamlNode({}, whole)
        except (yaml.YAMLError, RecursionError) as error:
            self.faults.append(YamlFault(whole, f"not YAML: {error}"))
            return YamlNode({}, whole)
        finally:
            loader.dispose()
        if not isinstance(node.value, dict):
            self.faults.append(YamlFault(node.place, "must be a map of keys"))
            return YamlNode({}, whole)
        return node

    def _node(self, loader: Any, node: yaml.Node, path: str) -> YamlNode:
        return YamlNode(self._value(loader, node, path), self._place(node, path))

    def _place(self, node: yaml.Node, path: str) -> Place:
        return Place(self.file, node.start_mark.line + 1, path)

    def _value(self, loader: Any, node: yaml.Node, path: str) -> dict[str, YamlNode] | list[YamlNode] | Scalar:
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(loader, node, path)
        if any(node is ancestor for ancestor in self._open):
            self.faults.append(YamlFault(self._place(node, path), "an alias that contains itself"))
            return None
        self._open.append(node)
        try:
            if isinstance(node, yaml.MappingNode):
                return self._map(loader, node, path)
            return [self._node(loader, child, f"{path}[{i}]") for i, child in enumerate(node.value)]
        finally:
            self._open.pop()

    def _map(self, loader: Any, node: yaml.MappingNode, path: str) -> dict[str, YamlNode]:
        self._check_duplicates(node, path)
        if any(key.tag == "tag:yaml.org,2002:merge" for key, _ in node.value):
            loader.flatten_mapping(node)
        values: dict[str, YamlNode] = {}
        for key_node, value_node in node.value:
            key = str(key_node.value)
            at = joined(path, key)
            values[key] = YamlNode(self._value(loader, value_node, at), self._place(key_node, at))
        return values

    def _scalar(self, loader: Any, node: yaml.ScalarNode, path: str) -> Scalar:
        text = str(node.value)
        if "${" in text:
            return self._filled(text, self._place(node, path))
        # 1:30 is a number of base 60 in YAML 1.1 and never meant as one.
        if node.tag not in _TYPED_TAGS or ":" in text:
            return text
        try:
            typed: Scalar = loader.construct_object(node, deep=True)
        except ValueError:
            return text
        return typed

    def _filled(self, text: str, place: Place) -> str:
        def replaced(match: re.Match[str]) -> str:
            name = match[1]
            if name is None:
                return "${"
            if name not in self.environment:
                self.faults.append(
                    YamlFault(place, f"environment variable {name!r} is not set (write $${{ for a plain ${{)")
                )
                return ""
            return self.environment[name]

        return _VARIABLE.sub(replaced, text)

    def _check_duplicates(self, node: yaml.MappingNode, path: str) -> None:
        first: dict[str, int] = {}
        for key_node, _ in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                self.faults.append(YamlFault(Place(self.file, line, path), "keys must be plain text"))
                continue
            key = str(key_node.value)
            if key in first and key != "<<":
                place = Place(self.file, line, joined(path, key))
                self.faults.append(YamlFault(place, f"written twice, first in line {first[key]}"))
            first.setdefault(key, line)


def joined(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def merged(under: YamlNode | None, over: YamlNode | None) -> YamlNode | None:
    """*over* on top of *under*: maps merge key by key, everything else replaces."""
    if under is None or over is None:
        return over if under is None else under
    if not isinstance(under.value, dict) or not isinstance(over.value, dict):
        return over
    values: dict[str, YamlNode] = {}
    for key in under.value | over.value:
        node = merged(under.value.get(key), over.value.get(key))
        assert node is not None
        values[key] = node
    return YamlNode(values, over.place)


def plain(node: YamlNode) -> Any:
    if isinstance(node.value, dict):
        return {key: plain(child) for key, child in node.value.items()}
    if isinstance(node.value, list):
        return [plain(child) for child in node.value]
    return node.value


def place_at(node: YamlNode, path: Sequence[str | int]) -> Place:
    """The place of the deepest node of *path* that was written; an index into a map means its nth key."""
    return (node_at(node, path) or node).place


def node_at(node: YamlNode, path: Sequence[str | int]) -> YamlNode | None:
    """The deepest node of *path* that was written, or None when that is the root."""
    found = None
    for step in path:
        child = _child(node, step)
        if child is not None:
            node = found = child
    return found


def dropped(node: YamlNode, gone: Sequence[YamlNode]) -> YamlNode:
    """The same tree without the nodes *gone*, which are compared by identity."""
    if isinstance(node.value, dict):
        kept = {k: dropped(v, gone) for k, v in node.value.items() if not any(v is g for g in gone)}
        return YamlNode(kept, node.place)
    if isinstance(node.value, list):
        return YamlNode([dropped(v, gone) for v in node.value if not any(v is g for g in gone)], node.place)
    return node


def put(node: YamlNode, path: Sequence[str | int], value: YamlNode) -> YamlNode:
    """The same tree with *value* at *path*, of which all but the last step is there."""
    if not path:
        return value
    step = path[0]
    if isinstance(node.value, list):
        return YamlNode([put(v, path[1:], value) if n == step else v for n, v in enumerate(node.value)], node.place)
    keys = node.value if isinstance(node.value, dict) else {}
    of_key = keys.get(str(step), value)
    return YamlNode({**keys, str(step): put(of_key, path[1:], value)}, node.place)


def _child(node: YamlNode, step: str | int) -> YamlNode | None:
    if isinstance(node.value, dict):
        if isinstance(step, int):
            by_key = node.value.get(str(step))
            return by_key or (list(node.value.values())[step] if step < len(node.value) else None)
        return node.value.get(step)
    if isinstance(node.value, list) and isinstance(step, int) and step < len(node.value):
        return node.value[step]
    return None
