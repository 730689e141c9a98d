"""``python -m kaon`` is the command ``kaon``."""

import sys

from kaon.command.cli import main

sys.exit(main())
