"""Objects as mappings of their members."""

from __future__ import annotations

from typing import Any


class Members(dict[str, Any]):
    """The members of an object by name, as its class describes them.

    Members of bases that others hide are called "Base::member". Values are None, numbers, strings,
    NumPy arrays, lists, and `Members` for objects. Objects can contain themselves.

    Attributes
    ----------
    type
        The class, such as "TH1D".
    failure
        Why the members could not be read; "" if they were read.
    """

    def __init__(self, type: str, failure: str = "") -> None:
        super().__init__()
        self.type = type
        self.failure = failure

    def __repr__(self) -> str:
        return f"<{self.type}: {self.failure or ', '.join(self) or 'no members'}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Members, (self.type, self.failure), None, None, iter(self.items())
