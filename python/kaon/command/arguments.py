"""Options that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, TypeVar

from kaon.files.memory_sizes import size_in_bytes

T = TypeVar("T")


def positive(text: str) -> int:
    """Return a whole number above 0."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"expected a number above 0, not '{text}'")
    return int(text)


def size_of_memory(text: str) -> int:
    """Return the bytes of a size such as 64KB."""
    size = size_in_bytes(text)
    if not size or size < 1:
        raise argparse.ArgumentTypeError(f"expected a size such as 64KB, not '{text}'")
    return int(size)


def add_bad_file_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for bad files among several."""
    parser.add_argument(
        "--on-bad-file",
        choices=["raise", "skip", "report"],
        default="raise",
        help="for files that cannot be opened, or lack the category or its columns: stop, leave "
        "them out with a warning, or list them at the end (default: raise)",
    )


def add_layout_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that `layout_options` reads."""
    repeated: dict[str, Any] = {"action": "append", "default": []}
    parser.add_argument(
        "--layout",
        **repeated,
        metavar="[NAME=]LAYOUT",
        help="split, row or member: for all collections, or for NAME",
    )
    parser.add_argument(
        "--codec",
        default="zstd",
        metavar="CODEC[:LEVEL]",
        help="zstd, lz4, zlib, lzma or none, such as zstd:9",
    )
    parser.add_argument(
        "--flush",
        type=_flush,
        default={},
        metavar="SIZE|N",
        help="size of a cluster: decoded bytes, such as 16MB, or a number of entries",
    )
    parser.add_argument(
        "--page", type=size_of_memory, metavar="SIZE", help="decoded bytes of a page, such as 64KB"
    )
    parser.add_argument(
        "--group",
        **repeated,
        type=_named(str),
        metavar="NAME=LABEL",
        help="store collections with the same label together",
    )
    parser.add_argument(
        "--encoding",
        **repeated,
        type=_named(str),
        metavar="COLUMN=ENCODING",
        help="force the encoding of a column",
    )
    parser.add_argument(
        "--goal",
        default="balance",
        metavar="size|balance|speed",
        help="prefer smaller or faster encodings (default: balance)",
    )
    parser.set_defaults(precision=[], tag=[], key=[])


def add_value_options(parser: argparse.ArgumentParser) -> None:
    """Add further options of `layout_options`, for commands that can change values."""
    repeated: dict[str, Any] = {"action": "append", "default": []}
    parser.add_argument(
        "--precision",
        **repeated,
        type=_named(_precision),
        metavar="MEMBER=BITS|LOW:HIGH:BITS",
        help="keep BITS of the mantissa, or BITS for a range",
    )
    parser.add_argument("--tag", **repeated, metavar="NAME", help="store this value as a tag")
    parser.add_argument("--key", **repeated, metavar="NAME", help="find events by this value")


def layout_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options as arguments of `kaon.convert`."""
    storage: dict[str, dict[str, Any]] = {}
    arguments: dict[str, Any] = {"codec": options.codec, **options.flush, "storage": storage}
    for text in options.layout:
        name, _, layout = text.rpartition("=")
        if name:
            storage.setdefault(name, {})["layout"] = layout
        else:
            arguments["layout"] = layout
    for name, label in options.group:
        storage.setdefault(name, {})["group"] = label
    for name, precision in options.precision:
        collection, _, member = name.partition(".")
        storage.setdefault(collection, {}).setdefault("precision", {})[member] = precision
    if options.page is not None:
        arguments["page_bytes"] = options.page
    return {
        **arguments,
        "encodings": dict(options.encoding),
        "goal": options.goal,
        "tags": options.tag,
        "keys": options.key,
    }


def _named(parse: Callable[[str], T]) -> Callable[[str], tuple[str, T]]:
    def pair(text: str) -> tuple[str, T]:
        name, equals, value = text.rpartition("=")
        if not (name and equals and value):
            raise argparse.ArgumentTypeError(f"expected NAME=VALUE, not '{text}'")
        return name, parse(value)

    return pair


def _flush(text: str) -> dict[str, int]:
    if text.isdecimal():
        return {"cluster_entries": positive(text)}
    return {"cluster_bytes": size_of_memory(text)}


def _precision(text: str) -> int | dict[str, float]:
    parts = text.split(":")
    try:
        if len(parts) == 1:
            return int(text)
        low, high, bits = parts
        return {"low": float(low), "high": float(high), "bits": int(bits)}
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"expected BITS or LOW:HIGH:BITS, such as 10 or -5:5:12, not '{text}'"
        ) from None
