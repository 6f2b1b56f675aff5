"""Writes docs/conversions.md."""

from __future__ import annotations

from campaigns.result import Result
from kits.conversion_cases import CONVERSIONS
from kits.record_cases import RECORDS

from conversions.page import PAGE, page

if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{PAGE} is written")
    shown = len(CONVERSIONS) + len(RECORDS)
    print(Result(shown, shown, "conversions").line)
