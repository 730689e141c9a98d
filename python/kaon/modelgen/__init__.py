"""The generator of kaon: a data model in YAML becomes C++ classes.

The grammar is podio's, read strictly: all mistakes of a model are reported at once, each with its
line and column.
"""

from kaon.modelgen.diff import Change, Effect, diff
from kaon.modelgen.files import generate
from kaon.modelgen.mistakes import ModelError
from kaon.modelgen.model import Model
from kaon.modelgen.parse import load_model
from kaon.modelgen.yaml_text import to_yaml

__all__ = ["Change", "Effect", "Model", "ModelError", "diff", "generate", "load_model", "to_yaml"]
