"""Pipeline files: the model, and loading with every fault reported at once."""

from lakelock.config.column_sections import ColumnSettings
from lakelock.config.columns import columns_text, table_text
from lakelock.config.loading import BrokenPipeline, load_folder, load_pipeline
from lakelock.config.model import Pipeline, PipelineFile
from lakelock.config.table_sections import Table

__all__ = [
    "BrokenPipeline",
    "ColumnSettings",
    "Pipeline",
    "PipelineFile",
    "Table",
    "columns_text",
    "load_folder",
    "load_pipeline",
    "table_text",
]
