"""All mistakes in a model are reported at once, each with its place."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kaon.modelgen import ModelError, load_model
from kaon.modelgen.precision import Precision

HEAD = "schema_version: 1\n"


def datatype(*lines: str, options: str = "") -> str:
    """Return a model with one datatype; its own lines begin in line 6, or 7 with options."""
    own = "".join(f"    {line}\n" for line in lines)
    options = f"options: {options}\n" if options else ""
    return f"{HEAD}{options}datatypes:\n  Hit:\n    Description: d\n    Author: a\n{own}"


def component(*lines: str) -> str:
    """Return a model with one component; its first member is in line 5."""
    own = "".join(f"      {line}\n" for line in lines)
    return f"{HEAD}components:\n  P:\n    Members:\n{own}"


def test_all_mistakes_in_the_order_of_the_file(mistakes):
    text = """\
schema_version: 1.5
optoins: {}
components:
  P:
    Members:
      - float x garbage here
      - double x
      - float x
datatypes:
  Hit:
    Author: me
    Member:
      - int a // c
    Members:
      - unknown b // c
      - int class // c
      - int c
"""
    assert mistakes(text) == [
        "1:17: schema_version: expected a whole number from 1 to 2147483647, found '1.5'",
        "2:1: unknown key 'optoins' (did you mean 'options'?)",
        "6:17: component 'P': unexpected 'garbage' after 'x'; "
        "expected '{default}', '[unit]' or '// comment'",
        "8:15: component 'P': the name 'x' appears twice (first in line 7)",
        "10:3: datatype 'Hit': the key 'Description' is missing",
        "12:5: datatype 'Hit': unknown key 'Member' (did you mean 'Members'?)",
        "15:9: datatype 'Hit': undeclared type 'unknown'",
        "16:13: datatype 'Hit': 'class' is a keyword of C++ and cannot be a name",
        "17:14: datatype 'Hit': 'c' needs a '// comment'",
    ]


# Member lines that podio accepts with losses, or refuses with a wrong explanation.


def test_a_unit_may_begin_with_a_digit_and_nothing_of_the_line_is_lost(load):
    line = "- float omega [1/mm] // signed curvature"
    (in_component,) = load(component(line)).components[0].members
    (in_datatype,) = load(datatype("Members:", line)).datatypes[0].members
    assert in_component == in_datatype
    assert (in_component.unit, in_component.comment) == ("1/mm", "signed curvature")


def test_comments_are_optional_in_components_only(mistakes):
    assert mistakes(component("- int8_t x", "- std::uint8_t y")) == []
    for key in ("Members", "VectorMembers", "OneToOneRelations", "OneToManyRelations"):
        assert mistakes(datatype(f"{key}:", "- Hit x")) == [
            "7:12: datatype 'Hit': 'x' needs a '// comment'"
        ]


@pytest.mark.parametrize(
    ("line", "mistake"),
    [
        ("- float x garbage here", "5:17: component 'P': unexpected 'garbage' after 'x'; "
         "expected '{default}', '[unit]' or '// comment'"),
        ("- float a, b // c",
         "5:16: component 'P': unexpected ',': each member has a line of its own"),
        ("- unsigned short int n", "5:9: component 'P': 'unsigned short int' is not a type of kaon "
         "(did you mean 'unsigned short'?)"),
        ("- std::string s", "5:9: component 'P': a component cannot hold std::string, "
         "only a datatype can"),
        ("- int class", "5:13: component 'P': 'class' is a keyword of C++ and cannot be a name"),
        ("- int x{2.5}", "5:15: component 'P': the default '2.5' is not an integer, "
         "as the type 'int' needs"),
    ],
)  # fmt: skip
def test_member_lines_in_components(mistakes, line, mistake):
    assert mistakes(component(line)) == [mistake]


@pytest.mark.parametrize(
    ("line", "mistake"),
    [
        ("- float omega // c", None),
        ("- int x [mm] {1} // c", "7:18: datatype 'Hit': the default comes before the unit"),
        ("- float x{} // c", "7:14: datatype 'Hit': the default is empty; "
         "without one, a member begins as zero"),
        ("- float x [mm]", "7:19: datatype 'Hit': 'x' needs a '// comment'"),
    ],
)  # fmt: skip
def test_member_lines_in_datatypes(mistakes, line, mistake):
    assert mistakes(datatype("Members:", line)) == ([mistake] if mistake else [])


# Mistakes that podio's validator does not find.


def test_unknown_option(mistakes):
    assert mistakes(datatype(options="{getSyntx: true}")) == [
        "2:11: options: unknown key 'getSyntx' (did you mean 'getSyntax'?)"
    ]


def test_an_option_is_true_or_false(mistakes):
    assert mistakes(datatype(options="{getSyntax: 1}")) == [
        "2:22: options: getSyntax: expected true or false, found '1'"
    ]


def test_unknown_top_level_key(mistakes):
    assert mistakes(HEAD + "datatype: {}\n") == [
        "2:1: unknown key 'datatype' (did you mean 'datatypes'?)"
    ]


@pytest.mark.parametrize("key", ["TransientMembers", "Typedefs"])
def test_unknown_datatype_key(mistakes, key):
    (mistake,) = mistakes(datatype(f"{key}: []"))
    assert mistake.startswith(f"6:5: datatype 'Hit': unknown key '{key}'")


def test_the_same_key_twice(mistakes):
    text = datatype("Author: b") + "  Hit:\n    Description: d\n    Author: a\n"
    assert mistakes(text) == [
        "6:5: datatype 'Hit': the key 'Author' appears twice (first in line 5)",
        "7:3: datatypes: the key 'Hit' appears twice (first in line 3)",
    ]


def test_component_and_datatype_of_one_name(mistakes):
    text = datatype() + "components:\n  Hit:\n    Members: [int x]\n"
    assert mistakes(text) == ["3:3: datatype 'Hit': a component has this name already"]


def test_two_types_that_want_one_header(mistakes):
    text = component("- int x").replace("P:", "a::P:") + "  b::P:\n    Members: [int x]\n"
    assert mistakes(text) == [
        "6:3: component 'b::P': its header 'P.h' is the header of component 'a::P'"
    ]
    text = datatype() + "components:\n  MutableHit:\n    Members: [int x]\n"
    assert mistakes(text) == [
        "3:3: datatype 'Hit': its header 'MutableHit.h' is the header of component 'MutableHit'"
    ]
    assert mistakes(component("- int x").replace("P:", "model:")) == [
        "3:3: component 'model': its header 'model.h' is the header of the model as a whole"
    ]


def test_a_member_twice(mistakes):
    assert mistakes(component("- int x", "- float y", "- int x")) == [
        "7:13: component 'P': the name 'x' appears twice (first in line 5)"
    ]


def test_a_component_in_itself(mistakes):
    assert mistakes(component("- int x", "- P p")) == [
        "6:9: component 'P': a component cannot contain itself (P -> P)"
    ]
    assert mistakes(component("- std::array<P, 2> p")) == [
        "5:9: component 'P': a component cannot contain itself (P -> P)"
    ]


def test_every_circle_of_components(mistakes):
    text = HEAD + "components:\n" + "".join(
        f"  {name}:\n    Members: [{', '.join(members)}]\n"
        for name, members in {
            "A": ["int x", "B b", "C c"],
            "B": ["C c"],
            "C": ["A a", "D d"],
            "D": ["int x"],
            "E": ["E e"],
        }.items()
    )  # fmt: skip
    assert mistakes(text) == [
        "4:22: component 'A': a component cannot contain itself (A -> B -> C -> A)",
        "4:27: component 'A': a component cannot contain itself (A -> C -> A)",
        "12:15: component 'E': a component cannot contain itself (E -> E)",
    ]


def chain(length: int) -> str:
    """Return a model with this number of components inside each other."""
    outer = "".join(f"  C{i}:\n    Members: [C{i + 1} c]\n" for i in range(length - 1))
    return f"{HEAD}components:\n{outer}  C{length - 1}:\n    Members: [int x]\n"


def test_chains_of_components_have_a_limit(load, mistakes):
    assert len(load(chain(100)).components) == 100
    (mistake,) = mistakes(chain(3000))
    assert mistake.endswith("more than 100 components are inside each other")


def test_structs_have_limits(load, mistakes):
    nested = "".join(
        f"  C{i}:\n    Members: [{', '.join(f'C{i - 1} m{k}' for k in range(10))}]\n"
        for i in range(1, 9)
    )
    (mistake,) = mistakes(f"{HEAD}components:\n  C0:\n    Members: [int x]\n{nested}")
    assert "component 'C6': with it, the structs of the model have more than 1,048,576" in mistake
    (mistake,) = mistakes(datatype("Members:", "- std::array<double, 999999999> x // c"))
    assert "or 268,435,456 bytes" in mistake
    assert load(datatype("Members:", "- std::array<double, 1000000> x // an image"))


def test_aliases_have_a_limit(load, mistakes):
    def model(count: int) -> str:
        lines = "".join(f"      - int m{i} // c\n" for i in range(100))
        first = f"  A0: &a\n    Description: d\n    Author: a\n    Members:\n{lines}"
        others = "".join(f"  A{i}: *a\n" for i in range(1, count))
        return f"{HEAD}datatypes:\n{first}{others}"

    assert len(load(model(20)).datatypes) == 20
    assert mistakes(model(1000)) == [
        "the aliases stand for more than 10,000 entries: write these out"
    ]


def test_the_first_hundred_mistakes_are_reported(mistakes):
    found = mistakes(datatype("Members:", *(f"- Unknown{i} m{i} // c" for i in range(5000))))
    assert len(found) == 101
    assert found[0] == "the file has at least 100 mistakes: correct these first"


def test_long_names_are_not_compared_and_are_cut_in_messages(mistakes):
    long = "B" * 100_000
    name = "P" + "B" * 200
    found = mistakes(
        component("- int x // c").replace("  P:", f"  {name}:") + datatype()[len(HEAD) :]
    )
    assert found == []
    (mistake,) = mistakes(component(f"- {long} x // c").replace("  P:", "  Q:"))
    assert len(mistake) < 1100 and mistake.endswith("BBB...")


def test_member_relation_and_vector_member_of_one_name(mistakes):
    text = datatype(
        *("Members:", "- int a // c", "- int b // c", "VectorMembers:", "- int a // c"),
        *("OneToOneRelations:", "- Hit b // c", "OneToManyRelations:", "- Hit a // c"),
    )
    assert mistakes(text) == [
        "10:11: datatype 'Hit': the name 'a' appears twice (first in line 7)",
        "12:11: datatype 'Hit': the name 'b' appears twice (first in line 8)",
        "14:11: datatype 'Hit': the name 'a' appears twice (first in line 7)",
    ]


@pytest.mark.parametrize("name", ["a_begin", "a_end", "a_size", "adda"])
def test_members_whose_functions_clash(mistakes, name):
    lines = ("Members:", f"- int {name} // c", "VectorMembers:", "- float a // c")
    assert mistakes(datatype(*lines)) == [
        f"9:13: datatype 'Hit': 'a' needs a function '{name}', but '{name}' has one"
    ]
    # With getSyntax, the member's function is getA_begin.
    assert mistakes(datatype(*lines, options="{getSyntax: true}")) == []


def test_names_that_differ_in_the_case_of_the_first_letter_only(mistakes):
    lines = ("Members:", "- int d0 // c", "- int D0 // c")
    assert mistakes(datatype(*lines)) == []
    assert mistakes(datatype(*lines, options="{getSyntax: true}")) == [
        "9:11: datatype 'Hit': 'D0' needs a function 'getD0', but 'd0' has one"
    ]


def test_names_that_kaon_needs(mistakes):
    lines = ("Members:", "- int clone // c", "- int HitCollection // c", "- int HitData // c")
    own_use = "but kaon uses this name itself"
    own_struct = "9:11: datatype 'Hit': 'HitData' is also the name of its struct"
    assert mistakes(datatype(*lines)) == [
        f"7:11: datatype 'Hit': 'clone' needs a function 'clone', {own_use}",
        f"8:11: datatype 'Hit': 'HitCollection' needs a function 'HitCollection', {own_use}",
        own_struct,
    ]
    assert mistakes(datatype(*lines, options="{getSyntax: yes}")) == [
        own_struct.replace("9:", "10:")
    ]
    assert mistakes(component("- int P")) == [
        "5:13: component 'P': 'P' is also the name of its struct"
    ]


def test_schema_version(mistakes):
    wanted = "schema_version: expected a whole number from 1 to 2147483647, found"
    assert mistakes("datatypes: {}\n") == ["1:1: the key 'schema_version' is missing"]
    for value in ("1.5", "0", "-1", "'1'", "one", "2147483648", "9" * 5000):
        (mistake,) = mistakes(f"schema_version: {value}\n")
        assert mistake.startswith(f"1:17: {wanted} ")
    assert mistakes("schema_version:\n") == [f"1:16: {wanted} nothing"]


def test_component_without_members(mistakes):
    text = HEAD + "components:\n  P:\n    Description: d\n  Q:\n    Members: []\n"
    assert mistakes(text) == [
        "3:3: component 'P': the key 'Members' is missing",
        "5:3: component 'Q': a component needs at least one member",
    ]


def test_datatype_without_members_is_legal(load):
    (datatype_,) = load(datatype()).datatypes
    assert (datatype_.members, datatype_.vector_members, datatype_.relations) == ((), (), ())


def test_mandatory_keys(mistakes):
    assert mistakes(HEAD + "datatypes:\n  Hit: {}\n") == [
        "3:3: datatype 'Hit': the key 'Author' is missing",
        "3:3: datatype 'Hit': the key 'Description' is missing",
    ]


# Types and relations.


def test_undeclared_types(mistakes):
    text = component("- int32 n", "- Piont p") + "  ns::Point:\n    Members: [float x]\n"
    text = text.replace("Piont", "Point")
    assert mistakes(text) == [
        "5:9: component 'P': undeclared type 'int32' (did you mean 'int32_t'?)",
        "6:9: component 'P': undeclared type 'Point' (did you mean 'ns::Point'?)",
    ]


def test_members_and_relations_have_the_right_kind_of_type(mistakes):
    text = component("- int x") + datatype(
        *(
            "Members:",
            "- Hit a // c",
            "VectorMembers:",
            "- Pi b // c",
            "- std::array<int, 2> c // c",
        ),
        *(
            "- float d{1} // c",
            "OneToOneRelations:",
            "- P e // c",
            "- float f // c",
            "- Hitt g // c",
        ),
        *("- Hit h{1} // c", "- Hit i [mm] // c", "- std::array<Hit, 2> j // c"),
    ).removeprefix(HEAD)
    assert mistakes(text) == [
        "11:7: datatype 'Hit': 'Hit' is a datatype, not a component (did you mean a relation?)",
        "13:7: datatype 'Hit': undeclared type 'Pi' (did you mean 'P'?)",
        "14:7: datatype 'Hit': the vector member 'c' cannot hold a std::array",
        "15:15: datatype 'Hit': the vector member 'd' has no default: it begins empty",
        "17:7: datatype 'Hit': 'P' is a component, not a datatype (did you mean a member?)",
        "18:7: datatype 'Hit': 'float' is a builtin type, not a datatype (did you mean a member?)",
        "19:7: datatype 'Hit': undeclared datatype 'Hitt' (did you mean 'Hit'?)",
        "20:13: datatype 'Hit': the relation 'h' cannot have a default",
        "21:14: datatype 'Hit': the relation 'i' cannot have a unit",
        "22:7: datatype 'Hit': the relation 'j' cannot be a std::array",
    ]


def test_only_vector_members_are_lists_in_lists(mistakes):
    text = component("- std::vector<int> x") + datatype(
        *("Members:", "- std::vector<float> a // c", "VectorMembers:"),
        *("- std::vector<float> b // c", "- std::vector<Hit> d // c", "- std::vector<Pi> e // c"),
        *("- std::vector<std::array<int, 2>> f // c", "- std::vector<int> g{1} // c"),
        *("OneToManyRelations:", "- std::vector<Hit> h // c"),
    ).removeprefix(HEAD)
    is_entry = "is a std::vector: it is an entry of 'VectorMembers'"
    leads = "cannot be a std::vector: 'OneToManyRelations' lead to any number of objects"
    assert mistakes(text) == [
        f"5:9: component 'P': 'x' {is_entry}",
        f"11:7: datatype 'Hit': 'a' {is_entry}",
        "14:7: datatype 'Hit': 'Hit' is a datatype, not a component (did you mean a relation?)",
        "15:7: datatype 'Hit': undeclared type 'Pi' (did you mean 'P'?)",
        "16:7: datatype 'Hit': the vector member 'f' cannot hold a std::array",
        "17:26: datatype 'Hit': the vector member 'g' has no default: it begins empty",
        f"19:7: datatype 'Hit': the relation 'h' {leads}",
    ]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("a::b::b", "'b' is also the name of a namespace"),
        ("a::kaon::C", "the namespace 'kaon' is reserved; choose another one"),
        ("1st", "this is not a name of a type; expected NAME or NAMESPACE::NAME"),
        ("::C", "this is not a name of a type; expected NAME or NAMESPACE::NAME"),
        ("a::union", "'union' is a keyword of C++ and cannot be a name"),
        ("kaon::C", "the namespace 'kaon' is reserved; choose another one"),
        ("int32_t", "'int32_t' is a builtin type"),
        ("std", "'std' is also the name of a namespace"),
    ],
)
def test_names_of_types(mistakes, name, message):
    assert mistakes(f"{HEAD}components:\n  '{name}':\n    Members: [int x]\n") == [
        f"3:3: component '{name}': {message}"
    ]


# Namespaces.


def test_namespaces_in_namespaces(load, mistakes):
    model = load(
        component("- int x").replace("P:", "a::b::P:") + "  P2:\n    Members: [a::b::P p]\n"
    )
    assert [component.name for component in model.components] == ["a::b::P", "P2"]
    text = component("- int x").replace("P:", "a::b::P:") + "  b::Q:\n    Members: [int x]\n"
    assert mistakes(text) == [
        "3:3: component 'a::b::P': its namespace 'b' would hide the outer namespace of that name"
    ]


# Extra code.


def test_extra_code(load, tmp_path):
    text = datatype(
        *("ExtraCode:", "  includes: '#include <cmath>'", "  declaration: int f();"),
        *("MutableExtraCode:", "  implementation: int {name}::g() { return 1; }"),
    )
    (hit,) = load(text).datatypes
    assert (hit.extra_code.includes, hit.extra_code.declaration) == ("#include <cmath>", "int f();")
    assert hit.mutable_extra_code.implementation == "int {name}::g() { return 1; }"


def test_extra_code_in_files(tmp_path):
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "f.ipp").write_bytes(b"int f();\r\nint g();\n")
    path = tmp_path / "model.yaml"
    path.write_text(
        datatype("ExtraCode:", "  declaration: int e();", "  declarationFile: code/f.ipp")
    )
    model = load_model(path)
    assert model.datatypes[0].extra_code.declaration == "int e();\nint f();\nint g();"
    assert model.sources == (path, tmp_path / "code" / "f.ipp")


def test_mistakes_in_extra_code(mistakes):
    text = datatype(
        *("ExtraCode: {declarations: int f();, declarationFile: none.ipp}",),
        *("MutableExtraCode: {implementaton: x, declaration: [x]}",),
    )
    text += "components:\n  P:\n    Members: [int x]\n    ExtraCode: {implementation: x}\n"
    unknown = "unknown key"
    assert mistakes(text) == [
        f"6:17: datatype 'Hit': ExtraCode: {unknown} 'declarations' (did you mean 'declaration'?)",
        "6:58: datatype 'Hit': ExtraCode: declarationFile: 'none.ipp': the file does not exist",
        f"7:24: datatype 'Hit': MutableExtraCode: {unknown} 'implementaton' "
        "(did you mean 'implementation'?)",
        "7:55: datatype 'Hit': MutableExtraCode: declaration: expected a text, found a list",
        f"11:17: component 'P': ExtraCode: {unknown} 'implementation'; use one of includes, "
        "declaration, declarationFile",
    ]


# Exposed members of components.


def test_functions_for_members_of_components(load, mistakes):
    text = component("- int x") + datatype(
        *("Members:", "- P p // c", "- P q // c", "- Q r // c", "- int u // c"),
    ).removeprefix(HEAD)
    text = text.replace("components:\n", "components:\n  Q: {Members: [int u]}\n")
    assert mistakes(text) == []
    asked = text.replace(HEAD, f"{HEAD}options: {{exposePODMembers: true}}\n")
    leave = "(the option 'exposePODMembers: false' omits it)"
    assert mistakes(asked) == [
        f"14:9: datatype 'Hit': 'q.x' needs a function 'x', but 'p.x' has one {leave}",
        f"15:9: datatype 'Hit': 'r.u' needs a function 'u', but there is one {leave}",
    ]
    assert mistakes(asked.replace("true", "false")) == []


# Enums.


def test_enums(load):
    text = HEAD + "enums:\n  a::E:\n    Type: uint8_t\n    Values: [x, y = 0x10 // why, z]\n"
    (enum,) = load(text).enums
    assert (enum.name, enum.underlying) == ("a::E", "uint8_t")
    assert [(value.name, value.value, value.comment) for value in enum.values] == [
        ("x", 0, ""),
        ("y", 16, "why"),
        ("z", 17, ""),
    ]


def test_mistakes_in_enums(mistakes):
    text = """\
