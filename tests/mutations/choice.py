"""Which guards a run breaks: those of files that changed, and a few of the others that the commit draws."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from campaigns.draw import Seed, reported

from mutations.mutation import Mutation

PRODUCT = "plugins/lakelock/"
# At most so many of the changed files, and so many of the others: two to six seconds each.
CHANGED, OTHERS = 4, 1


def about(mutation: Mutation, changed: Collection[str]) -> bool:
    """Whether its guard or the test that must notice is in one of the files."""
    return PRODUCT + mutation.file in changed or mutation.test.partition("::")[0] in changed


def chosen(mutations: Sequence[Mutation], changed: Collection[str], seed: Seed) -> list[Mutation]:
    """Of those that need no server, in the order of the catalogue; prints which share that is."""
    quick = [m for m in mutations if m.quick]
    touched = [m for m in quick if about(m, changed)]
    others = [m for m in quick if not about(m, changed)]
    chance = seed.chance("guards")
    taken = chance.sample(touched, min(CHANGED, len(touched)))
    more = chance.sample(others, min(OTHERS, len(others)))
    print(reported("guards in files that changed", len(taken), len(touched), seed))
    print(reported("guards in other files", len(more), len(others), seed))
    return [m for m in quick if m in taken or m in more]
