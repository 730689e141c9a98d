"""Attacks kaon: `python -m torture --minutes 10`, in tests/."""

import sys

from .run import main

sys.exit(main())
