"""The Spark driver of one job of `lakelock.app.jobs`: `spark-submit … write_batch.py FOLDER`, with lakelock in `--py-files`.

FOLDER holds the hand-off, which is deleted as soon as it is read, and receives the outcome.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
from pathlib import Path

from lakelock.adapters.spark.submit import HAND_OFF, OUTCOME, classic_session, die_with_parent
from lakelock.errors import LakelockError


def main(folder: Path) -> int:
    die_with_parent(signal.SIGKILL)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s", stream=sys.stdout)
    hand_off = json.loads((folder / HAND_OFF).read_text())
    (folder / HAND_OFF).unlink()
    try:
        from lakelock.app.driver import run_submitted

        with classic_session() as session:
            outcome = {"line": run_submitted(hand_off, session)}
    except LakelockError as error:
        outcome = {"fault": error.fields}
    # Written whole or not at all if this process is killed now.
    unfinished = folder / (OUTCOME + ".unfinished")
    unfinished.write_text(json.dumps(outcome))
    os.replace(unfinished, folder / OUTCOME)
    return 0 if "line" in outcome else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
