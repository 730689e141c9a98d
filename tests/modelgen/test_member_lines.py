"""Parses one member line: its parts, and the place and reason of each mistake."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaon import _core
from kaon.modelgen.defaults import check_default, cpp_default
from kaon.modelgen.members import LineMistake, parse_member
from kaon.modelgen.model import Enum, EnumValue, Member
from kaon.modelgen.names import CPP_KEYWORDS
from kaon.modelgen.scalars import SCALARS

TYPES = {"a::Color": Enum("a::Color", values=(EnumValue("red", 0), EnumValue("green", 1)))}


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("int x", ("int", (), "x", None, None, None)),
        ("int x // c", ("int", (), "x", None, None, "c")),
        ("int x//c", ("int", (), "x", None, None, "c")),
        ("int x //", ("int", (), "x", None, None, "")),
        ("  int   x{1}[mm]// c ", ("int", (), "x", "1", "mm", "c")),
        ("int x {1} [mm] // c", ("int", (), "x", "1", "mm", "c")),
        ("float omega [1/mm] // signed", ("float", (), "omega", None, "1/mm", "signed")),
        ("float e [GeV * c^2 / s]", ("float", (), "e", None, "GeV * c^2 / s", None)),
        ("float ratio [1] // of", ("float", (), "ratio", None, "1", "of")),
        ("unsigned long long n", ("unsigned long long", (), "n", None, None, None)),
        ("unsigned  int n", ("unsigned int", (), "n", None, None, None)),
        ("std::uint8_t n", ("std::uint8_t", (), "n", None, None, None)),
        ("ns::T x{1, {2, 3}}", ("ns::T", (), "x", "1, {2, 3}", None, None)),
        ("char c{'}'} // brace", ("char", (), "c", "'}'", None, "brace")),
        ("std::array<float,3>x{1,2,3}", ("float", (3,), "x", "1,2,3", None, None)),
        ("std::array < long long , 12 > x", ("long long", (12,), "x", None, None, None)),
        (
            "std::array<std::array<float, 3>, 2> x{{1, 2, 3}, {4, 5, 6}}",
            ("float", (2, 3), "x", "{1, 2, 3}, {4, 5, 6}", None, None),
        ),
        ("a::b::C x", ("a::b::C", (), "x", None, None, None)),
        ("unsigned char x", ("unsigned char", (), "x", None, None, None)),
        ("int x // {1} [mm] // | **", ("int", (), "x", None, None, "{1} [mm] // | **")),
    ],
)
def test_parts(text, parts):
    line = parse_member(text)
    assert (
        line.type,
        line.shape,
        line.name,
        line.default,
        line.unit,
        line.comment,
    ) == parts


@pytest.mark.parametrize(
    ("text", "type_", "depth"),
    [
        ("float x // c", "float", 0),
        ("std::vector<float> x // c", "float", 1),
        ("std::vector < std::vector<ns::T> > x // c", "ns::T", 2),
        ("std::vector<" * 8 + "unsigned int" + ">" * 8 + "x", "unsigned int", 8),
    ],
)
def test_lists_in_lists(text, type_, depth):
    line = parse_member(text)
    assert (line.type, line.depth, line.name) == (type_, depth, "x")


@pytest.mark.parametrize(
    ("text", "marked", "message"),
    [
        # podio silently drops these.
        (
            "float x garbage here",
            "garbage",
            "unexpected 'garbage' after 'x'; expected '{default}', '[unit]' or '// comment'",
        ),
        ("float a, b // c", ",", "unexpected ',': each member has a line of its own"),
        # podio wrongly reports a missing description.
        ("int x [mm] {1} // c", "{", "the default comes before the unit"),
        ("float x{} // c", "{", "the default is empty; without one, a member begins as zero"),
        ("long double x", "long", "'long double' is not a type of kaon (did you mean 'double'?)"),
        ("std::strin s", "std", "'std::strin' is not a type of kaon (did you mean 'std::string'?)"),
        ("vector<int> v // c", "vector", "'vector' is not a type (did you mean 'std::vector'?)"),
        ("std::vector<int w", "w", "expected '>' after the type of the std::vector, found 'w'"),
        (
            "std::array<std::vector<int>, 2> v",
            "std::vector",
            "a std::vector can only be in another std::vector",
        ),
        (
            "std::vector<" * 9 + "int" + ">" * 9 + " v",
            "std",
            "there are more than 8 std::vector in a row",
        ),
        ("std::map<int> v // c", "std", "'std::map<...>' is not a type of kaon"),
        # podio leaves these to the compiler.
        ("int class // c", "class", "'class' is a keyword of C++ and cannot be a name"),
        ("const int x", "const", "'const' is a keyword of C++, not a type"),
        # Other mistakes.
        (
            "PDG int",
            "int",
            "'int' is a keyword of C++ and cannot be a name (did you mean 'int PDG'?)",
        ),
        ("int int", "int", "'int int' is not a type of kaon"),
        ("// int x", "//", "expected a type, found '//'"),
        ("int", "", "expected a name after the type 'int', found the end of the line"),
        ("int // c", "//", "expected a name after the type 'int', found '//'"),
        (
            "float[3] x",
            "[",
            "expected a name after the type 'float', found '[' "
            "(did you mean 'std::array<float, 3>'?)",
        ),
        ("float x[3]", "[", "'[3]' is not a unit (did you mean 'std::array<float, 3> x'?)"),
        ("float x [[mm]]", "[mm]]", "a unit cannot contain brackets"),
        ("float x [] // c", "[", "the unit is empty"),
        ("float x [mm // c", "[", "the ']' that ends the unit is missing"),
        (
            "float x [GeV VV*?]",
            "GeV VV",
            "'[GeV VV*?]' is not a unit: expected names and powers joined by '*' and '/', such as "
            "'kg*m^2/s^2'",
        ),
        ("float x [mm] [cm]", "[cm]", "a second unit"),
        ("float x {1 // c", "{", "the '}' that ends the default is missing"),
        ("float x {1} {2}", "{2}", "a second default"),
        ("float x = 1", "=", "unexpected '=': a default is written in braces"),
        ("float x; // c", ";", "unexpected ';': a line has no end mark"),
        ("float x / c", "/", "unexpected '/': a comment begins with '//'"),
        (
            "float x }",
            "}",
            "unexpected '}' after 'x'; expected '{default}', '[unit]' or '// comment'",
        ),
        (
            "float x {1} y",
            "y",
            "unexpected 'y' after the default; expected '[unit]' or '// comment'",
        ),
        ("float x [mm] y", "y", "unexpected 'y' after the unit; expected '// comment'"),
        ("array<int, 2> x", "array", "'array' is not a type (did you mean 'std::array'?)"),
        (
            "std::array<std::array<int, 40000>, 40000> x",
            "std",
            "the std::array has more than 999,999,999 elements",
        ),
        (
            "std::array<" * 33 + "int" + ", 1>" * 33 + " x",
            "std",
            "the std::array has more than 32 dimensions",
        ),
        (
            "std::array<std::optional<int>, 2> x",
            "std::optional",
            "an array cannot hold std::optional (did you mean it the other way?)",
        ),
        (
            "std::optional<std::optional<int>> x",
            "std::optional<int",
            "a std::optional cannot hold another",
        ),
        ("std::optional<int x", "x", "expected '>' after the type of the std::optional, found 'x'"),
        ("optional<int> x", "opt", "'optional' is not a type (did you mean 'std::optional'?)"),
        (
            "std::array<int> x",
            ">",
            "expected ',' between the type and the size of the std::array, found '>'",
        ),
        (
            "std::array<int, 0> x",
            "0",
            "expected the size of the std::array, a whole number above 0, found '0'",
        ),
        ("std::array<int, 2 x", "x", "expected '>' after the size of the std::array, found 'x'"),
        ("::C x", "::C", "'::C' begins with '::' (did you mean 'C'?)"),
    ],
)
def test_mistakes(text, marked, message):
    with pytest.raises(LineMistake) as caught:
        parse_member(text)
    assert str(caught.value) == message
    at = re.search(rf"(?<!\w){re.escape(marked)}", text) if marked[:1].isalpha() else None
    expected = at.start() if at else (text.index(marked) if marked else len(text))
    if text == "int int":
        expected = 0
    assert caught.value.offset == expected


@pytest.mark.parametrize(
    ("declaration", "cpp"),
    [
        ("bool b{true}", "true"),
        ("char c{'a'}", "'a'"),
        ("char c{'\\''}", "'\\''"),
        ("char c{-128}", "-128"),
        ("int8_t n{0x7f}", "0x7f"),
        ("int n{-2147483648}", "-2147483648"),
        ("unsigned n{4294967295u}", "4294967295u"),
        ("short n{017}", "017"),
        ("float x{9}", "9"),
        # The compiler must not warn about any of these.
        ("float x{0.1}", "0.1f"),
        ("float x{-1.5E3L}", "-1.5E3f"),
        ("double x{.5}", ".5"),
        ("double x{1e300}", "1e300"),
        ("double x{18446744073709551616}", "18446744073709551616.0"),
        ("long n{-9223372036854775808}", "-9223372036854775807 - 1"),
        ("uint64_t n{18446744073709551615}", "18446744073709551615u"),
        ("std::array<float, 3> a{1, .5}", "1, .5f"),
        ("std::array<float, 3> a{{1, 2, 3}}", "1, 2, 3"),
        ("std::array<char, 2> a{',', '}'}", "',', '}'"),
        ("ns::T x{1, {2, anything}}", "1, {2, anything}"),
        ("std::array<ns::T, 1> x{{1}, {2}}", "{1}, {2}"),
        ("std::array<std::array<int, 2>, 2> a{1, 2, 3}", "{{1, 2}, {3}}"),
        ("std::array<std::array<int, 2>, 2> a{{1, 2}}", "{{1, 2}}"),
        ("std::array<std::array<float, 2>, 2> a{{{1, .5}, {3, 4}}}", "{{1, .5f}, {3, 4}}"),
        ("std::array<std::array<std::array<int, 1>, 2>, 1> a{1, 2}", "{{{{1}, {2}}}}"),
        ("a::Color c{green}", "a::Color::green"),
        ("a::Color c{Color::red}", "a::Color::red"),
        ("std::array<a::Color, 2> c{red, a::Color::green}", "a::Color::red, a::Color::green"),
        ("std::optional<float> x{1.5}", "1.5f"),
    ],
)
def test_defaults(declaration, cpp):
    line = parse_member(declaration)
    check_default(line, TYPES)
    assert cpp_default(Member(line.type, line.name, line.shape, line.default), TYPES) == cpp


@pytest.mark.parametrize(
    ("declaration", "offset", "message"),
    [
        ("bool b{1}", 7, "the default '1' is neither 'true' nor 'false' (did you mean 'true'?)"),
        ("int n{ 1.5 }", 7, "the default '1.5' is not an integer, as the type 'int' needs"),
        ("int n{1, 2}", 6, "the default '1, 2' is not an integer, as the type 'int' needs"),
        ("int n{08}", 6, "the default '08' is not an integer, as the type 'int' needs"),
        ("int n{-1u}", 6, "the default '-1u' is not an integer, as the type 'int' needs"),
        ("uint8_t n{256}", 10, "the default '256' is out of the range of 'uint8_t', 0 to 255"),
        (
            "unsigned n{-1}",
            11,
            "the default '-1' is out of the range of 'unsigned', 0 to 4294967295",
        ),
        ("char c{'ab'}", 7, "the default ''ab'' is not an integer, as the type 'char' needs"),
        ("float x{true}", 8, "the default 'true' is not a number, as the type 'float' needs"),
        ("float x{nan}", 8, "the default 'nan' is not a number, as the type 'float' needs"),
        ("float x{1e39}", 8, "the default '1e39' is out of the range of the type 'float'"),
        ("float x{1e-60}", 8, "the default '1e-60' is out of the range of the type 'float'"),
        ("double x{1e999}", 9, "the default '1e999' is out of the range of the type 'double'"),
        (
            "float x{16777217}",
            8,
            "the default '16777217' cannot be held exactly by the type 'float'",
        ),
        (
            "std::array<int, 2> a{1, 2, 3}",
            27,
            "the default has 3 entries for an array of 2",
        ),
        (
            "std::array<int, 2> a{1, x}",
            24,
            "the default 'x' is not an integer, as the type 'int' needs",
        ),
        (
            "std::array<int, 2> a{1,}",
            23,
            "the default '' is not an integer, as the type 'int' needs",
        ),
        (
            "std::array<int, 1> a{" + "{" * 5000 + "1" + "}" * 5000 + "}",
            22,
            f"the default '{'{' * 4999}1{'}' * 4999}' is not an integer, as the type 'int' needs",
        ),
        (
            "a::Color c{gren}",
            11,
            "the default 'gren' is not a value of 'a::Color' (did you mean 'green'?)",
        ),
        (
            "a::Color c{b::red}",
            11,
            "the default 'b::red' is not a value of 'a::Color' (did you mean 'red'?)",
        ),
        ("std::array<std::array<int, 2>, 2> a{{1}, {2, 3}}", 36, "this row has 1 entries, not 2"),
        (
            "std::array<std::array<int, 1>, 1> a{{1}, {2}}",
            41,
            "the default has 2 rows for an array of 1",
        ),
        (
            "std::array<std::array<int, 1>, 2> a{{1}, 2}",
            41,
            "expected a row in braces, like the other rows",
        ),
        (
            "std::array<std::array<int, 1>, 2> a{{1}, {x}}",
            42,
            "the default 'x' is not an integer, as the type 'int' needs",
        ),
    ],
)
def test_unfit_defaults(declaration, offset, message):
    with pytest.raises(LineMistake) as caught:
        check_default(parse_member(declaration), TYPES)
    assert (caught.value.offset, str(caught.value)) == (offset, message)


words = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,9}", fullmatch=True).filter(
    lambda word: word not in CPP_KEYWORDS
)
components = st.builds("{}::{}".format, words.filter(lambda word: word != "std"), words)
blanks = st.text(" \t", max_size=2)
texts = st.text(st.characters(exclude_categories=["Cc", "Cs"])).map(str.strip)
factors = st.sampled_from(["mm", "µm", "°C", "%", "1", "(GeV*c)", "e"])
powers = st.sampled_from(["", "^2", "^-1", " ^ 3"])
units = st.lists(st.builds("{}{}".format, factors, powers), min_size=1, max_size=3).map(" / ".join)


@st.composite
def members(draw):
    """Draw the parts of a legal member line."""
    type_ = draw(st.sampled_from(sorted(SCALARS)) | components)
    sizes = st.integers(1, 30_000)
    shape = draw(st.lists(sizes, max_size=2).map(tuple))
    scalar = SCALARS.get(type_)
    if scalar is None:
        literal = st.sampled_from(["1", "{1}, {2, {3}}", "x"])
    elif scalar.kind == "Bool":
        literal = st.sampled_from(["true", "false"])
    elif scalar.bounds:
        literal = st.integers(*scalar.bounds).map(str)
    else:
        width = 32 if scalar.kind == "Float32" else 64
        literal = st.floats(allow_nan=False, allow_infinity=False, width=width).map(repr)
    default = draw(st.none() | literal)
    unit = draw(st.none() | units)
    return type_, shape, draw(words), default, unit, draw(st.none() | texts)


@given(members(), st.data())
def test_a_legal_line_gives_its_parts(parts, data):
    type_, shape, name, default, unit, comment = parts
    whole = type_
    for size in reversed(shape):
        whole = f"std::array<{whole},{data.draw(blanks)}{size}>"
    line = data.draw(blanks) + whole + (" " if whole == type_ else "")
    line += data.draw(blanks) + name + data.draw(blanks)
    for begin, part, end in (("{", default, "}"), ("[", unit, "]"), ("//", comment, "")):
        if part is not None:
            line += begin + data.draw(blanks) + part + data.draw(blanks) + end + data.draw(blanks)
    parsed = parse_member(line)
    check_default(parsed, {})
    assert parts == (
        parsed.type,
        parsed.shape,
        parsed.name,
        parsed.default,
        parsed.unit,
        parsed.comment,
    )
    assert line[parsed.name_offset :].startswith(name)
    # C++ finds the same parts; it parses these lines in podio's files.
    entries = {
        "type": type_,
        "name": name,
        "arraySize": shape[0] if len(shape) == 1 else [*shape],
        "default": default,
        "unit": unit,
        "comment": comment,
    }
    found = json.loads(_core.member_of_line(line))
    assert found == {key: value for key, value in entries.items() if value}


@given(
    st.text()
    | st.from_regex(r"(int|std::array|std::optional|<|>|,|x|\{|\}|\[|\]|//|'|[ 0-9.eufx+-])*")
)
def test_any_line_gives_parts_or_a_mistake_in_it(text):
    try:
        line = parse_member(text)
        check_default(line, {})
    except LineMistake as mistake:
        assert 0 <= mistake.offset <= len(text)
        assert str(mistake)
    else:
        assert line.name in text


@pytest.mark.parametrize(
    "unit",
    ["GeV", "1", "1/mm", "mm^2", "s^-1", "kg*m^2/s^2", "V/(m*ns)", "µm", "°C", "%", "10^-3 * e"],
)
def test_units(unit):
    assert parse_member(f"float x [{unit}] // c").unit == unit


def test_units_may_have_powers_as_in_python():
    assert parse_member("float x [mm**2/s**-1] // c").unit == "mm^2/s^-1"


@pytest.mark.parametrize(
    "unit",
    [
        "GeV VV",
        "*mm",
        "mm/",
        "mm**",
        "mm***2",
        "mm^",
        "(mm",
        "mm(s)",
        "all values",
        "mm, GeV",
        "mm?",
    ],
)
def test_invalid_units(unit):
    with pytest.raises(LineMistake, match="is not a unit: expected names and powers"):
        parse_member(f"float x [{unit}] // c")
