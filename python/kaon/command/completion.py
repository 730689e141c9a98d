"""Scripts that let shells complete commands and options, made from the parser."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

SHELLS = ("bash", "zsh", "fish")


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the script of a shell, which completes commands, options and files."""
    commands = _commands(parser)
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](commands)


def _commands(parser: argparse.ArgumentParser) -> dict[str, tuple[str, Sequence[str]]]:
    """Return the commands, each with its help and options."""
    (actions,) = (
        action for action in parser._actions if isinstance(action, argparse._SubParsersAction)
    )
    helps = {choice.dest: choice.help or "" for choice in actions._choices_actions}
    return {
        name: (
            helps.get(name, ""),
            [text for each in command._actions for text in each.option_strings],
        )
        for name, command in actions.choices.items()
    }


def _bash(commands: Mapping[str, tuple[str, Sequence[str]]]) -> str:
    cases = "".join(
        f"    {name}) words='{' '.join(options)}' ;;\n" for name, (_, options) in commands.items()
    )
    return f"""_kaon() {{
  local words current=${{COMP_WORDS[COMP_CWORD]}}
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W '{" ".join(commands)}' -- "$current")
    return
  fi
  case ${{COMP_WORDS[1]}} in
{cases}  esac
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}}
complete -o filenames -F _kaon kaon
"""


def _zsh(commands: Mapping[str, tuple[str, Sequence[str]]]) -> str:
    described = "\n".join(f"    '{name}:{_plain(help_)}'" for name, (help_, _) in commands.items())
    cases = "".join(
        f"    {name}) compadd -- {' '.join(options)} ;;\n"
        for name, (_, options) in commands.items()
    )
    return f"""#compdef kaon
_kaon() {{
  local -a commands
  commands=(
{described}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  if [[ $words[CURRENT] != -* ]]; then
    _files
    return
  fi
  case $words[2] in
{cases}  esac
}}
compdef _kaon kaon
"""


def _fish(commands: Mapping[str, tuple[str, Sequence[str]]]) -> str:
    lines = []
    for name, (help_, options) in commands.items():
        lines.append(f"complete -c kaon -n __fish_use_subcommand -f -a {name} -d '{_plain(help_)}'")
        condition = f"'__fish_seen_subcommand_from {name}'"
        for option in options:
            kind = "-l" if option.startswith("--") else "-s"
            lines.append(f"complete -c kaon -n {condition} {kind} {option.lstrip('-')}")
    return "\n".join([*lines, ""])


def _plain(text: str) -> str:
    return text.replace("'", "’").replace(":", ",")
