"""All campaigns, one after the other, within a budget of minutes; one table of what they found.

    bin/test --long                      all, in the default budget
    bin/test --long --minutes 40         smaller parts of them, drawn by the same seed
    bin/test --long --only "crash points"

What each gets of the budget, `campaigns.budget` says; its output is a file in `.lakelock/long/`. Exit 1 where one failed.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from kits.browser import BROWSER, MISSING
from stack import machine
from stack.settings import REPOSITORY

from campaigns import children, markdown
from campaigns.budget import CAMPAIGNS, MINUTES, Part, parts
from campaigns.draw import VARIABLE, seed
from campaigns.result import COUNTS, Result, read

HEADS = ("campaign", "what was run", "share", "s", *COUNTS, "exit", "output")
INTERRUPTED = 130
# Minutes are an estimate for two cores with nothing else to do: a campaign that hangs is ended long after them.
PATIENCE, AT_LEAST_S = 3.0, 1800.0


@dataclass(frozen=True)
class Ended:
    """*code* is None where the campaign was left out, for the reason *why*; or *why* is what else is wrong with it."""

    name: str
    code: int | None
    seconds: float = 0.0
    output: str = ""
    result: Result | None = None
    why: str = ""

    @property
    def failed(self) -> bool:
        return self.code is not None and (self.code != 0 or bool(self.why))

    @property
    def row(self) -> tuple[str, ...]:
        found = self.result
        ran = f"{found.ran:,} {found.what}" if found else ""
        share = "" if found is None or found.share is None else f"{found.share:.0%}"
        counts = [str(found.counts.get(name, "")) if found else "" for name in COUNTS]
        code = "left out" if self.code is None else str(self.code)
        said = f"{code}: {self.why}" if self.why else code
        return (self.name, ran, share, f"{self.seconds:.0f}", *counts, said, self.output)


def summary(ended: Sequence[Ended]) -> str:
    return "\n".join(markdown.table(HEADS, (one.row for one in ended)))


def run(part: Part, folder: Path) -> Ended:
    name = part.campaign.name
    if not part.minutes:
        return Ended(name, None, why="the budget is too small for it")
    if name == "browser" and BROWSER is None:
        return Ended(name, None, why=MISSING)
    if name == "fuzzing" and find_spec("atheris") is None:
        return Ended(name, None, why="the fuzzer has no build for this machine")
    output = folder / f"{name.replace(' ', '-')}.txt"
    paths = os.pathsep.join(str(REPOSITORY / part) for part in ("plugins", "bin", "tests"))
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONUNBUFFERED": "1", VARIABLE: str(seed().number)}
    print(f"{name}: about {part.minutes:.1f} minutes, {' '.join(part.command[2:])} > {output}", flush=True)
    began = time.monotonic()
    patience_s = max(AT_LEAST_S, PATIENCE * 60 * part.minutes)
    code = children.run(part.command, output, REPOSITORY, environment, patience_s)
    left = children.end_leftovers()
    seconds = time.monotonic() - began
    text = output.read_text(errors="replace")
    out = Ended(name, code, seconds, str(output), read(text), f"left {', '.join(left)} behind" if left else "")
    if out.failed:
        print("\n".join(["", f"FAILED {name}; its output ends with", *text.splitlines()[-20:], ""]), flush=True)
    return out


def chosen(minutes: float, only: str) -> list[Part]:
    """*only* gets what it would get beside the others; it is never left out."""
    all_of_them = parts(minutes)
    if not only:
        return all_of_them
    return [Part(p.campaign, max(p.minutes, p.campaign.least)) for p in all_of_them if p.campaign.name == only]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="bin/test --long", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=MINUTES, help=f"the budget, {MINUTES:.0f} by itself")
    parser.add_argument("--only", default="", choices=[c.name for c in CAMPAIGNS], help="one campaign")
    args = parser.parse_args(arguments)
    # Also where a shell has started this in the background, with its interrupts ignored.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    folder = machine.home() / "long"
    folder.mkdir(parents=True, exist_ok=True)
    children.adopt()
    print(f"campaigns drawn by {seed()}", flush=True)
    ended: list[Ended] = []
    interrupted = False
    try:
        for part in chosen(args.minutes, args.only):
            ended.append(run(part, folder))
    except KeyboardInterrupt:
        interrupted = True
        left = children.end_leftovers()
        print("interrupted" + (f"; ended {', '.join(left)}" if left else ""), flush=True)
    text = f"{seed()}, {args.minutes:.0f} minutes\n\n{summary(ended)}\n"
    (folder / "summary.md").write_text(text)
    print("\n" + text, flush=True)
    return INTERRUPTED if interrupted else int(any(one.failed for one in ended))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
