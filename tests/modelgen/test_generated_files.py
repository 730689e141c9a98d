"""The generated files, and the files that the generator leaves unchanged."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kaon.modelgen import Model, ModelError, generate, load_model

MARK = "// Made by kaon from shower.yaml; edits will be lost.\n"
FILES = [
    "Any.h",
    "Cell.h",
    "CellCollection.h",
    "CellData.h",
    "CellLink.h",
    "CellLinkCollection.h",
    "MutableCell.h",
    "MutableCellLink.h",
    "MutableShower.h",
    "Point.h",
    "Shower.h",
    "ShowerCollection.h",
    "ShowerData.h",
    "shower.cc",
    "shower.h",
    "shower.model.yaml",
]


def command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kaon.modelgen", *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


def test_names_and_first_lines(model_file, tmp_path):
    files = generate(model_file, tmp_path / "new" / "out")
    assert sorted(file.name for file in files) == FILES
    assert sorted(os.listdir(tmp_path / "new" / "out" / "shower")) == FILES
    for file in files:
        mark = MARK.replace("//", "#") if file.suffix == ".yaml" else MARK
        assert file.read_text().startswith(mark)


def test_another_name(model_file, tmp_path):
    files = generate(model_file, tmp_path, name="calo-1.0")
    assert {file.parent for file in files} == {tmp_path / "calo-1.0"}
    assert '#include "calo-1.0/Point.h"\n' in (tmp_path / "calo-1.0" / "CellData.h").read_text()
    assert (tmp_path / "calo-1.0" / "calo-1.0.cc").exists()
    for name in ("", "..", "a/b", "a b"):
        with pytest.raises(ValueError, match="cannot be the name of a folder"):
            generate(model_file, tmp_path, name=name)


def test_a_struct(model_file, tmp_path):
    generate(model_file, tmp_path)
    assert (
        (tmp_path / "shower" / "CellData.h").read_text()
        == MARK
        + """\
#pragma once

#include "shower/Point.h"

#include <kaon/detail/model/StructLeaves.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace calo {

/// A cell
struct CellData {
  std::uint64_t id{};                     ///< its number
  calo::Point at{};                       ///< its middle
  std::array<float, 4> gains{1, 1, 1, 1}; ///< by amplifier

  friend bool operator==(const CellData&, const CellData&) = default;
};

} // namespace calo

