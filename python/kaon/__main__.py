"""``python -m kaon`` is the command ``kaon``."""

import sys

from kaon.cli import main

sys.exit(main())
