"""python -m model [--page] [--long] [--rule NAME]: see docs/model-check.md."""

from __future__ import annotations

import sys

from model.configurations import NOT_SHOWN, SHOWN
from model.explorer import explore
from model.report import PAGE, clean, not_shown, page, shown


def main(arguments: list[str]) -> int:
    if "--rule" in arguments:
        name = arguments[arguments.index("--rule") + 1]
        for removed in [r for r in SHOWN if r.name == name]:
            print(explore(removed.setup, frozenset(removed.rules)).text)
        return 0
    wrong = 0
    found, without, none = [], [], []
    for r in clean(long="--long" in arguments):
        found.append(r)
        wrong += r.wrong is not None
        print(f"{r.setup:34s} {r.states:9d} states {r.seconds:6.1f} s  {r.text if r.wrong else 'clean'}", flush=True)
    for name, r in shown():
        without.append((name, r))
        wrong += r.wrong is None
        print(f"without {name:40s} {r.states:7d} states {len(r.trace):3d} steps  {r.wrong}", flush=True)
    for rule, r, why in not_shown():
        none.append((rule, r, why))
        wrong += r.wrong is not None
        print(f"without {rule:40s} {r.states:7d} states           {r.wrong or why}", flush=True)
    if "--page" in arguments:
        PAGE.write_text(page(found, without, none))
    return min(wrong, 1)


__all__ = ["NOT_SHOWN", "main"]

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
