"""The generator as a command: ``python -m kaon.modelgen MODEL.yaml -o DIR``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from kaon.modelgen.arguments import add_generator_options
from kaon.modelgen.files import check_name, generate, generated_files
from kaon.modelgen.mistakes import ModelError
from kaon.modelgen.parse import load_model


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the generator.

    Returns
    -------
    int
        0 on success, 1 if the model has mistakes. Wrong usage exits with 2.
    """
    parser = argparse.ArgumentParser(
        prog="python -m kaon.modelgen", description="Generate C++ classes from a data model."
    )
    parser.add_argument("model", metavar="MODEL.yaml", type=Path)
    parser.add_argument("-o", "--output", metavar="DIR", type=Path, required=True)
    parser.add_argument(
        "--name", help="name of the model and its folder in DIR (default: the file's name)"
    )
    add_generator_options(parser)
    parser.add_argument(
        "--list", action="store_true", help="only print the paths of the files to generate"
    )
    parser.add_argument(
        "--sources", action="store_true", help="only print the paths of the files to read"
    )
    args = parser.parse_args(arguments)
    name = args.model.stem if args.name is None else args.name
    try:
        check_name(name)
    except ValueError as error:
        parser.error(f"{error}: choose another name with --name")
    rest = (name, args.upstream, args.datamodel_version, args.evolution_file, args.outside_files)
    try:
        if args.list or args.sources:
            model = load_model(args.model, *rest)
            files = generated_files(model, args.output) if args.list else model.sources
            print(*(Path(file).absolute() for file in files), sep="\n")
        else:
            generate(args.model, args.output, *rest, list_ranges=args.list_ranges)
    except ModelError as error:
        print(error, file=sys.stderr)
        return 1
    except ValueError as error:
        parser.error(str(error))
    except OSError as error:
        parser.error(f"cannot write to {args.output}: {error}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
