"""One decoder under a fuzzer, which follows the coverage of the decoder's Python code: `campaigns.fuzz` starts it."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["lakelock.records"]):
    from campaigns.fuzz_targets import TARGETS, check


def main(name: str, options: list[str]) -> None:
    target = TARGETS[name]
    atheris.Setup([sys.argv[0], *options], lambda data: check(target, data))
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
