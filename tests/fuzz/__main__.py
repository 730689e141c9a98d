"""Runs the fuzz targets: `python -m fuzz --minutes 10`, in tests/."""

import sys

from .run import main

sys.exit(main())
