"""Writes docs/proofs/scenarios.md."""

from __future__ import annotations

from campaigns.result import Result

from scenarios.page import PAGE, SCENARIOS, page

if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    shown = sum(bool(s.tests) for s in SCENARIOS)
    print(f"{PAGE} is written")
    print(Result(len(SCENARIOS), len(SCENARIOS), f"scenarios, {shown} shown by tests").line)
