"""Runs random tests: `python -m differential --minutes 10`, in tests/."""

import sys

from .run import main

sys.exit(main())
