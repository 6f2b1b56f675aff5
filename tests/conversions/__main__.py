"""Writes docs/conversions.md, docs/transforms.md and docs/proofs/counterparts.md."""

from __future__ import annotations

from campaigns.result import Result
from kits.conversion_cases import CONVERSIONS
from kits.record_cases import RECORDS
from kits.transform_cases import RUN

from conversions import counterparts, page, transforms

if __name__ == "__main__":
    for module in (page, transforms, counterparts):
        module.PAGE.write_text(module.page(), encoding="utf-8")
        print(f"{module.PAGE} is written")
    shown = len(CONVERSIONS) + len(RECORDS) + len(RUN)
    print(Result(shown, shown, "conversions").line)
