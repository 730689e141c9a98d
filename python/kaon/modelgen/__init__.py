"""The generator of kaon: a data model in YAML becomes C++ classes.

The grammar is podio's, read strictly: all mistakes of a model are reported at once, each with its
line and column.
"""

from kaon.public_names import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
