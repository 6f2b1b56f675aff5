"""The base of every section of a pipeline file."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

ConnId = Annotated[str, Field(min_length=1)]


class Section(BaseModel):
    """A part of a pipeline file: immutable, and unknown keys are faults."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)
