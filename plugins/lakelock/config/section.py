"""The base of every section of a pipeline file."""

from __future__ import annotations

from typing import Annotated, Any, get_args

from pydantic import BaseModel, ConfigDict, Field

ConnId = Annotated[str, Field(min_length=1)]


class Section(BaseModel):
    """A part of a pipeline file: immutable, and unknown keys are faults."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


def section_in(annotation: Any) -> type[Section] | None:
    """The section that a field of this type has, be it in a list or a map."""
    if isinstance(annotation, type) and issubclass(annotation, Section):
        return annotation
    return next((found for a in get_args(annotation) if (found := section_in(a))), None)
