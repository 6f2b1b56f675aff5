"""python -m model [--page] [--long] [--share PART] [--rule NAME]: see docs/proofs/model-check.md."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from campaigns.draw import Draw, seed, share_of
from campaigns.result import Result

from model.configurations import CLEAN, LONG, NOT_SHOWN, SHOWN
from model.explorer import explore
from model.report import PAGE, page, searched


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m model")
    parser.add_argument("--long", action="store_true", help="larger bounds, too")
    parser.add_argument("--share", type=share_of, default=1.0, help="of the worlds with larger bounds")
    parser.add_argument("--page", action="store_true", help="write docs/proofs/model-check.md")
    parser.add_argument("--rule", help="the counterexample without it, step by step")
    args = parser.parse_args(arguments)
    if args.page and args.share < 1:
        parser.error("a page has all worlds: --page goes with no --share")
    if args.rule is not None:
        for removed in [r for r in SHOWN if r.name == args.rule]:
            print(explore(removed.setup, frozenset(removed.rules)).text)
        return 0
    draw = Draw(seed(), args.share)
    longer = draw.take("worlds with larger bounds", LONG) if args.long else []
    small = len(CLEAN) + len(SHOWN) + len(NOT_SHOWN)
    draw.note("worlds with small bounds", small, small)
    found, without, none = [], [], []
    for r in searched((*CLEAN, *longer)):
        found.append(r)
        print(f"{r.name:34s} {r.states:9d} states {r.cpu_s:6.1f} s  {r.text if r.wrong else 'clean'}", flush=True)
    for removed, r in zip(SHOWN, searched((s.setup for s in SHOWN), (s.rules for s in SHOWN)), strict=True):
        without.append((removed.name, r))
        print(f"without {removed.name:40s} {r.states:7d} states {len(r.trace):3d} steps  {r.wrong}", flush=True)
    setups, rules = (setup for setup, _ in NOT_SHOWN.values()), ([rule] for rule in NOT_SHOWN)
    for (rule, (_, why)), r in zip(NOT_SHOWN.items(), searched(setups, rules), strict=True):
        none.append((rule, r, why))
        print(f"without {rule:40s} {r.states:7d} states           {r.wrong or why}", flush=True)
    violated = sum(r.wrong is not None for r in (*found, *(r for _, r, _ in none)))
    unseen = sum(r.wrong is None for _, r in without)
    print(Result(draw.drawn, draw.of, "searches", {"violated": violated, "unseen": unseen}).line)
    if args.page:
        PAGE.write_text(page(found, without, none))
    return 1 if violated or unseen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
