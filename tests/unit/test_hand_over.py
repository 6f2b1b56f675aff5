"""Objects on their way from one process to another through anonymous memory."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from lakelock.adapters.spark.hand_over import HandOver, _memories, taken

TABLE = pa.table({"a": pa.array(range(100_000)), "t": pa.array([f"text {n}" for n in range(100_000)])})
BLOCK: dict[str, Any] = {"numbers": np.arange(50_000), "table": TABLE, "none": None}


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def same(found: dict[str, Any]) -> None:
    assert found["numbers"].tolist() == BLOCK["numbers"].tolist()
    assert found["table"].equals(TABLE)
    assert found["none"] is None


def test_objects_are_taken_as_they_were_put() -> None:
    hand_over = HandOver()
    references = [hand_over.put(BLOCK) for _ in range(3)]
    assert all(len(r) < 10_000 for r in references)
    for reference in reversed(references):
        same(taken(reference))


def test_small_objects_need_no_memory_of_their_own() -> None:
    before = open_descriptors()
    assert taken(HandOver().put({"slice": 1, "text": "a"})) == {"slice": 1, "text": "a"}
    assert open_descriptors() <= before


def test_another_process_takes_them() -> None:
    reference = HandOver().put(BLOCK)
    program = (
        "import sys; from lakelock.adapters.spark.hand_over import taken; "
        "found = taken(sys.stdin.buffer.read()); print(found['numbers'].sum(), found['table'].num_rows)"
    )
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", program], input=reference, capture_output=True, check=True, env=env)
    assert done.stdout.decode().split() == [str(BLOCK["numbers"].sum()), "100000"]
    assert all(memory.is_taken for memory in _memories)


def test_memory_of_what_was_taken_is_used_again() -> None:
    taken(HandOver().put(BLOCK))
    before = open_descriptors()
    for _ in range(5):
        hand_over = HandOver()
        for _ in range(4):
            same(taken(hand_over.put(BLOCK)))
    assert open_descriptors() == before


def test_memory_shrinks_to_a_smaller_object() -> None:
    hand_over = HandOver()
    taken(hand_over.put({"numbers": np.arange(1_000_000)}))
    small = {"numbers": np.arange(10)}
    assert taken(hand_over.put(small))["numbers"].tolist() == list(range(10))
    assert sorted(os.fstat(m.descriptor).st_size for m in _memories)[0] < 1_000


def test_what_is_never_taken_is_forgotten_with_the_task_after_the_next() -> None:
    reference = HandOver().put(BLOCK)
    between = HandOver().put(BLOCK)
    same(taken(between))
    later = HandOver()
    others = [later.put(BLOCK) for _ in range(3)]
    with pytest.raises(FileNotFoundError):
        taken(reference)
    for other in others:
        same(taken(other))


def test_an_object_is_taken_once() -> None:
    reference = HandOver().put(BLOCK)
    taken(reference)
    with pytest.raises(FileNotFoundError):
        taken(reference)


@pytest.fixture(autouse=True)
def no_memories() -> Iterator[None]:
    """Each test begins as a process of its own would."""
    yield
    while _memories:
        os.close(_memories.pop().descriptor)
