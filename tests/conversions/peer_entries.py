"""Entries of docs/proofs/counterparts.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# "limit": lakelock does less here.
Verdict = Literal["same", "better", "limit", "not applicable"]


@dataclass(frozen=True, slots=True)
class Counterpart:
    """Of the test *name*; *why* may be empty if the verdict is "same"."""

    name: str
    verdict: Verdict
    why: str
    tests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    title: str
    source: str
    counterparts: tuple[Counterpart, ...]


def same(name: str, *tests: str, why: str = "") -> Counterpart:
    return Counterpart(name, "same", why, tests)


def better(name: str, why: str, *tests: str) -> Counterpart:
    return Counterpart(name, "better", why, tests)


def limit(name: str, why: str, *tests: str) -> Counterpart:
    return Counterpart(name, "limit", why, tests)


def never(name: str, why: str, *tests: str) -> Counterpart:
    return Counterpart(name, "not applicable", why, tests)
