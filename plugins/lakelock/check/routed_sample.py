"""Sample records routed by the rules of a pipeline file: tables that they would make, and what goes to none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from lakelock.adapters.kafka.sample import SampledRecord
from lakelock.config.route_section import Route
from lakelock.errors import LakelockError
from lakelock.model.units import counted, cut, one_line
from lakelock.records import reasons
from lakelock.records.reasons import CountedCause, Reason
from lakelock.records.routing.route_one import Routed, could_make, route
from lakelock.records.routing.router import Predicate, Router
from lakelock.records.routing.templates import Rendered

SHOWN = 50
SHOWN_REASONS = 10
_NAME_CHARACTERS = 100


@dataclass(frozen=True, slots=True)
class RoutedSample:
    """*routed* has an entry for each record; *known* all routed tables, with their raw names, those of the sample last."""

    routed: tuple[Routed, ...]
    known: Mapping[str, str]

    @property
    def rows(self) -> dict[str, int]:
        """Numbers of records by table, the most first."""
        found = Counter(table.name for r in self.routed for table in r.tables)
        return dict(found.most_common())

    @property
    def shown(self) -> list[str]:
        """The tables that are named, of which there may be more."""
        return list(self.rows)[:SHOWN]

    def records_of(self, table: str) -> list[int]:
        """Indexes of the records that go to the table."""
        return [n for n, r in enumerate(self.routed) if any(t.name == table for t in r.tables)]

    @property
    def without_table(self) -> list[Reason]:
        return [r.reason for r in self.routed if r.reason is not None]

    @property
    def causes(self) -> list[CountedCause]:
        """Reasons of dead letters; each collision of names is one of its own."""
        by_cause: dict[tuple[str, str | None, str], list[Reason]] = {}
        for reason in self.without_table:
            told_apart = reason.message if reason.kind == reasons.NAMES_COLLIDE else ""
            by_cause.setdefault((reason.kind, reason.field, told_apart), []).append(reason)
        found = [CountedCause(kind, field, len(of), of[0].message) for (kind, field, _), of in by_cause.items()]
        return sorted(found, key=lambda c: -c.count)

    @property
    def filtered(self) -> dict[int | None, int]:
        """Numbers of records by the index of the rule that leaves them out; None for those without a value."""
        return dict(
            sorted(Counter(r.rule for r in self.routed if r.filtered).items(), key=lambda f: (f[0] is None, f[0]))
        )


def routed_sample(
    router: Router,
    records: Sequence[SampledRecord],
    values: Sequence[bytes | None],
    verdicts: Sequence[Mapping[Predicate, str]] = (),
    *,
    skips_tombstones: bool = False,
) -> RoutedSample:
    """Route *records*, whose decompressed *values* are given, in their order: the first one that makes a table owns its name.

    *verdicts* have the letters of the router's predicates for each of them, if it has any.
    There may be more tables than `route.max_tables` allows afterwards.
    """
    known = dict(router.known)
    growing = replace(router, known=known)
    routed = []
    for record, value, letters in zip(records, values, verdicts or [{}] * len(records), strict=True):
        found = route(growing, record.source.topic, record.key, record.headers, value, letters)
        if skips_tombstones and record.value is None:
            found = found.without_tombstone
        known |= {t.name: t.raw_name for t in found.tables if t.name not in known}
        routed.append(found)
    return RoutedSample(tuple(routed), known)


def routed_text(sample: RoutedSample, route: Route, standings: Mapping[str, str | LakelockError]) -> str:
    """Tables with their numbers of records, then what is filtered, and what is a dead letter.

    *standings* say what a run would do with a table, unless it continues as it is, or why its records would wait.
    """
    rows, filtered, causes, dead = sample.rows, sample.filtered, sample.causes, len(sample.without_table)
    to_tables = sum(bool(r.tables) for r in sample.routed)
    lines = [
        f"# route: of {counted(len(sample.routed), 'sampled record')}, {to_tables:,} would go to "
        f"{counted(len(rows), 'table')}, {sum(filtered.values()):,} would be filtered, and {dead:,} would be "
        "dead letters without a table"
    ]
    for name in sample.shown:
        raw, standing = sample.known[name], standings.get(name)
        if isinstance(standing, LakelockError):
            standing = f"its records wait ({type(standing).__name__}): {standing.what}"
        made = "" if raw == name else f", from {cut(raw, _NAME_CHARACTERS)!r}"
        about = f" ({one_line(standing)})" if standing else ""
        lines.append(f"#   {one_line(name)}: {counted(rows[name], 'row')}{made}{about}")
    if rest := list(rows.items())[SHOWN:]:
        lines.append(f"#   and {counted(len(rest), 'more table')}: {counted(sum(n for _, n in rest), 'row')}")
    lines += [f"#   filtered by {_rule_text(route, rule)}: {count:,}" for rule, count in filtered.items()]
    lines += [f"#   dead letter: {one_line(cause.line)}" for cause in causes[:SHOWN_REASONS]]
    if more := causes[SHOWN_REASONS:]:
        lines.append(f"#   dead letters of {counted(len(more), 'other cause')}: {sum(c.count for c in more):,}")
    return "\n".join(lines)


def _rule_text(route: Route, rule: int | None) -> str:
    if rule is None:
        return "value.tombstones"
    if rule < len(route.rules):
        return f"route.rules[{rule}]"
    has_fate = route.otherwise.fate == "filter"
    return "route.otherwise" if has_fate else "no rule; an entry of tables takes them"


def changed_text(before: RoutedSample, now: RoutedSample, rules: Router, existing: Mapping[str, str]) -> str:
    """What a change of the rules does with the sample, and which *existing* tables the new *rules* can no longer make."""
    gains = [name for name in now.rows if name not in before.rows and name not in existing]
    stops = [f"{name} ({count:,})" for name, count in before.rows.items() if name not in now.rows]
    elsewhere = sum(_destination(a) != _destination(b) for a, b in zip(before.routed, now.routed, strict=True))
    left = [name for name, raw in existing.items() if not could_make(rules, Rendered(name, raw))]
    if not elsewhere and not left:
        return "# the rules changed, and each sampled record goes where it went before"
    lines = [f"# the rules changed: {counted(elsewhere, 'sampled record')} would go elsewhere than before"]
    lines += [f"#   tables added: {_listed(gains)}"] if gains else []
    lines += (
        [f"#   tables that no longer get sampled records, with their number before: {_listed(stops)}"] if stops else []
    )
    lines += [f"#   tables left behind, because no rule makes their names any longer: {_listed(left)}"] if left else []
    return "\n".join(lines)


def _destination(routed: Routed) -> tuple[frozenset[str], bool]:
    return frozenset(t.name for t in routed.tables), routed.filtered


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(map(one_line, names[:SHOWN_REASONS]))
    return shown if len(names) <= SHOWN_REASONS else f"{shown} and {len(names) - SHOWN_REASONS:,} more"
