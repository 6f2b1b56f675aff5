"""`table_defaults` of a pipeline file, merged under the tables that the file describes."""

from __future__ import annotations

from pydantic import ValidationError

from lakelock.config.route_section import FATES
from lakelock.config.table_sections import TableSettings
from lakelock.config.yaml_nodes import YamlFault, YamlNode, merged, plain


def with_table_defaults(root: YamlNode) -> YamlNode:
    """*root* without `table_defaults`, which lie under each entry of `tables` and each rule of `route`."""
    values = dict(_keys(root))
    defaults = values.pop("table_defaults", None)
    under = defaults if defaults is not None and isinstance(defaults.value, dict) else None
    if (tables := values.get("tables")) is not None:
        values["tables"] = _each_with(under, tables)
    if (route := values.get("route")) is not None and isinstance(route.value, dict):
        values["route"] = _route_with(under, route)
    return YamlNode(values, root.place)


def table_defaults_of(root: YamlNode) -> TableSettings | None:
    """What a table has for which the file says nothing else; None if that is wrong."""
    defaults = _keys(root).get("table_defaults")
    try:
        return TableSettings() if defaults is None else TableSettings.model_validate(plain(_with_new_fields(defaults)))
    except ValidationError:
        return None


def _each_with(under: YamlNode | None, entries: YamlNode) -> YamlNode:
    if not isinstance(entries.value, list):
        return entries
    return YamlNode([_with(under, entry) for entry in entries.value], entries.place)


def _with(under: YamlNode | None, entry: YamlNode) -> YamlNode:
    """An entry of `tables`, or a rule of `route`; one that has a fate in place of a table has no settings."""
    table = _keys(entry).get("table")
    has_fate = table is not None and isinstance(table.value, str) and table.value in FATES
    whole = None if has_fate else merged(under, entry)
    return _with_new_fields(whole or entry)


def _route_with(under: YamlNode | None, route: YamlNode) -> YamlNode:
    keys = dict(_keys(route))
    if under is not None:
        # That of a rule is of its records.
        under = YamlNode({key: node for key, node in _keys(under).items() if key != "where"}, under.place)
    if (rules := keys.get("rules")) is not None:
        keys["rules"] = _each_with(under, rules)
    if (otherwise := keys.get("otherwise")) is not None:
        place = otherwise.place
        whole = otherwise if isinstance(otherwise.value, dict) else YamlNode({"table": otherwise}, place)
        settings = {key: node for key, node in _keys(under).items() if key != "topics"}
        keys["otherwise"] = _with(YamlNode(settings, place), whole)
    return YamlNode(keys, route.place)


def _with_new_fields(table: YamlNode) -> YamlNode:
    """With `new_fields` where the file has `dead_letter` under its former name, which has the same value if it is left out."""
    keys = _keys(table)
    former = keys.get("unknown_fields")
    if former is None or former.value != "dead_letter" or "new_fields" in keys:
        return table
    return YamlNode({**keys, "new_fields": former}, table.place)


def table_defaults_faults(root: YamlNode) -> list[YamlFault]:
    """What does not show up at the tables that `table_defaults` is merged into."""
    defaults = _keys(root).get("table_defaults")
    if defaults is None:
        return []
    if not isinstance(defaults.value, dict):
        return [YamlFault(defaults.place, "must be a map of keys")]
    faults = []
    if "name" in defaults.value:
        faults.append(YamlFault(defaults.value["name"].place, "tables have a name of their own; leave this key out"))
    if "where" in defaults.value and "route" in _keys(root):
        message = (
            "with a route, this would not be for the tables of its rules, whose where is of records; write it in the entries "
            "of tables, or write a check with on_fail: filter"
        )
        faults.append(YamlFault(defaults.value["where"].place, message))
    return faults


def _keys(node: YamlNode | None) -> dict[str, YamlNode]:
    return node.value if node is not None and isinstance(node.value, dict) else {}
