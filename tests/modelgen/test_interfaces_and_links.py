"""The classes for interfaces and links, and mistakes in them."""

import pytest

from kaon.modelgen import ModelError, generate, load_model, to_yaml

MODEL = """\
schema_version: 1
options: { getSyntax: true }
components:
  Point:
    Members: [float x]
datatypes:
  a::Pixel:
    Description: d
    Author: a
    Members:
      - Point at // where
      - int time // when
  b::Strip:
    Description: d
    Author: a
    Members:
      - int time // when
      - Point at // where
    OneToManyRelations:
      - a::Hit others // near it
interfaces:
  a::Hit:
    Description: "A hit"
    Author: "me"
    Members:
      - int time // when
      - Point at [mm] // where
    Types: [a::Pixel, b::Strip]
links:
  b::HitLink:
    Description: "A link"
    Author: "me"
    From: a::Hit
    To: b::Strip
"""


def test_an_interface_knows_where_each_type_has_its_members(load, tmp_path):
    path = tmp_path / "hits.yaml"
    path.write_text(MODEL)
    generate(path, tmp_path)
    text = (tmp_path / "hits" / "Hit.h").read_text()
    assert "class Hit : public kaon::Interface<a::Pixel, b::Strip> {" in text
    assert "int Hit::getTime() const { return member<int, 1, 0>(); }" in text
    assert "::Point Hit::getAt() const { return member<::Point, 0, 1>(); }" in text


def test_a_link_is_one_of_the_library(load, tmp_path):
    path = tmp_path / "hits.yaml"
    path.write_text(MODEL)
    generate(path, tmp_path)
    text = (tmp_path / "hits" / "HitLink.h").read_text()
    assert "struct kaon::detail::LinkModel<a::Hit, b::Strip> {" in text
    assert "using HitLink = kaon::Link<a::Hit, b::Strip>;" in text
    assert "using HitLinkCollection = kaon::LinkCollection<a::Hit, b::Strip>;" in text


def test_an_interface_needs_no_members(load):
    begin, _, end = MODEL.partition("    Members:\n      - int time // when\n      - Point at [mm]")
    end = end.partition("\n")[2]
    for text in (begin + end, f"{begin}    Members: []\n{end}"):
        (interface,) = load(text).interfaces
        assert interface.members == ()
        assert [named.type for named in interface.types] == ["a::Pixel", "b::Strip"]
        assert load(to_yaml(load(text))) == load(text)


def test_members_of_an_interface_can_be_functions_that_read_values(load, mistakes):
    function = "    ExtraCode: { declaration: 'DECLARED' }\n    OneToManyRelations:"
    text = MODEL.replace("    OneToManyRelations:", function).replace("Point at [mm]", "int age")
    text = text.replace("Point at // where\n      - int", "int age // where\n      - int")
    assert load(text.replace("DECLARED", "int getAge() const { return 3; }"))
    wrong = ["28:13: interface 'a::Hit': 'b::Strip' has no member 'age' (did you mean 'at'?)"]
    assert mistakes(text.replace("DECLARED", "int getAged() const { return 3; }")) == wrong
    # A function may return a temporary string, which would be destroyed before it is read.
    text = text.replace("int age", "std::string age")
    wrong = ["28:21: interface 'a::Hit': 'b::Strip' has no member 'age' (did you mean 'at'?)"]
    assert mistakes(text.replace("DECLARED", "std::string getAge() const { return {}; }")) == wrong


def test_optional_members_and_enums_are_common(tmp_path):
    path = tmp_path / "hits.yaml"
    text = MODEL.replace("components:", "enums: { a::E: { Values: [x] } }\ncomponents:")
    path.write_text(
        text.replace("int time", "std::optional<float> time").replace(
            "- Point at", "- std::array<std::array<a::E, 2>, 3> at"
        )
    )
    generate(path, tmp_path)
    text = " ".join((tmp_path / "hits" / "Hit.h").read_text().split())
    time = "Hit::getTime() const { return member<kaon::Optional<float>, 1, 0>(); }"
    assert f"inline const std::optional<float> {time}" in text
    assert "std::array<a::E, 2> getAt(std::size_t i) const;" in text


def test_types_of_upstream_models(tmp_path):
    (tmp_path / "up.yaml").write_text(MODEL)
    path = tmp_path / "down.yaml"
    own = """\
schema_version: 1
datatypes:
  D: { Description: d, Author: a, OneToOneRelations: [a::Hit hit // c] }
interfaces:
  I: { Description: d, Author: a, Members: [int time // c], Types: [a::Pixel, b::Strip] }
links:
  L: { Description: d, Author: a, From: D, To: a::Hit }
"""
    path.write_text(own)
    upstream = [f"up:{tmp_path / 'up.yaml'}"]
    generate(path, tmp_path, upstream=upstream)
    assert '#include "up/Hit.h"\n' in (tmp_path / "down/D.h").read_text()
    assert "member<int, 1, 0>()" in (tmp_path / "down/I.h").read_text()
    assert '#include "up/Hit.h"\n' in (tmp_path / "down/L.h").read_text()
    path.write_text(own.replace("From: D, To: a::Hit", "From: a::Hit, To: b::Strip"))
    with pytest.raises(ModelError, match=r"7:3: link 'L': 'b::HitLink' links the same types"):
        load_model(path, upstream=upstream)