/// Its scalars, those of components in it among them.
template <>
struct kaon::detail::StructLeaves<calo::CellData> {
  static constexpr std::array<kaon::Leaf, 4> value{{
      {"id", kaon::Scalar::UInt64, 1, offsetof(::calo::CellData, id), "", "its number"},
      {"at.x", kaon::Scalar::Float32, 1,
       offsetof(::calo::CellData, at) + offsetof(::calo::Point, x), "mm", "its middle"},
      {"at.y", kaon::Scalar::Float32, 1,
       offsetof(::calo::CellData, at) + offsetof(::calo::Point, y), "mm", "its middle"},
      {"gains", kaon::Scalar::Float32, 4, offsetof(::calo::CellData, gains), "", "by amplifier",
       "[4]"},
  }};
};
"""
    )


def test_structs_with_the_ranges_of_lists(model_file, tmp_path):
    generate(model_file, tmp_path, list_ranges=True)
    data = (tmp_path / "shower" / "CellData.h").read_text()
    assert "  std::uint32_t corners_begin{};\n  std::uint32_t corners_end{};\n" in data
    assert '{"corners", offsetof(::calo::CellData, corners_begin),' in data
    model = model_file.read_text().replace("- uint64_t id ", "- uint64_t corners_end ")
    model_file.write_text(model)
    with pytest.raises(ValueError, match="'corners_end' has the name of a list's range"):
        generate(model_file, tmp_path, list_ranges=True)
    generate(model_file, tmp_path)


def test_both_styles_of_accessors(model_file, tmp_path):
    generate(model_file, tmp_path)
    handle = (tmp_path / "shower" / "Cell.h").read_text()
    for function in (
        "std::uint64_t getId() const { return get<std::uint64_t, 0>(offsetof(DataType, id)); }",
        "const calo::Point getAt() const { return get<calo::Point, 1>(offsetof(DataType, at)); }",
        "float getGains(std::size_t i) const {\n"
        "    return get<std::array<float, 4>, 3>(offsetof(DataType, gains)).at(i);\n"
        "  }",
        "void setId(std::uint64_t value) { set(offsetof(DataType, id), value); }",
        "void setGains(std::size_t i, float value) {",
        "std::size_t corners_size() const { return vectorMember<calo::Point, 0>().size(); }",
        "void addToCorners(const calo::Point& value) { addToVector<calo::Point, 0>(value); }",
        "calo::Shower getShower() const;",
        "void setShower(const calo::Shower& value);",
    ):
        assert f"  {function}\n" in handle
    assert "using Cell::getAt;\n" in handle
    assert "using Cell::getShower" not in handle

    model_file.write_text(model_file.read_text().replace("getSyntax: true", "getSyntax: false"))
    generate(model_file, tmp_path)
    handle = (tmp_path / "shower" / "Cell.h").read_text()
    for function in (
        "std::uint64_t id() const { return get<std::uint64_t, 0>(offsetof(DataType, id)); }",
        "using Cell::id;",
        "void id(std::uint64_t value) { set(offsetof(DataType, id), value); }",
        "void addcorners(const calo::Point& value) { addToVector<calo::Point, 0>(value); }",
        "calo::Shower shower() const;",
        "using Cell::shower;",
        "void shower(const calo::Shower& value);",
    ):
        assert f"  {function}\n" in handle


def test_relations_are_numbered_those_to_one_object_first(model_file, tmp_path):
    text = model_file.read_text()
    cells = "    OneToManyRelations:\n      - calo::Cell cells // its cells\n"
    first = "    OneToOneRelations:\n      - calo::Cell seed // its hottest cell\n"
    model_file.write_text(text.replace(cells, cells + first))
    generate(model_file, tmp_path)
    handle = (tmp_path / "shower" / "Shower.h").read_text()
    for function in (
        "calo::Cell Shower::getSeed() const { return relatedOne<calo::Cell, 0>(); }",
        "void MutableShower::setSeed(const calo::Cell& value) { relateOne<0>(value); }",
        "std::size_t Shower::cells_size() const { return related<calo::Cell, 1>().size(); }",
        "void MutableShower::addToCells(const calo::Cell& value) { addRelated<1>(value); }",
    ):
        assert f"\ninline {function}\n" in handle


def descriptions(tmp_path: Path, text: str) -> str:
    path = tmp_path / "shower.yaml"
    path.write_text(text, encoding="utf-8")
    generate(path, tmp_path)
    return (tmp_path / "shower" / "shower.cc").read_text(encoding="utf-8")


def test_the_unit_of_a_member_is_that_of_its_leaves_without_one(tmp_path):
    descriptions(
        tmp_path,
        """\
schema_version: 1
components:
  P: { Members: [float a, "float b [rad] // angle"] }
datatypes:
  Hit:
    Description: d
    Author: a
    Members:
      - P p [mm] // where
      - std::array<P, 2> q // both
""",
    )
    source = (tmp_path / "shower" / "HitData.h").read_text()
    leaves = re.findall(
        r'\{"([\w.]+)", kaon::Scalar::Float32, 1,[^"]*"(.*?)",\s+"(.*?)"(?:,\s+"\[2\]")?\}', source
    )
    assert leaves == [
        ("p.a", "mm", "where"),
        ("p.b", "rad", "where: angle"),
        ("q.0.a", "", "both"),
        ("q.0.b", "rad", "both: angle"),
        ("q.1.a", "", "both"),
        ("q.1.b", "rad", "both: angle"),
    ]


def test_texts_cannot_break_out_of_literals_and_comments(tmp_path):
    nasty = 'a "quote", a \\backslash, )json" and ??/ \u00e9\u4e2d at the end \\'
    source = descriptions(
        tmp_path,
        f"""\
schema_version: 1
datatypes:
  Hit:
    Description: {json.dumps(nasty)}
    Author: a
    Members:
      - int x // ends the line \\
      - int y // c
