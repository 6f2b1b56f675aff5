"""Which part of a campaign runs: drawn by a seed that the commit gives, so that the same part can run again."""

from __future__ import annotations

import os
import random
import subprocess
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
VARIABLE = "LAKELOCK_SEED"
REPOSITORY = Path(__file__).resolve().parents[2]
TRUNKS = ("origin/HEAD", "origin/main", "main")


@dataclass(frozen=True)
class Seed:
    """*origin* names what gave the number."""

    number: int
    origin: str

    def chance(self, what: str) -> random.Random:
        """A stream of its own for each campaign: one that draws more leaves the draws of the others as they were."""
        return random.Random(f"{self.number} {what}")

    def __str__(self) -> str:
        return f"seed {self.number} ({self.origin}; the same again: {VARIABLE}={self.number})"


def seed_of(environment: Mapping[str, str], commit: str | None) -> Seed:
    """The one that the environment names, or the commit's; where neither is known the same one each time."""
    if given := environment.get(VARIABLE):
        if not given.isdigit():
            raise SystemExit(f"{VARIABLE} must be a whole number, and is {given!r}")
        return Seed(int(given), VARIABLE)
    return Seed(int(commit[:8], 16), f"commit {commit[:12]}") if commit else Seed(0, "no commit is known here")


@cache
def seed() -> Seed:
    return seed_of(os.environ, git("rev-parse", "HEAD"))


def git(*arguments: str) -> str | None:
    """What git answers about this checkout; None without git, without a repository or without an answer."""
    try:
        done = subprocess.run(["git", *arguments], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


@cache
def changed_files() -> frozenset[str]:
    """Since the branch left its trunk, or by the last commit where it has not; with what is not committed yet."""
    head = git("rev-parse", "HEAD")
    bases = (git("merge-base", "HEAD", trunk) for trunk in TRUNKS)
    base = next((b for b in bases if b and b != head), "HEAD~1")
    listed = (git("diff", "--name-only", base), git("ls-files", "--others", "--exclude-standard"))
    return frozenset(name for names in listed if names for name in names.splitlines())


def by_share(items: Iterable[T], stratum: Callable[[T], Hashable], share: float, chance: random.Random) -> list[T]:
    """This share of each stratum, and at least one of each; in their order."""
    strata: dict[Hashable, list[int]] = {}
    there = list(items)
    for place, item in enumerate(there):
        strata.setdefault(stratum(item), []).append(place)
    taken = [p for places in strata.values() for p in chance.sample(places, max(1, round(share * len(places))))]
    return [there[place] for place in sorted(taken)]


def spread(items: Iterable[T], count: int, keys: Sequence[Callable[[T], Hashable]], chance: random.Random) -> list[T]:
    """So many of them, spread as evenly over the values of each key as they allow; an earlier key goes first."""
    waiting = list(items)
    chance.shuffle(waiting)
    counts = [Counter[Hashable]() for _ in keys]
    taken: list[T] = []
    while waiting and len(taken) < count:
        place = min(
            range(len(waiting)), key=lambda n: tuple(c[k(waiting[n])] for c, k in zip(counts, keys, strict=True))
        )
        taken.append(waiting.pop(place))
        for count_of, key in zip(counts, keys, strict=True):
            count_of[key(taken[-1])] += 1
    return taken


@dataclass
class Draw:
    """Takes a share of whatever it is given, prints which share that was, and adds up."""

    seed: Seed
    share: float = 1.0
    drawn: int = 0
    of: int = 0

    def take(self, what: str, items: Iterable[T], stratum: Callable[[T], Hashable] = lambda _: None) -> list[T]:
        there = list(items)
        taken = by_share(there, stratum, self.share, self.seed.chance(what))
        self.note(what, len(taken), len(there))
        return taken

    def note(self, what: str, drawn: int, of: int) -> None:
        self.drawn += drawn
        self.of += of
        print(reported(what, drawn, of, self.seed), flush=True)


def reported(what: str, drawn: int, of: int, by: Seed) -> str:
    if drawn == of:
        return f"{what}: all {of:,}" if of else f"{what}: none"
    return f"{what}: {drawn:,} of {of:,}, {drawn / of:.0%}, drawn by {by}"


def share_of(text: str) -> float:
    """A share as an option of a campaign: more than 0, at most 1."""
    share = float(text)
    if not 0 < share <= 1:
        raise ValueError(f"a share is more than 0 and at most 1, and this is {text}")
    return share
