"""The builtin types of a model, with their types in files and in C++."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Scalar:
    """A builtin type.

    Attributes
    ----------
    kind
        The enumerator in ``kaon::Scalar``.
    cpp
        The spelling in generated code.
    """

    kind: str
    cpp: str

    @property
    def dtype(self) -> str:
        """NumPy's name of the type."""
        return self.kind.lower()

    @property
    def bytes(self) -> int:
        """The bytes of a value."""
        return 1 if self.kind == "Bool" else int(self.kind.lstrip("UIntFloa")) // 8

    @property
    def mantissa(self) -> int:
        """The bits of the mantissa; 0 if the type is not a floating-point type."""
        return {"Float32": 23, "Float64": 52}.get(self.kind, 0)

    @property
    def bounds(self) -> tuple[int, int] | None:
        """The least and the greatest value of an integer type."""
        if self.kind.startswith("UInt"):
            return 0, 2 ** int(self.kind[4:]) - 1
        if self.kind.startswith("Int"):
            return -(2 ** (int(self.kind[3:]) - 1)), 2 ** (int(self.kind[3:]) - 1) - 1
        return None


SCALARS: dict[str, Scalar] = {
    "bool": Scalar("Bool", "bool"),
    "char": Scalar("Int8", "char"),
    "signed char": Scalar("Int8", "signed char"),
    "unsigned char": Scalar("UInt8", "unsigned char"),
    "short": Scalar("Int16", "short"),
    "unsigned short": Scalar("UInt16", "unsigned short"),
    "int": Scalar("Int32", "int"),
    "unsigned": Scalar("UInt32", "unsigned int"),
    "unsigned int": Scalar("UInt32", "unsigned int"),
    # As wide as in files on all platforms, even if `long` is narrower.
    "long": Scalar("Int64", "std::int64_t"),
    "unsigned long": Scalar("UInt64", "std::uint64_t"),
    "long long": Scalar("Int64", "long long"),
    "unsigned long long": Scalar("UInt64", "unsigned long long"),
    "float": Scalar("Float32", "float"),
    "double": Scalar("Float64", "double"),
}
for _bits in (8, 16, 32, 64):
    for _prefix in ("", "std::"):
        SCALARS[f"{_prefix}int{_bits}_t"] = Scalar(f"Int{_bits}", f"std::int{_bits}_t")
        SCALARS[f"{_prefix}uint{_bits}_t"] = Scalar(f"UInt{_bits}", f"std::uint{_bits}_t")

STRING = "std::string"
"""The type of strings. They are not part of a struct, because their lengths vary."""

TYPE_WORDS = frozenset(
    {"bool", "char", "short", "int", "long", "signed", "unsigned", "float", "double"}
)
"""The C++ keywords in names of builtin types; a name can have several."""

INSTEAD = {
    "signed": "int",
    "signed int": "int",
    "short int": "short",
    "unsigned short int": "unsigned short",
    "long int": "long",
    "unsigned long int": "unsigned long",
    "long unsigned": "unsigned long",
    "long long int": "long long",
    "unsigned long long int": "unsigned long long",
    "long double": "double",
}
"""Replacements for C++ types whose spelling models do not accept."""
