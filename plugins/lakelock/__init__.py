"""Bounded ranges of Kafka topics into lakehouse tables, each record exactly once."""

__version__ = "0.2.0"
PROTOCOL_VERSION = 1
