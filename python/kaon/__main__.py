"""``python -m kaon`` is the command ``kaon``."""

import os
import signal
from typing import NoReturn


def main() -> NoReturn:
    """Run the command of the process's arguments, and end the process."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # ends it, not the import that it meets
    # No command multiplies matrices, and threads for it make the import of NumPy twice as long.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from kaon.command.cli import main
    from kaon.command.interruption import leave

    leave(main())


if __name__ == "__main__":
    main()
