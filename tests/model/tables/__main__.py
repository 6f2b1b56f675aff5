"""python -m model.tables [--rule TEXT]: search all worlds and write docs/proofs/tables.md, or print counterexamples."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from model.breadth_first import Result
from model.tables.report import PAGE, page, way
from model.tables.search import explore
from model.tables.worlds import CLEAN, LONG, NOT_SHOWN, SHOWN


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m model.tables")
    parser.add_argument("--rule", help="print the shortest ways to what goes wrong without rules that have this text")
    asked = parser.parse_args(arguments).rule
    if asked is not None:
        for removed in SHOWN:
            if asked in f"{removed.rule.number}: {removed.rule.says}":
                print(way(removed, explore(removed.setup, [removed.rule])), end="\n\n")
        return 0
    clean = [(setup, _said(explore(setup))) for setup in CLEAN]
    shown = [(removed, _said(explore(removed.setup, [removed.rule]))) for removed in SHOWN]
    none = [(removed, _said(explore(removed.setup, [removed.rule])), why) for removed, why in NOT_SHOWN]
    longer = [(setup, _said(explore(setup))) for setup in LONG]
    PAGE.write_text(page(clean, shown, none, longer), encoding="utf-8")
    faults = [r for _, r in (*clean, *longer)] + [r for _, r, _ in none]
    return 1 if any(r.wrong or not r.whole for r in faults) or any(not r.wrong for _, r in shown) else 0


def _said(found: Result) -> Result:
    print(f"{found.name:60s} {found.states:9d} states {found.cpu_s:6.1f} s  {found.wrong or 'nothing'}", flush=True)
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
