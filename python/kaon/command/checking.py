"""The commands that check and measure files."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from kaon.command.arguments import positive, size_of_memory
from kaon.command.json_output import print_json
from kaon.terminal import complain


def adders() -> dict[str, Callable[[Any], None]]:
    """Return for each command the function that adds its parser."""
    return {"verify": _add_verify, "size": _add_size, "advise": _add_advise}


def _add_verify(commands: Any) -> None:
    verify = commands.add_parser("verify", help="check every byte of files")
    verify.add_argument("files", metavar="FILE", nargs="+")
    verify.add_argument("--json", action="store_true", help="print JSON")
    verify.set_defaults(run=_verify)


def _add_size(commands: Any) -> None:
    size = commands.add_parser("size", help="show which columns take the bytes of a file")
    size.add_argument("file", metavar="FILE")
    size.add_argument("--top", type=positive, metavar="N", help="show only the N largest columns")
    size.add_argument(
        "--precision",
        action="store_true",
        help="measure the savings of rounding floating-point numbers",
    )
    size.add_argument("--json", action="store_true", help="print JSON")
    size.set_defaults(run=_size)


def _add_advise(commands: Any) -> None:
    advise = commands.add_parser(
        "advise",
        help="find the best layout, codec and sizes by trials, and the savings of rounding",
        description="Writes a sample of entries to temporary files in many ways, and times reads.",
    )
    advise.add_argument("file", metavar="FILE[:CATEGORY]")
    advise.add_argument(
        "--read",
        action="append",
        metavar="NAME",
        help="time reads of this column, in all entries (default: all columns)",
    )
    advise.add_argument(
        "--trace", metavar="RECORD", help="time reads that kaon.record_reads() recorded"
    )
    advise.add_argument(
        "--goal",
        choices=("size", "balance", "speed"),
        default="balance",
        help="weight of size against time (default: balance)",
    )
    advise.add_argument(
        "--sample",
        type=size_of_memory,
        default=64_000_000,
        metavar="SIZE",
        help="memory of the sample (default: 64MB)",
    )
    advise.add_argument(
        "--storage",
        type=size_of_memory,
        default=500_000_000,
        metavar="SIZE",
        help="bytes that the file's storage delivers in a second (default: 500MB)",
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
            complain(f"kaon: {error}")  # and continue with the other files
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
        advice = advise(category, reads, options.goal, options.sample, options.storage, progress)
    if options.json:
        print_json(advice.to_dict())
    else:
        advice.print()
    return 0
