#!/usr/bin/env python3
"""Compare the declarations in include/ with docs/api/cpp.txt and with the reference.

docs/api/cpp.txt records headers, types, functions and public members, except those in namespaces
and folders `detail`. Reviews therefore show each change of the interface. `--update` writes the
file. The reference, docs/reference/cpp.md, must list each name in namespace kaon.
"""

import argparse
import re
import sys
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "include"
SURFACE = ROOT / "docs/api/cpp.txt"
REFERENCE = ROOT / "docs/reference/cpp.md"

# Comments, preprocessor lines, literals, words, and all other characters one by one.
TOKEN = re.compile(
    r"""
    (?P<blank>\s+ | //[^\n]* | /\*.*?\*/ | (?:(?<=\n)|\A)[ ]*\#(?:[^\n\\]|\\.)*)
  | (?P<text>"(?:[^"\\]|\\.)*" | (?<![0-9a-fA-F])'(?:[^'\\]|\\.)+')
  | (?P<word>[A-Za-z_]\w* | \d[\w.']*)
  | (?P<sign>:: | -> | && | \|\| | << | <=> | <= | >= | .)
    """,
    re.VERBOSE | re.DOTALL,
)
CLOSING = {"(": ")", "[": "]", "{": "}"}
TYPES = {"class", "struct", "union", "enum"}


@dataclass
class Declaration:
    """A declaration: its words on one line, the name that it introduces, and public members."""

    text: str
    name: str
    members: list["Declaration"] = field(default_factory=list)


class Parser:
    """Finds the declarations of a header; supports the parts of C++ that kaon's headers use."""

    def __init__(self, path):
        self.path = path
        self.source = path.read_text()
        self.tokens = [
            (match[0], match.start(), match.end())
            for match in TOKEN.finditer(self.source)
            if match.lastgroup != "blank"
        ]
        self.i = 0

    def peek(self, ahead=0):
        place = self.i + ahead
        return self.tokens[place][0] if place < len(self.tokens) else ""

    def skip_group(self):
        """Skip `(...)`, `[...]` or `{...}` and everything nested in it."""
        depth = 0
        while token := self.peek():
            depth += (token in CLOSING) - (token in CLOSING.values())
            self.i += 1
            if not depth:
                return

    def skip_angles(self):
        """Skip `<...>`."""
        depth = 0
        while token := self.peek():
            if token in CLOSING:
                self.skip_group()
                continue
            depth += (token == "<") - (token == ">")
            self.i += 1
            if not depth:
                return

    def namespaces(self, prefix=""):
        """Yield `(namespace, declaration)` up to the end of a namespace."""
        while (token := self.peek()) and token != "}":
            if token == "namespace":
                self.i += 1
                name = ""
                while self.peek() != "{":
                    name += self.peek()
                    self.i += 1
                self.i += 1
                yield from self.namespaces("::".join(filter(None, (prefix, name))))
                self.i += 1
            elif token == "extern" and self.peek(2) == "{":
                self.i += 3
                yield from self.namespaces(prefix)
                self.i += 1
            elif found := self.declaration():
                yield prefix, found

    def members(self, is_public):
        """Return the public declarations up to the end of a class."""
        found = []
        while (token := self.peek()) != "}":
            if token in ("public", "protected", "private") and self.peek(1) == ":":
                is_public = token == "public"
                self.i += 2
            elif (member := self.declaration()) and is_public:
                found.append(member)
        return found

    def declaration(self):
        """Read one declaration; return None for those that introduce no name."""
        start = self.tokens[self.i][1] if self.i < len(self.tokens) else 0
        first = self.i
        kind, name, members, end = "", "", [], None
        while token := self.peek():
            if token == "template" and self.peek(1) == "<":
                self.i += 1
                self.skip_angles()
                if self.peek() == "requires":
                    self.skip_constraint()
            elif token == "[" and self.peek(1) == "[":
                self.skip_group()
            elif token in TYPES and not kind:
                kind = token
                self.i += 1
                if kind == "enum" and self.peek() in ("class", "struct"):
                    self.i += 1
                while self.peek() == "[":
                    self.skip_group()
                name = self.type_name()
            elif token in ("using", "concept", "static_assert") and not kind:
                kind = token
                self.i += 1
                name = self.peek() if self.peek() != "namespace" else ""
            elif token == "operator" and kind in ("", "variable", "using"):
                begin = self.i
                self.i += 1
                if self.peek() == "(" and self.peek(1) == ")":
                    self.i += 2
                while self.peek() not in ("(", ""):
                    self.i += 1
                if kind != "using":
                    kind = "function"
                    name = self.source[self.tokens[begin][1] : self.tokens[self.i][1]].strip()
            elif token == "(":
                if kind == "" and self.i > first:
                    kind, name = "function", self.name_before()
                self.skip_group()
            elif token == "<" and kind in ("", "function"):
                self.skip_angles()
            elif token == "=" and kind in ("", "variable"):
                kind, name = "variable", name or self.name_before()
                self.skip_to(";")
            elif token == "=" and kind in ("concept", "using"):
                self.skip_to(";")
            elif token == "requires" and kind == "function":
                self.skip_constraint()
            elif token == ":" and kind == "function":
                end = end or self.i
                self.skip_initializers()
            elif token == "{":
                if kind in TYPES and kind != "enum":
                    end = self.i
                    self.i += 1
                    members = self.members(kind != "class")
                    self.i += 1
                    self.skip_to(";")
                elif kind == "enum":
                    self.skip_group()
                elif kind == "function":
                    end = end or self.i
                    self.skip_group()
                    if self.peek() == ";":
                        self.i += 1
                    return self.made(kind, start, end, name, members)
                else:
                    kind, name = "variable", name or self.name_before()
                    self.skip_group()
            elif token == ";":
                end = end or self.i
                if not kind:
                    kind, name = "variable", self.name_before()
                self.i += 1
                return self.made(kind, start, end, name, members)
            else:
                self.i += 1
        raise ValueError(f"{self.path}: a declaration has no end: {self.source[start:][:60]!r}")

    def made(self, kind, start, end, name, members):
        if re.match(r"(?!std::)\w+::", name):  # a member defined outside its class, or internals
            return None
        text = self.source[start : self.tokens[end - 1][2]] if end else ""
        text = re.sub(r"//[^\n]*|/\*.*?\*/|^ *#.*", " ", text, flags=re.DOTALL | re.MULTILINE)
        text = " ".join(text.split())
        if kind == "static_assert" or not text or not name:
            return None
        return Declaration(text, name, members)

    def type_name(self):
        """Read the name of a type, with the arguments of a specialization."""
        begin = self.i
        while self.peek() not in (":", "{", ";", "final", "") and not (
            self.i > begin and self.peek().isidentifier() and self.peek(-1) not in ("::",)
        ):
            if self.peek() == "<":
                self.skip_angles()
            else:
                self.i += 1
        text = self.source[self.tokens[begin][1] : self.tokens[self.i][1]]
        return " ".join(text.split())

    def name_before(self):
        """Return the name in front of `(`, `=`, `{` or `;`."""
        place = self.i - 1
        while self.tokens[place][0] == "]":  # of an array
            while self.tokens[place][0] != "[":
                place -= 1
            place -= 1
        name, before = self.tokens[place][0], self.tokens[place - 1][0]
        if before == "::" or not (name[0].isalpha() or name[0] == "_"):
            return ""  # a definition of a member, or a specialization: its name is elsewhere
        return "~" + name if before == "~" else name

    def skip_to(self, sign):
        while self.peek() not in (sign, ""):
            if self.peek() in CLOSING:
                self.skip_group()
            else:
                self.i += 1

    def skip_constraint(self):
        """Skip `requires` and its conditions."""
        self.i += 1
        while True:
            while self.peek() == "!":
                self.i += 1
            if self.peek() == "requires":
                self.i += 1
                if self.peek() == "(":
                    self.skip_group()
                self.skip_group()
            elif self.peek() == "(":
                self.skip_group()
            else:
                while self.peek(1) == "::" or self.peek() == "::":
                    self.i += 1
                    if self.peek() == "<":
                        break
                self.i += 1
                if self.peek() == "<":
                    self.skip_angles()
                while self.peek() == "::":
                    self.i += 2
            if self.peek() not in ("&&", "||"):
                return
            self.i += 1

    def skip_initializers(self):
        """Skip the members that a constructor initializes, up to its body."""
        while True:
            self.i += 1
            while self.peek() not in ("(", "{"):
                if self.peek() == "<":
                    self.skip_angles()
                else:
                    self.i += 1
            self.skip_group()
            if self.peek() == ".":  # a pack
                self.i += 3
            if self.peek() != ",":
                return


