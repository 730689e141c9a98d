"""The command ``kaon``: its subcommands call the library."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn

from kaon.command.interruption import notice_interruption, run_interruptibly
from kaon.terminal import complain


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments
        The arguments of the command; by default those of the process.

    Returns
    -------
    int
        0 on success, 1 after an error, whose message is on the standard error output.
        Wrong usage exits at once with 2, Ctrl-C with 130.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    options = _parser(given[0] if given else "").parse_args(given)
    from kaon.errors import IncompleteFileWarning  # --help is fast without this import

    with warnings.catch_warnings():
        warnings.simplefilter("always", IncompleteFileWarning)
        warnings.showwarning = _show_warning
        if getattr(options, "is_interactive", False):  # it handles Ctrl-C and the terminal itself
            notice_interruption()
            return _run(options)
        return run_interruptibly(lambda: _run(options), getattr(options, "output", None))


def _run(options: argparse.Namespace) -> int:
    from kaon.errors import Error

    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as `head`, has ended
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (Error, OSError, MemoryError) as error:
        complain(f"kaon: {error or 'not enough memory'}")
        return 1
    except ImportError as error:
        if error.__cause__ is None:  # kaon needs the package that is missing
            raise
        complain(f"kaon: {error}")
        return 1
    return status


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    from kaon.modelgen.mistakes import printable_message

    complain(f"kaon: warning: {printable_message(str(message))}")


class _Parser(argparse.ArgumentParser):
    """A parser that suggests the nearest name for an unknown command or option.

    Options may stand anywhere: ``kaon head FILE -n 3 NAME``.
    """

    _is_mixing = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if self._subparsers is not None or self._is_mixing:
            return super().parse_known_args(args, namespace)
        self._is_mixing = True
        try:
            known, others = self.parse_known_intermixed_args(args, namespace)
        finally:
            self._is_mixing = False
        if others:
            self._fail_for(others[0])
        return known, others

    def _fail_for(self, argument: str) -> NoReturn:
        """Exit with the usage of this command, not with that of `kaon`."""
        if not argument.startswith("-"):
            self.error(f"unexpected argument '{argument}'")
        from kaon import _core

        option = argument.partition("=")[0]
        hint = _core.suggestion(option, [o for o in self._option_string_actions if len(o) > 2])
        self.error(f"there is no option '{option}'{hint}")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if isinstance(action, argparse._SubParsersAction) and value not in action.choices:
            raise argparse.ArgumentError(
                None, f"there is no command '{value}'{_hint(value, action)}"
            )
        super()._check_value(action, value)


_OTHER_NAMES = {
    "cat": "dump",
    "check": "verify",
    "hadd": "merge",
    "ls": "show",
    "relayout": "convert",
    "slim": "skim",
}
"""Names of other programs for the same commands."""


def _hint(name: str, commands: argparse._SubParsersAction[Any]) -> str:
    """Return a suggestion: the command of a similar name, or of this name in other programs."""
    if meant := _OTHER_NAMES.get(name):
        helps = {each.dest: each.help for each in commands._choices_actions}
        return f"; use '{meant}' to {helps[meant]}"
    from kaon import _core

    return f"{_core.suggestion(name, list(commands.choices))}; `kaon --help` lists them"


def _parser(command: str = "") -> argparse.ArgumentParser:
    """Return the parser of one command, which is faster, or of all if the name is unknown."""
    from kaon.command import checking, copying, looking, modelling

    subjects = (looking, copying, checking, modelling)
    adders = {name: add for subject in subjects for name, add in subject.adders().items()}
    adders["completion"] = _add_completion

    parser = _Parser(prog="kaon", description="Event data of particle physics.")
    parser.add_argument("--version", action="store_true", help="print the version and end")
    parser.set_defaults(run=lambda options: _version(parser, options))
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    for name in [command] if command in adders else adders:
        adders[name](commands)
    return parser


def _add_completion(commands: Any) -> None:
    completion = commands.add_parser(
        "completion",
        help="print a script that lets a shell complete commands and options",
        description='bash: eval "$(kaon completion bash)" in ~/.bashrc; '
        'zsh: eval "$(kaon completion zsh)" in ~/.zshrc; '
        "fish: kaon completion fish | source",
    )
    completion.add_argument("shell", choices=("bash", "zsh", "fish"))
    completion.set_defaults(run=_completion)


def _version(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    if not options.version:
        parser.error("name a command; `kaon --help` lists them")
    from kaon import _core

    print(f"kaon {_core.__version__}")
    return 0


def _completion(options: argparse.Namespace) -> int:
    from kaon.command.completion import script

    print(script(_parser(), options.shell), end="")
    return 0
