"""Make the LLVM text of each C source."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from lakelock import adapters

SOURCES = sorted(Path(next(iter(adapters.__path__))).rglob("*.c"))
# Unrolled and vectorised loops would make the text ten times as long, for nothing: fields are short.
OPTIONS = [
    *("-target", "x86_64-linux-gnu", "-mcpu=baseline", "-O2", "-g0", "-ffreestanding", "-fno-strict-aliasing"),
    *("-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", "-fno-stack-protector", "-fno-sanitize=all"),
    *("-fno-asynchronous-unwind-tables", "-fno-ident", "-Wall", "-Werror", "-Wno-unused-command-line-argument"),
]
# Hints of this machine, and those that only a newer LLVM reads. The code means the same without them.
_HINTS = (
    r"^(source_filename|target|attributes|!|; ModuleID|; Function Attrs).*\n",
    r"^  (tail )?call void @llvm\.(lifetime|experimental\.noalias)\..*\n",
    r"^declare .*@llvm\.(lifetime|experimental\.noalias)\..*\n",
    r" #\d+",
    r", !(llvm\.loop|alias\.scope|noalias) !\d+",
    r"\b(captures|range|memory|dereferenceable)\([^()]*\) ?",
    r"\b(noundef|nonnull|readonly|writeonly|local_unnamed_addr|unnamed_addr|dso_local|mustprogress|samesign|nneg|nuw|nsw) ?",
    r"\b(exact|disjoint|tail) (?=\S)",
)


def digest(source: Path) -> str:
    """Of the file and those it includes."""
    text = source.read_bytes()
    included = [
        source.with_name(name.decode()).read_bytes() for name in re.findall(rb'^#include "(.+)"$', text, re.MULTILINE)
    ]
    return hashlib.sha256(b"".join([text, *included])).hexdigest()


def made(source: Path) -> str:
    with tempfile.TemporaryDirectory() as folder:
        to = Path(folder) / "out.ll"
        command = [sys.executable, "-m", "ziglang", "cc", *OPTIONS, "-S", "-emit-llvm", str(source), "-o", str(to)]
        subprocess.run(command, check=True)
        text = to.read_text()
    for hint in _HINTS:
        text = re.sub(hint, "", text, flags=re.MULTILINE)
    text = re.sub(r"\n{3,}", "\n\n", text).strip()
    return f"; Made of {source.name} by `python -m native`; SHA-256 of that file and what it includes:\n; {digest(source)}\n\n{text}\n"


if __name__ == "__main__":
    for source in SOURCES:
        source.with_suffix(".ll").write_text(made(source), "utf-8")
        print(source.with_suffix(".ll"))