schema_version: 1
enums:
  E:
    Type: float
    Values: [a, a, b = 0, class, c = x, d = 2147483648]
  F:
    Type: int3_t
    Value: []
  G: {Values: []}
components:
  P: { Members: ["E e{z}", "F f{1}"] }
  G: { Members: [int x] }
datatypes:
  Hit:
    Description: d
    Author: a
    OneToOneRelations: [E e // c]
"""
    assert mistakes(text) == [
        "4:11: enum 'E': 'float' is not a type of integers",
        "5:17: enum 'E': the value 'a' appears twice",
        "5:20: enum 'E': 'b' has the same number as 'a', 0",
        "5:27: enum 'E': 'class' is a keyword of C++ and cannot be a name",
        "5:34: enum 'E': expected 'NAME', '= NUMBER', '// comment', found 'c = x'",
        "5:41: enum 'E': 'd', 2147483648, is out of the range of 'int32_t', "
        "-2147483648 to 2147483647",
        "6:3: enum 'F': the key 'Values' is missing",
        "7:11: enum 'F': 'int3_t' is not a type of integers (did you mean 'int8_t'?)",
        "8:5: enum 'F': unknown key 'Value' (did you mean 'Values'?)",
        "9:3: enum 'G': an enum needs at least one value",
        "11:23: component 'P': the default 'z' is not a value of 'E'",
        "11:33: component 'P': the default '1' is not a value of 'F'",
        "12:3: component 'G': an enum has this name already",
        "17:25: datatype 'Hit': 'E' is an enum, not a datatype (did you mean a member?)",
    ]


# Storage.


STORED = component("- double x", "- int y") + datatype(
    *("Members:", "- float e // c", "- P p // c", "- int n // c", "- std::array<P, 2> q // c"),
    *("VectorMembers:", "- float w // c"),
).removeprefix(HEAD)


def test_storage(load):
    block = """\
storage:
  Hit:
    layout: member
    group: event
    precision:
      e: 22
      p: 51
      q.1.x: { low: -1e-3, high: 1, step: .5 }
      w: { low: 0, high: 100, bits: 12 }
"""
    (storage,) = load(STORED + block).storage
    assert (storage.datatype, storage.layout, storage.group) == ("Hit", "member", "event")
    assert storage.precision == {
        "e": Precision(22),
        "p": Precision(51),
        "q.1.x": Precision(low=-0.001, high=1, step=0.5),
        "w": Precision(low=0, high=100, bits=12),
    }


def test_storage_of_unknown_types_and_members(mistakes):
    line = len(STORED.splitlines())
    block = """\
storage:
  Hits: {}
  Hit:
    layout: colum
    grop: event
    group: ''
    precision:
      energy: 12
      n: 3
      p.z: 3
      p.y: 3
      e.x: 3
      q.2: 3
      q.1.xx: 3
"""
    assert mistakes(STORED + block) == [
        f"{line + 2}:3: storage: there is no datatype 'Hits' (did you mean 'Hit'?)",
        f"{line + 4}:13: storage of 'Hit': unknown layout 'colum'; use one of split, member, row",
        f"{line + 5}:5: storage of 'Hit': unknown key 'grop' (did you mean 'group'?)",
        f"{line + 6}:12: storage of 'Hit': the group has no name",
        f"{line + 8}:7: storage of 'Hit': there is no member 'energy'",
        f"{line + 9}:7: storage of 'Hit': 'n' holds no floating-point numbers",
        f"{line + 10}:7: storage of 'Hit': there is no member 'z'",
        f"{line + 11}:7: storage of 'Hit': 'p.y' holds no floating-point numbers",
        f"{line + 12}:7: storage of 'Hit': there is no member 'x'",
        f"{line + 13}:7: storage of 'Hit': 'q' has no element '2', only 0 to 1",
        f"{line + 14}:7: storage of 'Hit': there is no member 'xx' (did you mean 'x'?)",
    ]


@pytest.mark.parametrize(
    ("precision", "place", "mistake"),
    [
        ("e: 23", "23", "expected a whole number from 1 to 22, found '23'"),
        ("p: 52", "52", "expected a whole number from 1 to 51, found '52'"),
        ("e: many", "many", "expected a whole number from 1 to 22, found 'many'"),
        ("e: 0", "0", "expected a whole number from 1 to 22, found '0'"),
        ("e: {bits: 3, low: 0}", "{", "the key 'high' is missing"),
        ("e: {low: 0, high: 1}", "{", "a range needs either 'step' or 'bits'"),
        ("e: {low: 0, high: 1, step: 1, bits: 4}", "{", "a range needs either 'step' or 'bits'"),
        ("e: {low: 0, high: 1, stpe: 1}", "stpe", "unknown key 'stpe' (did you mean 'step'?)"),
        ("e: {low: 0, high: 1, step: x}", "x", "step: expected a number, found 'x'"),
        ("e: {low: 0, high: .inf, step: 1}", ".inf", "high: expected a number, found '.inf'"),
        ("e: {low: 0, high: 1e999, step: 1}", "1e999", "high: expected a number, found '1e999'"),
        ("e: {low: 0, high: 1, bits: 33}", "33", "bits: expected a whole number from 1 to 32"),
        ("e: {low: 2, high: 1, step: 1}", "{", "'low' (2) must be less than 'high' (1)"),
        ("e: {low: 0, high: 1, step: 0}", "{", "the step 0 must be above 0"),
        ("e: {low: 0, high: 1, step: 2}", "{", "the step 2 must be above 0 and not exceed"),
        ("e: {low: 0, high: 1, step: 1e-10}", "{", "there are more than 2^32 steps of 1e-10"),
        ("e: {low: 0, high: 1, bits: 30}", "{", "steps of 9.31323e-10 are finer than float is"),
        ("e: {low: 0, high: 1e39, bits: 3}", "{", "the range ends at 1e+39, beyond the range of"),
    ],
)
def test_precisions_that_make_no_sense(mistakes, precision, place, mistake):
    begin = "storage: {Hit: {precision: {"
    line = len(STORED.splitlines()) + 1
    column = len(begin) + precision.index(place) + 1
    expected = f"{line}:{column}: storage of 'Hit': precision of '{precision[0]}': {mistake}"
    found = mistakes(f"{STORED}{begin}{precision}}}}}}}")
    assert any(one.startswith(expected) for one in found), found


# YAML.


def test_places_in_any_style_of_yaml(mistakes):
    text = HEAD + (
        "components:\n"
        "  P:\n"
        "    Members:\n"
        "      - 'int x y'\n"
        '      - "int x y"\n'
        "      - !!str int x y\n"
        "      - int\n"
        "          x y\n"
        "      - |\n"
        "        int x y\n"
        "      - 'char c{''a''} y'\n"
    )
    places = [mistake.split(" ")[0] for mistake in mistakes(text)]
    assert places == ["5:16:", "6:16:", "7:21:", "9:13:", "11:15:", "12:24:"]


def test_colon_in_a_comment(mistakes):
    text = datatype("Members:", "- int status // flag: see below")
    assert mistakes(text) == [
        "7:7: datatype 'Hit': Members: "
        "expected a member line; quote it, as YAML needs quotes around ': '"
    ]


def test_wrong_kinds_of_nodes(mistakes):
    assert mistakes("- 1\n") == ["1:1: expected 'key: value' entries, found a list"]
    assert mistakes(datatype("Members: float x // c", "VectorMembers:", "-", "- [int]")) == [
        "6:14: datatype 'Hit': Members: expected a list of lines '- TYPE NAME // comment', "
        "found 'float x // c'",
        "8:6: datatype 'Hit': VectorMembers: expected a member line, found nothing",
        "9:7: datatype 'Hit': VectorMembers: expected a member line, found a list",
    ]
    assert mistakes(HEAD + "datatypes:\n  Hit:\n") == [
        "3:7: datatype 'Hit': expected 'key: value' entries, found nothing"
    ]
    assert mistakes(HEAD + "components:\n  [a]: {}\n") == [
        "3:3: components: expected a text, found a list"
    ]


def test_yaml_syntax(mistakes):
    (mistake,) = mistakes("schema_version: 1\ndatatypes: [\n")
    assert mistake.startswith("3:1: this is not YAML: while parsing a flow node, expected")
    (mistake,) = mistakes("schema_version: 1\n\tx: 1\n")
    assert mistake.startswith("2:1: this is not YAML: ")
    assert mistakes("a: \x01\n") == ["1:4: the character U+0001 cannot be in YAML"]
    assert mistakes('a: "\\U99999999"\n')[0].startswith("1:7: this is not YAML: ")
    assert mistakes("[" * 5000) == ["the file is nested too deeply"]


def test_a_mistake_is_one_line(mistakes):
    (mistake,) = mistakes('"a\\nb": 1\nschema_version: 1\n')
    assert mistake.startswith("1:1: unknown key 'a\\nb'; use one of schema_version, options, ")


def test_texts_that_no_file_can_hold(mistakes):
    assert mistakes(datatype().replace("Author: a", r'Author: "\ud800"')) == [
        "5:13: datatype 'Hit': Author: the text has half a character, U+D800"
    ]
    assert mistakes(datatype().replace("Author: a", r'Author: "\0"')) == [
        "5:13: datatype 'Hit': Author: the text has a control character U+0000"
    ]


# Files.


def test_files_that_are_no_models(tmp_path: Path):
    def said(path: Path) -> str:
        with pytest.raises(ModelError) as caught:
            load_model(path)
        return str(caught.value).removeprefix(f"{path}:")

    empty = tmp_path / "empty.yaml"
    empty.write_text("")
    comment = tmp_path / "comment.yaml"
    comment.write_text("# nothing\n")
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(b"a: 1\nb: \xff")
    assert said(tmp_path / "none.yaml") == " the file does not exist"
    assert said(tmp_path) == " this is a directory, not a model file"
    assert said(empty) == " the file is empty"
    assert said(comment) == " the file is empty"
    assert said(binary) == "2:4: this is not UTF-8"


def test_byte_order_mark_and_foreign_line_ends(mistakes):
    text = "\ufeff" + component("- int x y").replace("\n", "\r\n")
    assert mistakes(text)[0].startswith("5:15: component 'P': unexpected 'y'")


fragments = st.sampled_from(
    [
        *("schema_version: 1\n", "options:\n", "components:\n", "datatypes:\n", "storage:\n"),
        *("  Hit:\n", "  a::P:\n", "    Members:\n", "      - float x // c\n", "      - a::P p\n"),
        *("enums:\n", "    Type: int8_t\n", "    Values: [a, b = 2 // c]\n"),
        *("    ExtraCode:\n", "      declaration: x\n", "      declarationFile: x\n"),
        *("    Description: d\n", "    Author: a\n", "    OneToOneRelations: [Hit h // c]\n"),
        *(
            "{",
            "}",
            "[",
            "]",
            ": ",
            "- ",
            "&a ",
            "*a",
            "!!int ",
            "? ",
            "'",
            '"',
            "\\U99999999",
            "\n",
        ),
        *("%YAML 1.1\n", "--- ", "...\n", "<<: ", "|\n", ">\n", "\t", "# ", "~", "1", "true"),
    ]
)


@example('"\\U99999999"')
@example("%YAML " + "9" * 5000 + ".1\n--- a\n")
@example("&a [*a]")
@example("schema_version: 1\ncomponents: &a\n  P: *a\n")
@example("schema_version: 1\ndatatypes: &a {Hit: *a, Description: *a, Members: [*a]}\n")
@example("interfaces: {[a]: b, ? {c: d} : e}\n? [links]\n: {}\n")
@given(st.text() | st.lists(fragments, max_size=30).map("".join))
def test_any_text_is_a_model_or_has_mistakes(load, text):
    try:
        load(text)
    except ModelError as error:
        assert error.mistakes
        assert str(error)


def test_strings_are_members_of_datatypes_only(mistakes):
    lines = ("Members:", "- std::string a // c", "VectorMembers:", "- std::string b // c")
    assert mistakes(datatype(*lines)) == []
    assert mistakes(
        datatype(
            "Members:",
            "- std::array<std::string, 2> a // c",
            "- std::optional<std::string> b // c",
            "- std::string d{none} // c",
            "- string e // c",
            "OneToOneRelations:",
            "- std::string f // c",
        )
    ) == [
        "7:7: datatype 'Hit': a std::array cannot hold std::string",
        "8:7: datatype 'Hit': a std::optional cannot hold std::string",
        "9:21: datatype 'Hit': the string 'd' has no default: it begins empty",
        "10:7: datatype 'Hit': undeclared type 'string' (did you mean 'std::string'?)",
        "12:7: datatype 'Hit': 'std::string' is a builtin type, not a datatype "
        "(did you mean a member?)",
    ]
