"""Machine code from LLVM's text: compiled in memory, in milliseconds, so nothing of it is kept.

A compiler for Python, as numba is, would take 0.4 s of every process, even where it finds its own machine code kept.
"""

from __future__ import annotations

import platform
import sys
from functools import cache
from importlib import resources
from typing import Any

from lakelock.errors import ConnectionFault, State


def compiled(package: str, name: str, *, for_host: bool = False) -> Any:
    """The engine with the functions of *package*'s file *name*, for this machine; callers keep it while they use them.

    *for_host*: with all instructions of this processor, which vectors need; a loop over bytes gains nothing from them.

    Raises ConnectionFault without the package llvmlite.
    """
    llvm = _llvm()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    host = {"cpu": llvm.get_host_cpu_name(), "features": llvm.get_host_cpu_features().flatten()} if for_host else {}
    machine = llvm.Target.from_default_triple().create_target_machine(opt=2, **host)
    module = llvm.parse_assembly(resources.files(package).joinpath(name).read_text("utf-8"))
    module.triple, module.data_layout = llvm.get_default_triple(), str(machine.target_data)
    module.verify()
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return engine


@cache
def has_instructions(name: str) -> bool:
    """Whether this processor has the extension of the x86 instruction set that LLVM calls *name*.

    Raises ConnectionFault without the package llvmlite.
    """
    return platform.machine() in ("x86_64", "AMD64") and bool(_llvm().get_host_cpu_features().get(name))


def _llvm() -> Any:
    try:
        # Some 40 ms, which only reading pays.
        import llvmlite.binding as llvm
    except ImportError as fault:
        raise ConnectionFault(
            f"lakelock cannot read records: the Python at {sys.executable} has no llvmlite ({fault}).",
            State.NOTHING_CHANGED,
            "Install the packages that docs/connections.md names in the Python of Spark's workers.",
        ) from fault
    return llvm
