"""Rows of a dead-letter table that a test writes itself."""

from __future__ import annotations

# What every such row has, whatever record it is of.
REQUIRED = {
    "stage": "decode",
    "kind": "not JSON",
    "reason": "not JSON",
    "format": "json",
    "batch_id": "b",
    "pipeline_version": "0123456789ab",
}
