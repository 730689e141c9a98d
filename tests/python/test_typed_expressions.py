"""Operators on pairs of types, with values at the ends of the types."""

import itertools
import operator

import numpy as np
import pytest

import kaon

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
TYPES = ["bool", *INTEGERS, "float32", "float64"]
ARITHMETIC = ["+", "-", "*", "/", "//", "%", "min", "max"]
COMPARISONS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
OF_INTEGERS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": lambda x, y: x // y if y else 0,
    "%": lambda x, y: x % y if y else 0,
    "min": min,
    "max": max,
}
OF_FLOATS = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "//": np.floor_divide,
    "%": np.remainder,
    "min": np.minimum,
    "max": np.maximum,
}


def ends_of(dtype):
    """Return values of a type that are likely to go wrong."""
    if dtype == "bool":
        return [False, True]
    if dtype.startswith("float"):
        return [0.0, -0.0, 0.1, -2.5, 3.0, 1e30, np.inf, -np.inf, np.nan]
    info = np.iinfo(dtype)
    small = [0, 1, 3, 7] if info.min == 0 else [0, 1, -1, 3, -7]
    return [*small, info.min, info.max, info.max - 1]


def common_type(a, b):
    """Return the common type of two columns, as docs/expressions.md defines it."""
    floats = [t for t in (a, b) if t.startswith("float")]
    integers = [t for t in (a, b) if not t.startswith("float")]
    if floats:
        is_narrow = set(floats) == {"float32"} and all(np.dtype(t).itemsize < 3 for t in integers)
        return "float32" if is_narrow else "float64"
    if "uint64" in integers:
        return "uint64" if all(t[0] in "bu" for t in integers) else "float64"
    return "int64"


def extreme_type(sign, a, b):
    """Return the type of min and max of a signed integer and a uint64, which are exact."""
    is_mixed = common_type(a, b) == "float64" and not any(t.startswith("float") for t in (a, b))
    return {"min": "int64", "max": "uint64"}.get(sign) if is_mixed else None


def wrapped(value, dtype):
    return np.array(value % 2**64, np.uint64).astype(dtype)[()]


def expected(sign, x, y, dtype):
    if dtype.startswith("float"):
        return OF_FLOATS[sign](x.astype(dtype), y.astype(dtype))
    if sign == "/":
        return np.divide(x.astype("float64"), y.astype("float64"))
    pairs = zip(x.tolist(), y.tolist(), strict=True)
    return np.array([wrapped(OF_INTEGERS[sign](int(a), int(b)), dtype) for a, b in pairs], dtype)


@pytest.mark.parametrize("first", TYPES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_operators_of_two_columns_are_pythons(first, tmp_path):
    columns = {}
    for second in TYPES:
        pairs = list(itertools.product(ends_of(first), ends_of(second)))
        columns[second] = [
            np.array(values, dtype)
            for values, dtype in zip(zip(*pairs, strict=True), (first, second), strict=True)
        ]
    for second, (x, y) in columns.items():
        path = tmp_path / f"{second}.kaon"
        with kaon.create(path) as out:
            out["events"].extend({"x": x, "y": y})
        signs = [*ARITHMETIC, *COMPARISONS]
        computed = kaon.open(path)["events"].arrays([text_of(sign) for sign in signs])
        dtype = common_type(first, second)
        for sign in ARITHMETIC:
            values = np.asarray(computed[text_of(sign)])
            truth = expected(sign, x, y, extreme_type(sign, first, second) or dtype)
            assert values.dtype == truth.dtype, (sign, first, second)
            np.testing.assert_array_equal(values, truth, f"{first} {sign} {second}")
            zeros = truth == 0
            if truth.dtype.kind == "f":
                np.testing.assert_array_equal(np.signbit(values[zeros]), np.signbit(truth[zeros]))
        if first != second:
            x, y = (column.astype(dtype) for column in (x, y))
        for sign, compare in COMPARISONS.items():
            np.testing.assert_array_equal(np.asarray(computed[text_of(sign)]), compare(x, y))


def text_of(sign):
    return f"{sign}(x, y)" if sign.isalpha() else f"x {sign} y"