def is_public(namespace):
    return "detail" not in namespace.split("::")


def surface():
    """Return the headers with their declarations: `{name: [(namespace, declaration)]}`."""
    headers = {}
    for path in sorted(INCLUDE.rglob("*.h")):
        name = path.relative_to(INCLUDE)
        if "detail" not in name.parts:
            found = Parser(path).namespaces()
            headers[name.as_posix()] = [each for each in found if is_public(each[0])]
    return headers


def lines_of(headers):
    """Yield the lines of docs/api/cpp.txt."""
    yield "The C++ interface of kaon: scripts/check-surface.py --update writes this file."
    for header, declarations in headers.items():
        yield from ("", f"<{header}>")
        for namespace, declaration in declarations:
            yield f"{namespace}: {declaration.text}".lstrip(": ")
            yield from member_lines(declaration, "  ")


def member_lines(declaration, indent):
    for member in declaration.members:
        yield indent + member.text
        yield from member_lines(member, indent + "  ")


def undocumented(headers):
    """Yield `(header, name)` for each name in namespace kaon that no page of the reference has."""
    reference = re.findall(r"(?:^::: |`)(kaon::\w+)", REFERENCE.read_text(), re.MULTILINE)
    for header, declarations in headers.items():
        for namespace, declaration in declarations:
            name = f"{namespace}::{declaration.name}"
            if namespace == "kaon" and "operator" not in name and "<" not in name:
                if name not in reference:
                    yield header, name


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--update", action="store_true", help="write docs/api/cpp.txt")
    options = parser.parse_args()
    headers = surface()
    lines = list(lines_of(headers))
    if options.update:
        SURFACE.parent.mkdir(exist_ok=True)
        SURFACE.write_text("\n".join([*lines, ""]))
    page = REFERENCE.relative_to(ROOT)
    wrong = [
        f"include/{header}: {name} is not in {page}; add it, or move it into namespace detail"
        for header, name in dict.fromkeys(undocumented(headers))
    ]
    known = SURFACE.read_text().splitlines() if SURFACE.exists() else []
    changes = [*unified_diff(known, lines, "recorded", "in include/", lineterm="", n=0)]
    if changes:
        wrong += [*changes, "the interface differs: run scripts/check-surface.py --update"]
    names = sum(len(declarations) for declarations in headers.values())
    print("\n".join(wrong) or f"{names} declarations in {len(headers)} headers, as recorded")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
