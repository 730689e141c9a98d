"""Builds the C++ reference of the site, for mkdocs: doxygen's declarations, headers' comments.

A line `::: kaon::Reader` in docs/reference/cpp.md becomes the class, struct, enum, functions,
variable or alias of this name.
"""

import re
import textwrap
from functools import cache
from itertools import takewhile
from pathlib import Path
from xml.etree import ElementTree

from mkdocs.exceptions import PluginError

ROOT = Path(__file__).parent.parent
XML = ROOT / "build/doxygen/xml"
WIDTH = 98
COMMENT = re.compile(r"\s*///(?!<) ?")
COMMENT_BEHIND = re.compile(r".*///< ")
END_OF_ANOTHER = re.compile(r"\s*$|\s*(//|#)|.*[;{}:](\s*//.*)?$")


def on_page_markdown(markdown, page, **_):
    """Replace each line `::: NAME` with the entry of the name."""
    if page.file.src_uri != "reference/cpp.md":
        return markdown
    return re.sub(r"^::: (\S+)$", lambda match: entry(match[1]), markdown, flags=re.MULTILINE)


def entry(name):
    """Return the entry of a name, as Markdown."""
    short = name.removeprefix("kaon::")
    if path := compounds().get(name):
        found = ElementTree.parse(path).getroot().find("compounddef")
        members = declarations(public_members(found), "  ")
        said = as_markdown(comment(found))
        lines = [f"{template_of(found)}{found.get('kind')} {short} {{", *members, "};"]
    elif members := free_members().get(name):
        found, said = members[0], ""
        lines = declarations(members, "")
    else:
        raise PluginError(f"docs/reference/cpp.md: doxygen knows no {name}")
    header = f"`#include <{found.find('location').get('file')}>`"
    code = "\n".join(lines)
    return "\n\n".join(filter(None, [f"### {short}", header, said, f"```cpp\n{code}\n```"]))


@cache
def compounds():
    """Return the XML files of classes and structs by name."""
    index = ElementTree.parse(XML / "index.xml").getroot()
    wanted = [each for each in index if each.get("kind") in ("class", "struct")]
    return {each.findtext("name"): XML / f"{each.get('refid')}.xml" for each in wanted}


@cache
def free_members():
    """Return the functions, variables, enums and aliases outside classes, by name."""
    members = {}
    for path in sorted([*XML.glob("namespace*.xml"), *XML.glob("*_8h.xml")]):  # by version
        for member in ElementTree.parse(path).iter("memberdef"):
            if member.get("kind") in ("function", "variable", "enum", "typedef"):
                named = members.setdefault(member.findtext("qualifiedname"), {})
                named.setdefault(member.get("id"), member)
    return {name: [*found.values()] for name, found in members.items()}


def public_members(compound):
    """Return the members that users call, without copy and move operations and the destructor."""
    name = compound.findtext("compoundname").split("::")[-1]
    usual = re.compile(rf"~|.*operator=\(|{name}\((const )?{name}(<\w+>)? ?&")
    return [
        member
        for member in compound.findall("sectiondef/memberdef")
        if member.get("prot") == "public" and member.get("kind") in ("function", "variable", "enum")
        if member.get("kind") != "function" or text(member.find("argsstring"))  # else misread
        if not usual.match(declaration(member)) and "or the library." not in str(comment(member))
    ]


def declarations(members, indent):
    """Return lines of C++: each member, after its comment."""
    lines = []
    for member in members:
        said = comment(member)
        lines += [""] * bool(said and lines) + [f"{indent}/// {line}".rstrip() for line in said]
        lines += textwrap.wrap(
            declaration(member) + ";",
            WIDTH,
            initial_indent=indent,
            subsequent_indent=f"{indent}    ",
            break_long_words=False,
        )
    return lines


def declaration(member):
    """Return the declaration of a function, variable, enum or alias, without enclosing names."""
    name = member.findtext("name")
    if member.get("kind") == "typedef":
        return tidy(f"using {name} = {text(member.find('type'))}")
    if member.get("kind") == "enum":
        values = ", ".join(each.findtext("name") for each in member.iter("enumvalue"))
        return f"enum class {name} {{ {values} }}"
    words = [word for word in ("static", "explicit") if member.get(word) == "yes"]
    words += [text(member.find("type")), name + text(member.find("argsstring"))]
    words.append(text(member.find("initializer")) if member.get("kind") == "variable" else "")
    return template_of(member) + tidy(" ".join(filter(None, words)))


def template_of(element):
    """Return `template <...>` and a space for a template; "" for anything else."""
    parameters = [
        " ".join(filter(None, (text(each.find("type")), text(each.find("declname")))))
        for each in element.findall("templateparamlist/param")
    ]
    return f"template <{tidy(', '.join(parameters))}> " if parameters else ""


@cache
def header_lines(path):
    """Return the lines of a header."""
    return (ROOT / "include" / path).read_text().splitlines()


def comment(element):
    """Return the comment of a class or member, line by line."""
    place = element.find("location")
    lines, line = header_lines(place.get("file")), int(place.get("line")) - 1
    if COMMENT_BEHIND.match(lines[line]):
        more = takewhile(re.compile(r"\s*///< ").match, lines[line + 1 :])
        return [COMMENT_BEHIND.sub("", each) for each in (lines[line], *more)]
    while line and not END_OF_ANOTHER.match(lines[line - 1]):
        line -= 1
    above = takewhile(COMMENT.match, reversed(lines[:line]))
    return [COMMENT.sub("", each) for each in above][::-1]


def as_markdown(lines):
    """Return a comment as Markdown; indented paragraphs are code."""
    parts = "\n".join(lines).split("\n\n")
    return "\n\n".join(
        f"```cpp\n{textwrap.dedent(part)}\n```"
        if part.startswith("  ")
        else re.sub(r"(`[^`]*`)|([<\[])", lambda found: found[1] or f"\\{found[2]}", part)
        for part in parts
    )


def text(element):
    """Return an element's text on one line."""
    return "" if element is None else " ".join("".join(element.itertext()).split())


def tidy(code):
    """Return code with the spacing of the headers instead of doxygen's."""
    code = re.sub(r"(?<=[^<]<) | (?=>(?!=))|(?<=operator) ", "", code)
    code = re.sub(r"(?<!\d) ([&*]+) ?(?=[\w.),>])", r"\1 ", code)
    code = re.sub(r"(?<=[&*]) (?=[).>])", "", code)
    return re.sub(r"(?<=\w)=(?=[\w{:\"'-])", " = ", code).replace("  ", " ")