@pytest.mark.parametrize(
    ("old", "new", "mistake"),
    [
        (
            "- Point at [mm]",
            "- Point att [mm]",
            "27:15: interface 'a::Hit': 'a::Pixel' has no member 'att' (did you mean 'at'?)",
        ),
        (
            "      - int time // when\n      - Point at [",
            "      - long time // when\n      - Point at [",
            "26:9: interface 'a::Hit': 'time' is of type int in 'a::Pixel'",
        ),
        (
            "[a::Pixel, b::Strip]",
            "[a::Pixel, b::Stripe]",
            "28:23: interface 'a::Hit': undeclared datatype 'b::Stripe' (did you mean 'b::Strip'?)",
        ),
        (
            "[a::Pixel, b::Strip]",
            "[a::Pixel, a::Hit]",
            "28:23: interface 'a::Hit': 'a::Hit' is an interface, not a datatype",
        ),
        (
            "[a::Pixel, b::Strip]",
            "[a::Pixel, Point]",
            "28:23: interface 'a::Hit': 'Point' is a component, not a datatype",
        ),
        (
            "[a::Pixel, b::Strip]",
            "[a::Pixel, a::Pixel]",
            "28:23: interface 'a::Hit': 'a::Pixel' appears twice",
        ),
        (
            "[a::Pixel, b::Strip]",
            "[]",
            "22:3: interface 'a::Hit': an interface needs at least one type",
        ),
        (
            "[a::Pixel, b::Strip]",
            "a::Pixel",
            "28:12: interface 'a::Hit': Types: expected a list of names, found 'a::Pixel'",
        ),
        (
            "    Types: [a::Pixel, b::Strip]\n",
            "",
            "22:3: interface 'a::Hit': the key 'Types' is missing",
        ),
        (
            "    Types: [",
            "    Kinds: []\n    Types: [",
            "28:5: interface 'a::Hit': unknown key 'Kinds'; use one of Description, Author, Types, "
            "Members",
        ),
        (
            "- Point at [mm]",
            "- int place [mm]",
            "27:13: interface 'a::Hit': 'b::Strip' has no member 'place'",
        ),
        (
            "- Point at [mm] // where",
            "- Point at [mm]",
            "27:22: interface 'a::Hit': 'at' needs a '// comment'",
        ),
        (
            "int time // when\n      - Point at [",
            "int time{3} // when\n      - Point at [",
            "26:18: interface 'a::Hit': 'time' cannot have a default: the datatypes set it",
        ),
        ("    From: a::Hit\n", "", "30:3: link 'b::HitLink': the key 'From' is missing"),
        (
            "From: a::Hit",
            "From: a::Hits",
            "33:11: link 'b::HitLink': undeclared datatype 'a::Hits' (did you mean 'a::Hit'?)",
        ),
        (
            "To: b::Strip",
            "To: Point",
            "34:9: link 'b::HitLink': 'Point' is a component, not a datatype",
        ),
        (
            "To: b::Strip",
            "To: b::HitLink",
            "34:9: link 'b::HitLink': 'b::HitLink' is a link, not a datatype",
        ),
        (
            "To: b::Strip",
            "To: b::Strip\n    Weight: 1",
            "35:5: link 'b::HitLink': unknown key 'Weight'; use one of Description, Author, From, "
            "To",
        ),
        (
            "b::HitLink:",
            "b::Pixel:",
            "30:3: link 'b::Pixel': its header 'Pixel.h' is the header of datatype 'a::Pixel'",
        ),
        (
            "- Point at // where\n      - int",
            "- a::Hit at // where\n      - int",
            "11:9: datatype 'a::Pixel': 'a::Hit' is "
            "an interface, not a component (did you mean a relation?)",
        ),
        (
            "- a::Hit others",
            "- b::HitLink others",
            "20:9: datatype 'b::Strip': 'b::HitLink' is a link, not a datatype",
        ),
    ],
)
def test_mistakes_are_told_with_their_places(mistakes, old, new, mistake):
    assert MODEL.count(old) == 1
    assert mistake in mistakes(MODEL.replace(old, new))


def test_two_links_of_one_pair_would_be_one_class(mistakes):
    again = MODEL.partition("links:\n")[2].replace("b::HitLink", "b::Other")
    assert mistakes(MODEL + again) == [
        "35:3: link 'b::Other': 'b::HitLink' links the same types: use it for these links, "
        "too, in a collection of another name"
    ]


def test_functions_of_interfaces_have_their_names(mistakes):
    text = MODEL.replace("{ getSyntax: true }", "{}").replace(" at ", " visit ")
    assert mistakes(text) == [
        "27:15: interface 'a::Hit': 'visit' needs a function 'visit', but kaon uses "
        "this name itself"
    ]


def test_the_model_is_right(mistakes):
    assert mistakes(MODEL) == []
