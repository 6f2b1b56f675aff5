"""A way to break a guard of the product, and the test that then fails."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutation:
    """In *file* (under plugins/lakelock) the text *old*, there once, becomes *new*; then *test* must fail.

    *invariant* as docs/guarantees.md names it. `quick` ones need no server.
    """

    invariant: str
    breaks: str
    file: str
    old: str
    new: str
    test: str

    @property
    def quick(self) -> bool:
        return self.test.startswith(("tests/unit/", "tests/interleavings/"))
