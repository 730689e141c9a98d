"""The commands that judge files."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any

from kaon.command.arguments import positive, size_of_memory
from kaon.command.json_output import print_json


def adders() -> dict[str, Callable[[Any], None]]:
    """Return what adds each of them to the parser's subcommands."""
    return {"verify": _add_verify, "size": _add_size, "advise": _add_advise}


def _add_verify(commands: Any) -> None:
    verify = commands.add_parser("verify", help="check every byte of files")
    verify.add_argument("files", metavar="FILE", nargs="+")
    verify.add_argument("--json", action="store_true", help="print JSON")
    verify.set_defaults(run=_verify)


def _add_size(commands: Any) -> None:
    size = commands.add_parser("size", help="tell what takes the bytes of a file")
    size.add_argument("file", metavar="FILE")
    size.add_argument("--top", type=positive, metavar="N", help="the N largest columns only")
    size.add_argument(
        "--precision", action="store_true", help="try what rounding floating-point numbers saves"
    )
    size.add_argument("--json", action="store_true", help="print JSON")
    size.set_defaults(run=_size)


def _add_advise(commands: Any) -> None:
    advise = commands.add_parser(
        "advise",
        help="try which layout, codec and sizes would serve, and what rounding would save",
        description="Writes some of the entries in many ways to temporary files, and reads them.",
    )
    advise.add_argument("file", metavar="FILE[:CATEGORY]")
    advise.add_argument(
        "--read",
        action="append",
        metavar="NAME",
        help="a column that is read, of all entries (default: all columns)",
    )
    advise.add_argument(
        "--trace", metavar="RECORD", help="what was read, as kaon.record_reads() writes it down"
    )
    advise.add_argument(
        "--favour",
        choices=("size", "balance", "speed"),
        default="balance",
        help="what counts more (default: balance)",
    )
    advise.add_argument(
        "--sample", type=size_of_memory, default=64_000_000, metavar="SIZE", help="(default: 64MB)"
    )
    advise.add_argument(
        "--storage",
        type=size_of_memory,
        default=500_000_000,
        metavar="SIZE",
        help="bytes that come in a second from where the file is to lie (default: 500MB)",
    )
    advise.add_argument("--json", action="store_true", help="print JSON")
    advise.set_defaults(run=_advise)


def _verify(options: argparse.Namespace) -> int:
    from kaon.errors import Error
    from kaon.files.verification import verify
    from kaon.progress import progress_bar

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
    from kaon.files.sizes import size_of
    from kaon.progress import progress_bar

    with progress_bar(options.file) as progress:
        size = size_of(options.file, options.precision, progress)
    if options.json:
        print_json(size.to_dict())
    else:
        size.print(options.top)
    return 0


def _advise(options: argparse.Namespace) -> int:
    from kaon.command.advice import advise
    from kaon.command.categories import chosen_category
    from kaon.command.trials import Read, recorded_reads
    from kaon.progress import progress_bar

    category = chosen_category(options.file)
    if options.trace:
        reads = recorded_reads(options.trace, category)
    else:
        reads = [Read(tuple(options.read or ()), len(category))]
    with progress_bar(options.file) as progress:
        advice = advise(category, reads, options.favour, options.sample, options.storage, progress)
    if options.json:
        print_json(advice.to_dict())
    else:
        advice.print()
    return 0
