"""Texts on terminals, which obey control characters in names and texts of files."""

from __future__ import annotations

import sys
from typing import TextIO

from kaon.modelgen.mistakes import printable


def say(*lines: str, end: str = "\n", file: TextIO | None = None) -> None:
    r"""Print lines, with control characters written as `\x1b`; commands and tables print so.

    Texts may have line ends of their own. Names from files go through `printable` before, so that
    they cannot begin lines.
    """
    text = "\n".join("\n".join(map(printable, line.split("\n"))) for line in lines)
    print(text, end=end, file=file)


def complain(*lines: str) -> None:
    """Print lines on the standard error output."""
    say(*lines, file=sys.stderr)
