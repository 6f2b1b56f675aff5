"""A batch whose settings no table can take is planned again with the file as it is by then."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import pytest
from kits.world import World
from lakelock.errors import TableUnfit
from lakelock.ingest.outcome import WriteOutcome
from pyiceberg.transforms import TruncateTransform
from pyiceberg.types import IntegerType

pytestmark = pytest.mark.drawn(0.5, about=("ingest/settings_of_batch", "ingest/write"))

UNFIT = "table_defaults: {columns: {nowhere: {type: string, field: note}}}\n"


def planned(world: World) -> str:
    with closing(world.runtime()) as runtime:
        batch_id = runtime.plan().batch_id
    assert batch_id is not None
    return batch_id


def written(world: World, batch_id: str) -> WriteOutcome:
    with closing(world.runtime()) as runtime:
        return runtime.write(str(uuid.uuid4()), "test", batch_id)


def ids(world: World) -> Sequence[Any]:
    found: Sequence[Any] = sorted(world.catalog.load_table(world.table).scan().to_arrow()["id"].to_pylist())
    return found


def test_a_batch_with_wrong_settings_is_written_after_the_file_is_fixed(near: World) -> None:
    near.produce(10)
    near.settings = UNFIT
    batch_id = planned(near)
    for _ in range(2):
        with pytest.raises(TableUnfit, match=r"'nowhere'.*the next run then plans these records again with it"):
            written(near, batch_id)
    near.settings = ""
    outcome = written(near, batch_id)
    assert outcome.goes_on
    assert "planned again with the pipeline file as it is now" in outcome.line
    again = planned(near)
    assert again != batch_id
    assert written(near, again).rows == 10
    with closing(near.runtime()) as runtime:
        near.commit(runtime)
        assert runtime.audit().complete
    assert ids(near) == list(range(30))


def test_settings_that_were_fixed_wrongly_stop_the_batch_again(near: World) -> None:
    near.produce(10)
    near.settings = UNFIT
    batch_id = planned(near)
    near.settings = UNFIT.replace("nowhere", "neither")
    assert written(near, batch_id).goes_on
    again = planned(near)
    with pytest.raises(TableUnfit, match="'neither'"):
        written(near, again)
    near.settings = ""
    assert written(near, again).goes_on
    near.run()
    assert ids(near) == list(range(30))


def test_a_batch_whose_settings_fit_keeps_them(near: World) -> None:
    near.produce(10)
    batch_id = planned(near)
    near.settings = UNFIT
    assert written(near, batch_id).rows == 10


def test_settings_that_only_a_task_finds_wrong_are_left_behind_as_well(near: World) -> None:
    """The table's partitions cannot hold the constant, which is known once its columns are filled."""
    near.catalog.load_table(near.table).update_schema().add_column("site", IntegerType()).commit()
    near.catalog.load_table(near.table).update_spec().add_field("site", TruncateTransform(10), "tens").commit()
    near.produce(10)
    near.settings = "table_defaults: {columns: {site: {type: int, constant: -2147483648}}}\n"
    batch_id = planned(near)
    with pytest.raises(TableUnfit, match="the next run then plans these records again with it"):
        written(near, batch_id)
    near.settings = ""
    assert written(near, batch_id).goes_on
    near.run()
    assert ids(near) == list(range(30))
