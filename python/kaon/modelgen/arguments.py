"""Options of commands that read a model."""

from __future__ import annotations

import argparse


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that add to a model file."""
    parser.add_argument(
        "--upstream",
        action="append",
        default=[],
        metavar="NAME:FILE.yaml",
        help="a model whose types this one uses, generated under this name; may be repeated",
    )
    parser.add_argument(
        "--evolution-file",
        "--evolution_file",
        metavar="FILE.yaml",
        help="a file with further migrations",
    )
    parser.add_argument(
        "--outside-files",
        action="store_true",
        help="let models take extra code from files outside their folders",
    )


def add_generator_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a model, and those of the generator."""
    add_model_options(parser)
    parser.add_argument(
        "--datamodel-version",
        default="",
        metavar="VERSION",
        help="version of the data model, such as v1.2.3, to store in files",
    )
    parser.add_argument(
        "--list-ranges",
        action="store_true",
        help="give structs podio's members LIST_begin and LIST_end, for ROOT's RDataFrame",
    )
