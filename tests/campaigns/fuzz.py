"""Fuzzes the decoder of each format: no input crashes it, hangs it, takes more memory, or is settled in two ways.

    python -m campaigns.fuzz --minutes 5

`PYTHONPATH=plugins:bin:tests` is what it needs. Inputs that a decoder fails on are printed, and kept in a folder.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from campaigns import markdown
from campaigns.draw import seed
from campaigns.fuzz_targets import TARGETS, seeds
from campaigns.result import Result

# Some ten times what a block of such inputs takes, and the time that the largest may take beside other work.
MEMORY_MIB, TIMEOUT_S = 1024, 30
# Room for more levels of nesting than a decoder takes.
MOST_BYTES = 24_000
SEEDS = 200
_EXECUTED = re.compile(r"stat::number_of_executed_units:\s*(\d+)")
_COVERED = re.compile(r"\bcov: (\d+)")


@dataclass(frozen=True)
class Fuzzed:
    """*failures* are the inputs that the decoder failed on; *text* is the fuzzer's output."""

    name: str
    inputs: int
    covered: int
    failures: tuple[Path, ...]
    code: int
    text: str

    @property
    def well(self) -> bool:
        return self.code == 0 and not self.failures and self.inputs > 0


def fuzz(name: str, seconds: int, folder: Path) -> Fuzzed:
    """Fuzz the decoder *name* for some time; *folder* keeps what it fails on."""
    random = Random(f"{seed().number} {name}")
    kept = folder / name.replace(" ", "-")
    kept.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="lakelock-fuzz-") as corpus:
        for n, data in enumerate(seeds(TARGETS[name], random, SEEDS)):
            Path(corpus, str(n)).write_bytes(data)
        options = [
            f"-max_total_time={seconds}", f"-timeout={TIMEOUT_S}", f"-rss_limit_mb={MEMORY_MIB}", f"-max_len={MOST_BYTES}",
            f"-seed={random.randrange(1, 2**31)}", f"-artifact_prefix={kept}/", "-print_final_stats=1", corpus,
        ]  # fmt: skip
        command = [sys.executable, "-m", "campaigns.fuzz_child", name, *options]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    text = done.stdout.decode(errors="replace")
    return Fuzzed(
        name,
        sum(map(int, _EXECUTED.findall(text))),
        max(map(int, _COVERED.findall(text)), default=0),
        tuple(sorted(kept.iterdir())),
        done.returncode,
        text,
    )


def report(fuzzed: Sequence[Fuzzed]) -> Iterator[str]:
    for one in fuzzed:
        if not one.well:
            yield "\n".join([f"FAILED {one.name}, exit {one.code}", *one.text.splitlines()[-30:]])
            yield from (f"{path}: {path.read_bytes()[:2000]!r}" for path in one.failures)
    rows = ((f.name, f"{f.inputs:,}", str(f.covered), str(len(f.failures))) for f in fuzzed)
    yield "\n".join(["", *markdown.table(("decoder", "inputs", "places covered", "failures"), rows)])
    total, failed = sum(f.inputs for f in fuzzed), sum(not f.well for f in fuzzed)
    yield Result(total, None, f"inputs for {len(fuzzed)} decoders", {"violated": failed}).line


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=2.0, help="for all decoders together")
    parser.add_argument("--only", choices=list(TARGETS), help="one decoder")
    chosen = parser.parse_args(arguments)
    names = [chosen.only] if chosen.only else list(TARGETS)
    folder = Path(tempfile.mkdtemp(prefix="lakelock-fuzz-failures-"))
    fuzzed = [fuzz(name, max(1, round(chosen.minutes * 60 / len(names))), folder) for name in names]
    print("\n".join(report(fuzzed)))
    return 0 if all(f.well for f in fuzzed) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
