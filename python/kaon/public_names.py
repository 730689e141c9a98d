"""Public names, each stated once: in the stub beside its module, as SPEC 1 recommends.

Type checkers and editors read the stub. kaon reads it, too, and imports each name on first use, so
that ``import kaon`` is fast. SPEC 1 is Scientific Python's recommendation for lazy imports.
"""

import ast
import sys
from collections.abc import Callable
from importlib import import_module


def public_names(
    module: str,
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """Return the functions `__getattr__` and `__dir__` of a module, and its list `__all__`.

    Parameters
    ----------
    module
        The name of the module. Its stub has lines ``from origin import name as public_name``.
        Names from the module itself are its submodules. They are not in `__all__`: with
        ``from kaon import *``, a program keeps its own `dask` and `polars`.
    """
    path = sys.modules[module].__file__
    assert path is not None, "modules with a stub are files"
    with open(path.rpartition(".")[0] + ".pyi", encoding="utf-8") as stub:
        statements = ast.parse(stub.read()).body
    origins = {
        str(alias.asname): (str(statement.module), alias.name)
        for statement in statements
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }
    own = sorted(name for name, (origin, _) in origins.items() if origin != module)

    def attribute(name: str) -> object:
        if name not in origins:
            message = f"module '{module}' has no attribute '{name}'"
            raise AttributeError(message, name=name, obj=sys.modules[module])
        origin, original = origins[name]
        if origin == module:
            return import_module(f"{module}.{original}")
        value = getattr(import_module(origin), original)
        setattr(sys.modules[module], name, value)  # later uses find it without this function
        return value

    return attribute, lambda: sorted(origins), own
