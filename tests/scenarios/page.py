"""docs/proofs/scenarios.md."""

from __future__ import annotations

from pathlib import Path

from scenarios.around import POSTGRES, REST, VERSIONS
from scenarios.entry import Group, Scenario
from scenarios.outside import KAFKA, OTHERS, RECORDS
from scenarios.within import SEVERAL, WRITING, ZOMBIES

REPOSITORY = Path(__file__).parents[2]
PAGE = REPOSITORY / "docs" / "proofs" / "scenarios.md"
GROUPS: tuple[Group, ...] = (WRITING, ZOMBIES, SEVERAL, OTHERS, KAFKA, RECORDS, POSTGRES, VERSIONS, REST)
SCENARIOS: tuple[Scenario, ...] = tuple(s for g in GROUPS for s in g.scenarios)

INTRO = """# Scenarios

This page lists the known ways in which a pipeline from Kafka to a table can fail, in lakelock and
in other systems, and what lakelock does. Tests show {shown} of {all} scenarios; {cannot} cannot occur in this
release, and {limits} is a stated limit. Other evidence goes beyond single scenarios: the [model
check](model-check.md) searches every order of steps and faults within small bounds, the
[simulation](simulation.md) runs random schedules, and the [crash campaign](campaigns.md) kills and
freezes every step at every point.

`tests/scenarios/` generates this page, and a test checks that every test named here exists:

```sh
PYTHONPATH=tests .venv/bin/python -m scenarios
```
"""


def page() -> str:
    counts = {
        "all": len(SCENARIOS),
        "shown": sum(bool(s.tests) for s in SCENARIOS),
        "cannot": sum(bool(s.cannot) for s in SCENARIOS),
        "limits": sum(bool(s.limit) for s in SCENARIOS),
    }
    out = [INTRO.format(**counts)]
    for group in GROUPS:
        out.append(f"## {group.title}\n\n| | what happens | what lakelock does | shown by |\n|---|---|---|---|")
        out += [f"| {s.number} | {s.title} | {s.expected} | {_shown(s)} |" for s in group.scenarios]
        out.append("")
    return "\n".join(out)


def _shown(scenario: Scenario) -> str:
    if scenario.cannot:
        return f"**Cannot occur.** {scenario.cannot}"
    if scenario.limit:
        return f"**Limit.** {scenario.limit}"
    return "<br>".join(_link(test) for test in scenario.tests)


def _link(test: str) -> str:
    file, _, name = test.partition("::")
    return f"[`{name}`](../../{file})"
