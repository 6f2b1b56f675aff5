"""Runs seeded worlds and prints what was done in them; a seed that violates anything is named and can be replayed."""

from __future__ import annotations

import argparse
import gc
import logging
import multiprocessing
import os
import sys
import time
from collections import Counter
from random import Random

from simulation.mutations import MUTATIONS, found
from simulation.pipelines import installed
from simulation.run import Outcome, run

CHUNK = 250
FIRST = ("seeds", "steps", "records", "crashes", "zombies", "unknown outcomes", "unreachable", "repeated")
LAST = ("excused", "violations")

Share = tuple[int, int, float]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m simulation", description=__doc__)
    parser.add_argument("--seeds", type=int, default=10_000, help="how many worlds, at most")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin none after so long")
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--show", type=int, default=20, help="how many violations to print")
    parser.add_argument("--replay", type=int, metavar="SEED", help="tell what happened in one world")
    parser.add_argument("--mutations", action="store_true", help="break rule by rule, and report what noticed it")
    parser.add_argument("--only", default="", help="of the rules to break, those with these words")
    parser.add_argument("--draw", metavar="SEED", help="the first seed is drawn by this text, like a commit's hash")
    asked = parser.parse_args()
    if asked.replay is not None:
        print("\n".join(replay(asked.replay)))
        return 0
    if asked.mutations:
        return mutations(asked.seeds, asked.start, asked.only)
    began = time.monotonic()
    if asked.draw is not None:
        asked.start = Random(asked.draw).randrange(1_000_000_000)
        print(f"seeds {asked.start} to {asked.start + asked.seeds - 1}, drawn by {asked.draw}", flush=True)
    counts, failed = campaign(asked.start, asked.seeds, asked.processes, began + asked.seconds)
    print(table(counts, time.monotonic() - began))
    for outcome in failed[: asked.show]:
        print(f"seed {outcome.seed}: {outcome.violation}")
    return 1 if failed else 0


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


def share(asked: Share) -> tuple[Counter[str], list[Outcome]]:
    start, seeds, until = asked
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


def mutations(seeds: int, start: int, only: str) -> int:
    """One line a broken rule: how many worlds it took, and what was seen in the last of them."""
    logging.disable(logging.CRITICAL)
    missed = 0
    with installed():
        for mutation in (m for m in MUTATIONS if only in m.rule):
            worlds: list[Outcome] = []
            outcome = found(mutation, seeds, start, worlds.append)
            missed += outcome is None
            said = outcome.violation if outcome and outcome.violation else "NOT NOTICED"
            print(f"{mutation.rule}\t{len(worlds)}\t{said[:160]}", flush=True)
    return 1 if missed else 0


def table(counts: Counter[str], seconds: float) -> str:
    names = [*FIRST, *sorted(set(counts) - {*FIRST, *LAST}), *LAST]
    lines = [f"{name:28}{counts[name]:>14,}" for name in names]
    return "\n".join([*lines, f"{'seconds':28}{seconds:>14,.1f}"])


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":
        # The order of sets of strings is part of a schedule.
        again = [sys.executable, "-m", "simulation", *sys.argv[1:]]
        os.execve(sys.executable, again, {**os.environ, "PYTHONHASHSEED": "0"})
    sys.exit(main())
