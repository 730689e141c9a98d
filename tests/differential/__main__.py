"""Runs random tests: `python -m differential --minutes 10`, in tests/."""

import sys

from .run import main

if __name__ == "__main__":  # other processes import it, too
    sys.exit(main())
