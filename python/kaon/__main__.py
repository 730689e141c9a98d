"""``python -m kaon`` is the command ``kaon``."""

import signal
import sys


def main() -> int:
    """Run the command of the process's arguments; return what it exits with."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # ends it, not the import that it meets
    from kaon.command.cli import main

    return main()


if __name__ == "__main__":
    sys.exit(main())