""",
    )
    literal = re.search(r'\.description = ((?:\s*"(?:[^"\\]|\\.)*")+),', source)
    text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literal[1]))
    assert re.sub(r"\\(.)", r"\1", text) == nasty
    assert "??" not in source
    header = (tmp_path / "shower" / "HitData.h").read_text(encoding="utf-8")
    assert not re.search(r"(\\|\?\?/)\n", header)


def test_storage_is_in_the_code(tmp_path):
    source = descriptions(
        tmp_path,
        """\
schema_version: 1
components:
  P: { Members: [float a, int n, double b] }
datatypes:
  Hit:
    Description: d
    Author: a
    Members:
      - P p // where
      - std::array<float, 2> e // both
    VectorMembers:
      - P q // all
  Plain: { Description: d, Author: a, Members: [int n // c] }
storage:
  Hit:
    layout: row
    precision: { p.b: 40, p: 12, e: { low: 0, high: 0.1, step: 1e-5 }, q: 9 }
""",
    )
    rows = re.findall(r'\{"([\w.]+)", \{kaon::Precision::Kind::(.*?)\}\}', source)
    assert rows == [
        ("p.a", "mantissa, 12, 0.0, 0.0, 0"),
        ("p.b", "mantissa, 40, 0.0, 0.0, 0"),  # its own rule takes precedence
        ("e", "range, 0, 0.0, 1e-05, 10000"),
        ("q.a", "mantissa, 9, 0.0, 0.0, 0"),
        ("q.b", "mantissa, 9, 0.0, 0.0, 0"),
    ]
    (told,) = re.findall(r"\.storage = (.*)", source)
    assert told == '{.layout = kaon::Layout::row, .group = "", .precision = precision},'


def model_in(source: str) -> Model:
    return Model.from_dict(json.loads("".join(re.findall(r'R"json\((.*?)\)json"', source, re.S))))


def test_the_model_is_in_the_code(tmp_path):
    lines = "".join(f"      - float x{i} // ){'j' * (i % 7)}json\n" for i in range(1000))
    source = descriptions(
        tmp_path,
        "schema_version: 7\ndatatypes:\n  Hit:\n    Description: d\n    Author: a\n    Members:\n"
        + lines,
    )
    assert model_in(source) == load_model(tmp_path / "shower.yaml")
    literals = re.findall(r'R"json\(.*?\)json"', source, re.S)
    assert len(literals) > 1
    assert all(len(literal) < 16000 for literal in literals)


def test_files_that_are_right_stay_untouched(model_file, tmp_path):
    files = generate(model_file, tmp_path)
    for file in files:
        os.utime(file, ns=(1, 1))
    text = model_file.read_text()
    model_file.write_text(text.replace("its number", "its unique number"))
    generate(model_file, tmp_path)
    assert {file.name for file in files if file.stat().st_mtime_ns != 1} == {
        "Cell.h",
        "CellData.h",
        "shower.cc",
        "shower.model.yaml",
    }


def test_files_without_use_are_removed(model_file, tmp_path):
    generate(model_file, tmp_path)
    folder = tmp_path / "shower"
    (folder / "mine.h").write_text("// Made by me\n")
    (folder / "sub").mkdir()
    text = model_file.read_text()
    model_file.write_text(text.replace("calo::Shower", "calo::Cascade"))
    generate(model_file, tmp_path)
    kept = {re.sub("Shower", "Cascade", name) for name in FILES}
    assert set(os.listdir(folder)) == kept | {"mine.h", "sub"}


def test_a_mistaken_model_touches_nothing(model_file, tmp_path):
    model_file.write_text("schema_version: 0\n")
    with pytest.raises(ModelError):
        generate(model_file, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_command(model_file, tmp_path):
    listed = command(model_file, "-o", tmp_path / "out", "--name", "calo", "--list")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert not (tmp_path / "out").exists()
    made = command(model_file, "-o", tmp_path / "out", "--name", "calo")
    assert (made.returncode, made.stdout, made.stderr) == (0, "", "")
    paths = [Path(line) for line in listed.stdout.splitlines()]
    assert all(path.is_absolute() for path in paths)
    assert sorted(paths) == sorted((tmp_path / "out" / "calo").iterdir())


def test_command_tells_all_mistakes(model_file, tmp_path):
    model_file.write_text("schema_version: 0\ndatatype: {}\n")
    for more in ([], ["--list"]):
        failed = command(model_file, "-o", tmp_path / "out", *more)
        assert (failed.returncode, failed.stdout) == (1, "")
        assert failed.stderr.splitlines() == [
            f"{model_file}:1:17: schema_version: "
            "expected a whole number from 1 to 2147483647, found '0'",
            f"{model_file}:2:1: unknown key 'datatype' (did you mean 'datatypes'?)",
        ]


def test_command_used_wrongly(model_file, tmp_path):
    assert command().returncode == 2
    assert command(model_file).returncode == 2
    assert (
        "choose another name with --name" in command(model_file, "-o", ".", "--name", "a/b").stderr
    )
    failed = command(model_file, "-o", model_file)
    assert failed.returncode == 2
    assert "cannot write" in failed.stderr


def test_reading_a_model_takes_no_jinja2(model_file):
    code = f"""
import sys
sys.modules["jinja2"] = None
from kaon.modelgen import load_model
print(load_model({str(model_file)!r}).name)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert (done.stdout, done.stderr) == ("shower\n", "")


UPSTREAM = """\
schema_version: 1
enums:
  up::Color: { Values: [red, green] }
components:
  up::Point: { Members: [float x] }
datatypes:
  up::Hit: { Description: d, Author: a, Members: [int n // c] }
"""
MIDDLE = """\
schema_version: 1
components:
  middle::Box: { Members: [up::Point low, up::Color color] }
"""
LAST = """\
schema_version: 1
components:
  last::Boxes: { Members: ["std::array<middle::Box, 2> boxes"] }
datatypes:
  last::Track:
    Description: d
    Author: a
    Members:
      - up::Color color{up::Color::green} // c
    OneToManyRelations:
      - up::Hit hits // c
"""


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    """Write three models that use the earlier ones; return their folder."""
    for name, text in (("up", UPSTREAM), ("middle", MIDDLE), ("last", LAST)):
        (tmp_path / f"{name}.yaml").write_text(text)
    return tmp_path


def test_upstream_models(chain):
    upstream = [f"up:{chain / 'up.yaml'}", f"middle:{chain / 'middle.yaml'}"]
    files = generate(chain / "last.yaml", chain, upstream=upstream, version="v1.2")
    assert sorted({file.name for file in files}) == [
        *("Boxes.h", "MutableTrack.h", "Track.h", "TrackCollection.h", "TrackData.h"),
        *("last.cc", "last.h", "last.model.yaml"),
    ]
    folder = chain / "last"
    assert '#include "middle/Box.h"\n' in (folder / "Boxes.h").read_text()
    assert '#include "up/Color.h"\n' in (folder / "TrackData.h").read_text()
    assert '#include "up/Hit.h"\n' in (folder / "Track.h").read_text()
    model = model_in((folder / "last.cc").read_text())
    assert model == load_model(chain / "last.yaml", upstream=upstream, version="v1.2")
    assert [other.name for other in model.upstream] == ["up", "middle"]
    assert [datatype.name for datatype in model.whole().datatypes] == ["up::Hit", "last::Track"]


def test_upstream_models_used_wrongly(chain):
    up, middle = f"up:{chain / 'up.yaml'}", f"middle:{chain / 'middle.yaml'}"
    with pytest.raises(ModelError, match=r"middle.yaml:3:28: .*undeclared type 'up::Point'"):
        load_model(chain / "last.yaml", upstream=[middle, up])
    with pytest.raises(ValueError, match="two models have the name 'up'"):
        load_model(chain / "last.yaml", upstream=[up, up])
    with pytest.raises(
        ValueError, match="'up.yaml' is not an upstream model such as NAME:FILE.yaml"
    ):
        load_model(chain / "last.yaml", upstream=["up.yaml"])
    with pytest.raises(ValueError, match="'1' is not a version such as v1.2.3"):
        load_model(chain / "last.yaml", version="1")
    (chain / "last.yaml").write_text("schema_version: 1\nenums: {up::Point: {Values: [a]}}\n")
    with pytest.raises(
        ModelError, match=r"2:9: enum .* the upstream model 'up' has a type of this"
    ):
        load_model(chain / "last.yaml", upstream=[up])


def test_command_with_upstream_models(chain):
    options = [f"--upstream=up:{chain / 'up.yaml'}", f"--upstream=middle:{chain / 'middle.yaml'}"]
    read = command(chain / "last.yaml", "-o", chain, *options, "--sources")
    assert read.stdout.splitlines() == [str(chain / f"{n}.yaml") for n in ("up", "middle", "last")]
    wrong = command(chain / "last.yaml", "-o", chain, "--datamodel-version=new")
    assert (wrong.returncode, wrong.stderr.count("'new' is not a version")) == (2, 1)


def test_the_whole_model_in_one_file(model_file, tmp_path):
    (tmp_path / "code.ipp").write_text("int f() const { return 1; }\n")
    code = "    ExtraCode: { declarationFile: code.ipp }\n    OneToManyRelations:\n"
    text = model_file.read_text()
    model_file.write_text(text.replace("    OneToManyRelations:\n", code, 1))
    told = next(f for f in generate(model_file, tmp_path / "out") if f.suffix == ".yaml")
    (tmp_path / "code.ipp").unlink()
    model = load_model(told, name="shower")
    assert "int f()" in str(model.datatypes)
    assert [type_.name for type_ in model.datatypes] == ["calo::Cell", "calo::Shower"]
    with pytest.raises(ValueError, match="generating would overwrite"):
        generate(told, tmp_path / "out", name="shower")


def test_extra_code_is_written_as_it_is(tmp_path):
    path = tmp_path / "shower.yaml"
    long = "  int f() const { return 1; } // " + "{ not code } " * 10
    path.write_text(
        f"""\
schema_version: 1
components:
  P:
    Members: [int x]
    ExtraCode:
      declaration: |-
        bool operator==(const {{name}}& other) const {{ return x == other.x; }}
datatypes:
  Hit:
    Description: d
    Author: a
    ExtraCode:
      includes: "#include <cmath>"
      declaration: |2-
      {long}
        int g() const;
      implementation: "int {{name}}::g() const {{ return 2; }}"
    MutableExtraCode:
      declaration: "void g(int);"
"""
    )
    files = {file.name: file.read_text() for file in generate(path, tmp_path)}
    assert "= default" not in files["P.h"]
    assert "\nbool operator==(const P& other) const { return x == other.x; }\n" in files["P.h"]
    assert "\n#include <cmath>\n" in files["Hit.h"]
    assert f"\n{long.strip()}\n" in files["Hit.h"].replace("\n  int f", "\nint f")
    # The mutable class would otherwise hide g() with its own function.
    assert files["Hit.h"].count("int g() const;") == 2
    assert "int Hit::g() const { return 2; }\n" in files["Hit.cc"]
    assert "int MutableHit::g() const { return 2; }\n" in files["MutableHit.cc"]


def test_mutable_classes_refer_to_members(tmp_path):
    path = tmp_path / "shower.yaml"
    path.write_text(
        """\
schema_version: 1
components:
  P:
    Members: [int x, int y]
datatypes:
  Hit:
    Description: d
    Author: a
    Members:
      - int number // a number is set
      - P at // where
      - std::string name // no reference, because it is a view
    MutableExtraCode:
      declaration: |
        void setX(int x) { at().x = this->at().y + x; }
"""
    )
    files = {file.name: file.read_text() for file in generate(path, tmp_path)}
    assert "\nvoid setX(int x) { at().x = this->at().y + x; }\n" in files["Hit.h"]
    assert "  ::P& at() { return inPlace<::P>(offsetof(DataType, at)); }\n" in files["Hit.h"]
    assert (
        "  int& number() { return inPlace<int>(offsetof(DataType, number)); }\n" in files["Hit.h"]
    )
    assert "& name()" not in files["Hit.h"]
