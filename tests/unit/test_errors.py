"""Errors have fields: what happened, what state things are in, what to do."""

from __future__ import annotations

import inspect
import json
import pickle

import pytest
from lakelock import errors
from lakelock.errors import LakelockError, Retryable, State, from_fields

KINDS = [c for c in vars(errors).values() if inspect.isclass(c) and issubclass(c, LakelockError)]
GIVEN = [
    (("It failed.",), "It failed."),
    (("It failed.", State.NOTHING_CHANGED), "It failed. Nothing was changed."),
    (("It failed.", State.STAGED_KEPT, "Look at ü."), "It failed. Staged files are kept. Look at ü."),
    (("It failed.", None, "Look."), "It failed. Look."),
]


@pytest.mark.parametrize(("given", "text"), GIVEN)
@pytest.mark.parametrize("kind", KINDS)
def test_an_error_arrives_in_another_process_as_it_was(
    kind: type[LakelockError], given: tuple[str, State | None, str], text: str
) -> None:
    raised = kind(*given)
    for error in (pickle.loads(pickle.dumps(raised)), from_fields(json.loads(json.dumps(raised.fields)))):
        assert type(error) is kind
        assert str(error) == text
        assert (error.what, error.state, error.do) == (raised.what, raised.state, raised.do)


def test_an_error_of_another_release_may_be_tried_again() -> None:
    fields = {"kind": "NotOfHere", "what": "It failed.", "state": "", "do": ""}
    assert type(from_fields(fields)) is Retryable
    assert type(from_fields(fields | {"kind": "State"})) is Retryable


@pytest.mark.parametrize("state", State)
def test_each_state_is_one_sentence(state: State) -> None:
    assert state.value[0].isupper()
    assert state.value.count(".") == 1
    assert state.value.endswith(".")
