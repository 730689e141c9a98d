"""The generator of kaon: a data model in YAML becomes C++ classes.

The grammar is podio's, read strictly: all mistakes of a model are reported at once, each with its
line and column.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kaon.modelgen.files import generate
    from kaon.modelgen.mistakes import ModelError
    from kaon.modelgen.model import Model
    from kaon.modelgen.parse import load_model, model_of_entries
    from kaon.modelgen.yaml_text import to_yaml

__all__ = [
    "Model",
    "ModelError",
    "generate",
    "load_model",
    "model_of_entries",
    "to_yaml",
]

_MODULES = {
    "Model": "model",
    "ModelError": "mistakes",
    "generate": "files",
    "load_model": "parse",
    "model_of_entries": "parse",
    "to_yaml": "yaml_text",
}


def __getattr__(name: str) -> Any:
    """Import a name when it is first used: reading a file needs no YAML."""
    if name not in _MODULES:
        raise AttributeError(f"module 'kaon.modelgen' has no attribute '{name}'")
    value = getattr(import_module(f"kaon.modelgen.{_MODULES[name]}"), name)
    globals()[name] = value  # the next time it is found without this function
    return value
