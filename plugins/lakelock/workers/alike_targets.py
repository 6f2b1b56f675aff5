"""Targets whose records become rows in the same way, so that one decoder can take those of many tables at once."""

from __future__ import annotations

from dataclasses import replace

import orjson

from lakelock.model.layouts import Layout
from lakelock.ports import Target, WriteOrder
from lakelock.records.csv.options import SKIP


class AlikeTargets:
    """The routed targets of *order*, those that are alike one after another. `of` has a number for each target that is like
    another one, the same for those that are alike."""

    def __init__(self, order: WriteOrder) -> None:
        routed = [t for t in order.targets if t.is_routed]
        settled = order.decided.keys() | order.lost.keys()
        groups: dict[object, list[Target]] = {}
        for target in routed:
            key = (target.table,) if target.table in settled or not _may_share(target) else _form(target)
            groups.setdefault(key, []).append(target)
        self.routed = [target for group in groups.values() for target in group]
        self.of = {target.table: n for n, group in enumerate(groups.values()) if len(group) > 1 for target in group}


def _may_share(target: Target) -> bool:
    """Not if what a decoder finds or counts is of one table, also of records that become rows."""
    is_counted = bool(target.left_out) or target.evolving is not None or target.expressions is not None
    return not is_counted and (target.options is None or target.options.header != SKIP)


def _form(target: Target) -> object:
    """Equal for targets that differ in their place and name alone."""
    common = replace(target, table="", identity_uuid="", generation=0, location="", properties={}, storage={})
    keys = tuple(sorted(target.mask_keys.items()))
    return repr(common), keys, _details(target.layout), _details(target.final_layout)


def _details(layout: Layout) -> bytes:
    return orjson.dumps(layout.details)
