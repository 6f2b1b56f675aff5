"""Runs seeded worlds and prints what was done in them; a seed that violates anything is named and can be replayed.

With `--drawn` the commit draws which worlds, with `--share` which broken rules.
"""

from __future__ import annotations

import argparse
import gc
import logging
import multiprocessing
import os
import sys
import time
from collections import Counter
from functools import partial

from campaigns.draw import Draw, Seed, seed, share_of
from campaigns.result import Result

from simulation.mutations import MUTATIONS, found
from simulation.pipelines import installed
from simulation.run import Outcome, run

CHUNK = 250
# What happens in a few worlds of a thousand: of so many worlds each must have happened in some, or it is not tried.
RARE = ("dead letters put back", "dead letters declared lost", "dead letters replanned")
MANY = 10_000
FIRST = ("seeds", "steps", "records", "crashes", "zombies", "unknown outcomes", "unreachable", "repeated")
LAST = ("excused", "violations")
PLACES = 10**9
NOT_NOTICED = "NOT NOTICED"

Share = tuple[int, int, float]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m simulation", description=__doc__)
    parser.add_argument("--seeds", type=int, default=10_000, help="how many worlds, at most")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin none after so long")
    first = parser.add_mutually_exclusive_group()
    first.add_argument("--start", type=int, default=0, help="the first seed")
    first.add_argument("--drawn", action="store_true", help="begin at a place that the commit draws")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--show", type=int, default=20, help="how many violations to print")
    parser.add_argument("--replay", type=int, metavar="SEED", help="report what happened in one world")
    parser.add_argument("--mutations", action="store_true", help="break rule by rule, and report what noticed it")
    parser.add_argument("--share", type=share_of, default=1.0, help="of the broken rules, drawn by the commit")
    args = parser.parse_args()
    if args.replay is not None:
        print("\n".join(replay(args.replay)))
        return 0
    start = place(seed()) if args.drawn else args.start
    if args.mutations:
        return mutations(args.seeds, start, args.share, args.processes)
    by = f", drawn by {seed()}" if args.drawn else ""
    print(f"worlds {start} to {start + args.seeds - 1}{by}", flush=True)
    began = time.monotonic()
    counts, failed = campaign(start, args.seeds, args.processes, began + args.seconds)
    print(table(counts, time.monotonic() - began))
    for outcome in failed[: args.show]:
        print(f"seed {outcome.seed}: {outcome.violation}")
    untried = [name for name in RARE if not counts[name]] if counts["seeds"] >= MANY else []
    print("".join(f"in no world: {name}\n" for name in untried), end="")
    print(Result(counts["seeds"], None, "worlds", {"violated": len(failed)}).line)
    return 1 if failed or untried else 0


def place(by: Seed) -> int:
    """Where worlds of this commit begin: others than those of the commits before."""
    return by.chance("worlds").randrange(PLACES)


def campaign(start: int, seeds: int, processes: int, until: float) -> tuple[Counter[str], list[Outcome]]:
    """Totals, and the worlds in which something was violated."""
    shares = [(a, min(CHUNK, start + seeds - a), until) for a in range(start, start + seeds, CHUNK)]
    counts: Counter[str] = Counter()
    failed: list[Outcome] = []
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        for more, outcomes in pool.imap(share, shares):
            counts.update(more)
            failed += outcomes
    return counts, failed


def share(given: Share) -> tuple[Counter[str], list[Outcome]]:
    start, seeds, until = given
    counts: Counter[str] = Counter()
    failed = []
    logging.disable(logging.CRITICAL)
    # A world leaves nothing in cycles but what the product's errors hold: looking for it after each chunk is enough.
    gc.freeze()
    gc.disable()
    try:
        with installed():
            for seed in range(start, start + seeds):
                if time.monotonic() > until:
                    break
                outcome = run(seed)
                counts.update(outcome.counts)
                if outcome.violation:
                    failed.append(outcome)
    finally:
        gc.enable()
        gc.collect()
        logging.disable(logging.NOTSET)
    return counts, failed


def replay(seed: int) -> list[str]:
    with installed():
        return run(seed, traced=True).trace


def mutations(seeds: int, start: int, share: float, processes: int) -> int:
    """One line a broken rule: how many worlds it took, and what was seen in the last of them."""
    draw = Draw(seed(), share)
    chosen = draw.take("broken rules", range(len(MUTATIONS)))
    missed = 0
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        for rule, worlds, said in pool.imap(partial(noticed, seeds, start), chosen):
            missed += said is None
            print(f"{rule}\t{worlds}\t{(said or NOT_NOTICED)[:160]}", flush=True)
    print(Result(draw.drawn, draw.of, "broken rules", {"unseen": missed}).line)
    return 1 if missed else 0


def noticed(seeds: int, start: int, place: int) -> tuple[str, int, str | None]:
    """Which rule stands there, how many worlds it took, and what was seen in the last of them if it was seen."""
    logging.disable(logging.CRITICAL)
    worlds: list[Outcome] = []
    with installed():
        outcome = found(MUTATIONS[place], seeds, start, worlds.append)
    return MUTATIONS[place].rule, len(worlds), outcome.violation if outcome else None


def table(counts: Counter[str], seconds: float) -> str:
    names = [*FIRST, *sorted({*counts, *RARE} - {*FIRST, *LAST}), *LAST]
    lines = [f"{name:28}{counts[name]:>14,}" for name in names]
    return "\n".join([*lines, f"{'seconds':28}{seconds:>14,.1f}"])


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":
        # The order of sets of strings is part of a schedule.
        again = [sys.executable, "-m", "simulation", *sys.argv[1:]]
        os.execve(sys.executable, again, {**os.environ, "PYTHONHASHSEED": "0"})
    sys.exit(main())
