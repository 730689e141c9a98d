"""The commands that judge files."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from kaon.command.json_output import print_json


def add_commands(commands: Any) -> None:
    """Add them to the parser's subcommands."""
    from kaon.command.arguments import positive

    verify = commands.add_parser("verify", help="check every byte of files")
    verify.add_argument("files", metavar="FILE", nargs="+")
    verify.add_argument("--json", action="store_true", help="print JSON")
    verify.set_defaults(run=_verify)

    size = commands.add_parser("size", help="tell what takes the bytes of a file")
    size.add_argument("file", metavar="FILE")
    size.add_argument("--top", type=positive, metavar="N", help="the N largest columns only")
    size.add_argument(
        "--precision", action="store_true", help="try what rounding floating-point numbers saves"
    )
    size.add_argument("--json", action="store_true", help="print JSON")
    size.set_defaults(run=_size)


def _verify(options: argparse.Namespace) -> int:
    from kaon.command.progress import progress_bar
    from kaon.errors import Error
    from kaon.files.verification import verify

    results = []
    failed = False
    for path in options.files:
        try:
            with progress_bar(path) as progress:
                results.append(verify(path, progress))
        except (Error, OSError) as error:
            print(f"kaon: {error}", file=sys.stderr)  # and go on to the others
            failed = True
            continue
        if not options.json:
            results[-1].print()
    if options.json:
        print_json([result.to_dict() for result in results])
    return 0 if not failed and all(result.is_sound for result in results) else 1


def _size(options: argparse.Namespace) -> int:
    from kaon.command.progress import progress_bar
    from kaon.files.sizes import size_of

    with progress_bar(options.file) as progress:
        size = size_of(options.file, options.precision, progress)
    if options.json:
        print_json(size.to_dict())
    else:
        size.print(options.top)
    return 0
