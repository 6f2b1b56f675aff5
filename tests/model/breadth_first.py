"""Breadth first through every order of steps, to the first state that breaks a rule: the shortest way."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

_Rule = TypeVar("_Rule")
_State = TypeVar("_State", bound=Hashable)


class Broken(Exception):
    """A state or a step breaks a rule; *story* says how, after the way to the state."""

    def __init__(self, wrong: str, story: Sequence[str] = ()) -> None:
        super().__init__(wrong)
        self.wrong, self.story = wrong, story


@dataclass
class Result:
    """What a search found: *trace* leads to the fault, empty if there is none; *whole* if nothing was left out."""

    name: str
    states: int = 0
    whole: bool = True
    cpu_s: float = 0.0
    wrong: str | None = None
    trace: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        lines = [f"{i:4d}. {line}" for i, line in enumerate(self.trace, 1)]
        return "\n".join([f"{self.name}: {self.wrong or 'clean'}", *lines])


def search(
    name: str,
    first: _State,
    steps: Callable[[_State], Iterable[tuple[str, _State]]],
    most: int,
    key: Callable[[_State], Hashable] = lambda state: state,
) -> Result:
    """Search from *first*. *steps* raises Broken; *key* is what is kept of each of at most *most* states."""
    began, result = time.process_time(), Result(name)
    seen: dict[Hashable, tuple[Hashable, str] | None] = {key(first): None}
    todo = deque([first])
    while todo and result.wrong is None:
        if len(seen) > most:
            result.whole = False
            break
        state = todo.popleft()
        came = key(state)
        try:
            for line, after in steps(state):
                at = key(after)
                if at not in seen:
                    seen[at] = (came, line)
                    todo.append(after)
        except Broken as found:
            result.wrong, result.trace = found.wrong, [*_way(seen, came), *found.story]
    result.states, result.cpu_s = len(seen), time.process_time() - began
    return result


def _way(seen: dict[Hashable, tuple[Hashable, str] | None], at: Hashable) -> list[str]:
    way = []
    while (step := seen[at]) is not None:
        at, line = step
        way.append(line)
    return way[::-1]


class Answers(Generic[_Rule]):
    """What decides without the rules *removed*; answers are remembered."""

    def __init__(self, removed: frozenset[_Rule]) -> None:
        self.removed = removed
        self._memo: dict[object, Any] = {}

    def has(self, rule: _Rule) -> bool:
        return rule not in self.removed

    def remembered(self, key: tuple[object, ...], make: Callable[[], Any]) -> Any:
        found = self._memo.get(key, self)
        if found is self:
            found = self._memo[key] = make()
        return found
