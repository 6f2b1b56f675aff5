"""Targets whose records become rows in the same way, so that one decoder can take those of many tables at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

import orjson

from lakelock.ports import Target, WriteOrder
from lakelock.records.csv.options import SKIP


class AlikeTargets:
    """The routed targets of *order*, those that are alike one after another. `of` has a number for each target that is like
    another one, the same for those that are alike."""

    def __init__(self, order: WriteOrder) -> None:
        routed = [t for t in order.targets if t.is_routed]
        settled = order.decided.keys() | order.lost.keys()
        groups: dict[object, list[Target]] = {}
        texts = _Texts()
        for target in routed:
            key = (target.table,) if target.table in settled or not _may_share(target) else texts.form(target)
            groups.setdefault(key, []).append(target)
        self.routed = [target for group in groups.values() for target in group]
        self.of = {target.table: n for n, group in enumerate(groups.values()) if len(group) > 1 for target in group}


def _may_share(target: Target) -> bool:
    """Not if what a decoder finds or counts is of one table, also of records that become rows."""
    is_counted = bool(target.left_out) or target.evolving is not None or target.expressions is not None
    return not is_counted and (target.options is None or target.options.header != SKIP)


# Of these, mask keys and layouts have no text of their own.
_OWN = frozenset({"table", "identity_uuid", "generation", "location", "properties", "storage", "mask_keys"})
_COMMON = tuple(of.name for of in fields(Target) if of.name not in _OWN)


class _Texts:
    """Texts of what targets have, which thousands of them mostly share: each object's is made once."""

    def __init__(self) -> None:
        # With the object, so that no other one gets its id.
        self._known: dict[tuple[Callable[[object], str | bytes], int], tuple[object, str | bytes]] = {}

    def form(self, target: Target) -> object:
        """Equal for targets that differ in their place and name alone."""
        common = [self._of(getattr(target, name), repr) for name in _COMMON]
        details = [self._of(layout.details, orjson.dumps) for layout in (target.layout, target.final_layout)]
        return (*common, *details, *sorted(target.mask_keys.items()))

    def _of(self, value: object, text: Callable[[object], str | bytes]) -> str | bytes:
        known = self._known.get((text, id(value)))
        if known is None:
            known = self._known[text, id(value)] = value, text(value)
        return known[1]
