"""`python -m lakelock.cli`, for an image without `bin/`."""

from __future__ import annotations

import sys

from lakelock.cli.main import main

sys.exit(main())
