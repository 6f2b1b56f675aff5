"""python -m simulation --seeds 100000: runs worlds and prints what was done in them; --replay SEED tells one."""

from __future__ import annotations

import argparse
import gc
import logging
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator

from simulation.pipelines import installed
from simulation.run import Outcome, run


def main() -> int:
    parser = argparse.ArgumentParser(prog="simulation", description=__doc__)
    parser.add_argument("--seeds", type=int, default=10_000, help="how many worlds")
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--show", type=int, default=10, help="how many violations to print")
    parser.add_argument("--replay", type=int, metavar="SEED", help="tell what happened in one world")
    asked = parser.parse_args()
    if asked.replay is not None:
        print("\n".join(replay(asked.replay)))
        return 0
    began = time.monotonic()
    counts, failed = campaign(asked.start, asked.seeds, asked.processes)
    print(table(counts, time.monotonic() - began))
    for outcome in failed[: asked.show]:
        print(f"seed {outcome.seed}: {outcome.violation}")
    return 1 if failed else 0


def campaign(start: int, seeds: int, processes: int) -> tuple[Counter[str], list[Outcome]]:
    """Totals, and the worlds in which something was violated."""
    size = min(500, max(1, seeds // processes))
    shares = [(a, min(size, start + seeds - a)) for a in range(start, start + seeds, size)]
    counts: Counter[str] = Counter()
    failed: list[Outcome] = []
    if processes == 1:
        done: Iterator[tuple[Counter[str], list[Outcome]]] = map(share, shares)
        for more, outcomes in done:
            counts.update(more)
            failed += outcomes
        return counts, failed
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        for more, outcomes in pool.imap(share, shares):
            counts.update(more)
            failed += outcomes
    return counts, failed


def share(seeds: tuple[int, int]) -> tuple[Counter[str], list[Outcome]]:
    counts: Counter[str] = Counter()
    failed = []
    logging.disable(logging.CRITICAL)
    gc.freeze()
    gc.disable()
    try:
        with installed():
            for seed in range(seeds[0], seeds[0] + seeds[1]):
                outcome = run(seed)
                counts.update(outcome.counts)
                if outcome.violation:
                    failed.append(outcome)
                if seed % 500 == 0:
                    gc.collect()
    finally:
        gc.enable()
        gc.unfreeze()
        logging.disable(logging.NOTSET)
    return counts, failed


def replay(seed: int) -> list[str]:
    with installed():
        return run(seed, traced=True).trace


def table(counts: Counter[str], seconds: float) -> str:
    first = ["seeds", "steps", "records"]
    names = [*first, *sorted(set(counts) - {*first, "violations", "excused"}), "excused", "violations"]
    lines = [f"{name:28}{counts[name]:>14,}" for name in names]
    return "\n".join([*lines, f"{'seconds':28}{seconds:>14,.1f}"])


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":
        # The order of sets of strings is part of a schedule.
        os.execve(
            sys.executable, [sys.executable, "-m", "simulation", *sys.argv[1:]], {**os.environ, "PYTHONHASHSEED": "0"}
        )
    sys.exit(main())
