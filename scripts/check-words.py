#!/usr/bin/env python3
"""Check that kaon's prose is plain: see docs/style.md.

Without arguments it checks every page. With `--sources` it checks the comments, docstrings and
messages of all sources, build files included, and the names of tests. Strings of tests are data,
except docstrings. Arguments name the files to check instead.
"""

import argparse
import io
import json
import re
import sys
import tokenize
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
LONGEST_SENTENCE = 30
LONGEST_MEAN = 18
LONGEST_LABEL = 12  # words in a cell of a table that are no sentence

# Phrases that must not occur in a sentence, and the plain alternative.
PHRASES = [
    (
        r"\bwhat (?:is|are|was|were|has|have|had|it|they|of|that)\b"
        r"|\b(?:of|to|for|by|from|with|than) what\b",
        "name the thing: 'the columns that', 'the file'",
    ),
    (r"^What\b(?!,\S).*", "begin with the subject, and name it"),
    (
        r"^Who\b.*|\b(?:for|to|by|of|from|with|than|and|or|if) who\b|[;:] who\b",
        "name the person: 'you', 'users who', 'programs that'",
    ),
    (
        r"\b(?:is|are|was|were|be|being) (?-i:none)\b|\bnone there (?:is|are)\b",
        "write 'is missing', 'is empty', 'has no …' or 'None'",
    ),
    (r"\bof which\b", "start a new sentence, or write 'whose'"),
    (
        r"\bsuch\b(?! as\b)(?!(?<=\bno\Wsuch) file\b)",  # "no such file": a message of systems
        "write 'these' or 'like this', or name the thing; only 'such as' is plain",
    ),
    (r"^(?:and )?the same\W*$", "repeat the statement for this case"),
    (r"^likewise\W*$", "repeat the statement for this case"),
]
FORBIDDEN = [(re.compile(pattern, re.IGNORECASE), remedy) for pattern, remedy in PHRASES]

TEST_NAME = re.compile(r"^ *(?:\w*TEST\w*\(\w+,\s*(\w+)\)|def (test_\w+)\()", re.MULTILINE)
VAGUE_NAME = re.compile(r"\b(?:what|whatever|who|such|(?:is|are|be) none)\b")


class Passage(NamedTuple):
    """Text that belongs together: a paragraph, an item of a list, or a cell of a table."""

    line: int
    text: str
    is_cell: bool = False


class Sentence(NamedTuple):
    line: int
    text: str

    def words(self):
        return sum(any(map(str.isalnum, word)) for word in self.text.split())


def without_marks(text):
    """Return Markdown as plain words on the same lines; code counts as one word."""

    def as_code(match):
        return "x" + "\n" * match[0].count("\n")

    text = re.sub(r"<!--.*?-->", lambda match: "\n" * match[0].count("\n"), text, flags=re.DOTALL)
    text = re.sub(r"(`+)(?:(?!\n\n).)+?\1", as_code, text, flags=re.DOTALL)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"<https?:[^>]*>|\*+", "", text)


def without_code(text):
    """Return Markdown with the lines of its blocks of code emptied."""
    lines, fence = [], None
    for line in text.splitlines():
        mark = re.match(r"\s*(```+|~~~+)", line)
        lines.append("" if mark or fence else line)
        if mark:
            fence = mark[1] if fence is None else None
    return "\n".join(lines)


def passages(text):
    """Yield the passages of a page; headings and heads of tables are not among them."""
    lines = without_marks(without_code(text)).splitlines()
    start, paragraph = 0, []
    for number, line in enumerate([*lines, ""], start=1):
        is_table = line.lstrip().startswith("|")
        is_item = re.match(r"\s*(?:[-*+]|\d+\.)\s", line)
        ends = not line.strip() or is_table or is_item or re.match(r"#|:::|!!!", line)
        if ends and paragraph:
            yield Passage(start, "\n".join(paragraph))
            paragraph = []
        if is_table:
            below = lines[number] if number < len(lines) else ""
            if not any(re.fullmatch(r"[\s|:-]+", row) for row in (line, below)):
                yield from (
                    Passage(number, cell, is_cell=True) for cell in re.split(r"(?<!\\)\|", line)
                )
        elif not ends or is_item:
            start = start if paragraph else number
            paragraph.append(re.sub(r"^\s*(?:[-*+]|\d+\.|>)\s+", "", line))


def sentences(passage):
    """Yield the sentences of a passage."""
    begin = 0
    for end in re.finditer(
        r"(?<!e\.g)(?<!i\.e)(?<!etc)(?<!vs)(?<!cf)[.!?][)\"'”]*(?:\s+|$)|$", passage.text
    ):
        text = passage.text[begin : end.end()]
        if text.strip():
            skipped = begin + len(text) - len(text.lstrip())
            line = passage.line + passage.text.count("\n", 0, skipped)
            yield Sentence(line, " ".join(text.split()))
        begin = end.end()


def faults(sentence):
    """Yield the faults of a sentence, each with its remedy."""
    for pattern, remedy in FORBIDDEN:
        match = None if sentence.text.endswith("?") else pattern.search(sentence.text)
        if match:
            yield f"'{' '.join(match[0].split()[:6])}': {remedy}"
    if (count := sentence.words()) > LONGEST_SENTENCE:
        yield f"a sentence of {count} words: split it; the limit is {LONGEST_SENTENCE}"


def mean_words(text):
    """Return the mean number of words of a page's sentences; short cells of tables do not count."""
    lengths = [
        sentence.words()
        for passage in passages(text)
        if not passage.is_cell or len(passage.text.split()) > LONGEST_LABEL
        for sentence in sentences(passage)
    ]
    return sum(lengths) / max(len(lengths), 1)


def offences(text):
    """Yield `(line, message)` for each fault of a page's sentences."""
    for passage in passages(text):
        for sentence in sentences(passage):
            yield from ((sentence.line, fault) for fault in faults(sentence))


def name_offences(source):
    """Yield `(line, message)` for each name of a test that does not name its subject."""
    for match in TEST_NAME.finditer(source):
        name = match[1] or match[2]
        words = re.sub(r"(?<=[a-z\d])(?=[A-Z])|_", " ", name).lower()
        if vague := VAGUE_NAME.search(words):
            line = source.count("\n", 0, match.start()) + 1
            yield line, f"the test '{name}' says '{vague[0]}': name the thing"


def page_offences(text):
    """Yield `(line, message)` for each fault of a page, its mean sentence included."""
    yield from offences(text)
    if (mean := mean_words(text)) > LONGEST_MEAN:
        yield 1, f"sentences have {mean:.1f} words on average; the limit is {LONGEST_MEAN}"


class Words(NamedTuple):
    """Prose of a source. If it ends a passage, the words that follow do not continue it."""

    line: int
    text: str
    ends: bool = False


def docstring_words(first, text):
    """Yield the words of a string in Python. Each cell of a table is a passage."""
    is_table = False
    for number, line in enumerate(text.splitlines(), start=first):
        is_rule = re.fullmatch(r"\s*=+(?: =+)+\s*", line)
        is_table = bool(is_rule or (is_table and line.strip()))
        cells = re.split(r"\s{2,}", line.strip()) if is_table and not is_rule else [line.strip()]
        yield from (Words(number, cell, ends=is_table) for cell in cells)


def python_words(source, has_messages):
    """Yield the comments and strings of a Python file, but not lists of names in a string.

    Without messages, the strings are docstrings.
    """
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    before = tokenize.NEWLINE  # the kind of the last token that is no comment or empty line
    for token, after in zip(tokens, tokens[1:], strict=False):
        is_text = token.type == tokenize.STRING and after.string != "."
        if is_text and not has_messages:
            is_text = before in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            before = token.type
        if token.type == tokenize.COMMENT:
            yield Words(token.start[0], token.string.lstrip("#! "))
        elif is_text:
            text = re.sub(r"^\w*(\"\"\"|'''|[\"'])|(\"\"\"|'''|[\"'])$", "", token.string)
            yield from docstring_words(token.start[0], text)
        elif token.type == tokenize.NEWLINE or token.string in (":", "{", "}"):
            yield Words(token.start[0], "", ends=True)


def cpp_words(source, has_messages):
    """Yield the comments, and the messages if there are any, of a C++ file without its examples."""
    last, was_comment = 0, False
    for match in re.finditer(r'"((?:\\.|[^"\\\n])*)"|//[/!<]*(?![/!<]|   ) ?(.*)', source):
        line = source.count("\n", 0, match.start()) + 1
        between = source[last : match.start()]
        is_comment = match[1] is None
        ends = is_comment != was_comment or re.search(r"[;{}?]|(?<!:):(?!:)", between)
        if ends or (is_comment and between.strip()):
            yield Words(line, "", ends=True)
        if is_comment or has_messages:
            yield Words(line, (match[2] if is_comment else match[1]).strip())
        if not is_comment and match[1].endswith(r"\n"):
            yield Words(line, "", ends=True)
        last, was_comment = match.end(), is_comment


def java_words(source, has_messages):
    """Yield the comments of a Java file without their examples, and its messages."""
    source = re.sub(r"<pre>.*?</pre>", lambda m: "\n" * m[0].count("\n"), source, flags=re.DOTALL)
    source = re.sub(r"\{@return ([^}]*)\}", r"Returns \1.", source)
    source = re.sub(r"\{@\w+ ([^}]*)\}", r"\1", source)
    source = re.sub(r"^ *(?:/\*\*|\*)", "//", source.replace("*/", ""), flags=re.MULTILINE)
    source = re.sub(r"<li>|@(?=param|throws)", "- ", source)
    yield from cpp_words(re.sub(r"</?\w+>", "", source), has_messages)


def script_words(source, has_messages):
    """Yield the comments of a script, which begin with `#`, and the messages of a CMake file."""
    for line, text in enumerate(source.splitlines(), start=1):
        message = re.search(r'\bmessage\(\w+ "((?:[^"\\]|\\.)*)"', text)
        if has_messages and message:
            yield Words(line, message[1], ends=True)
        comment = re.search(r"(?:^|\s)#(?!!|  ) ?(.*)", text)  # not examples, which are indented
        if not comment or text[: comment.start()].strip():
            yield Words(line, "", ends=True)
        if comment:
            yield Words(line, comment[1].strip("# "))


WORDS_BY_SUFFIX = {
    ".h": cpp_words,
    ".cpp": cpp_words,
    ".java": java_words,
    ".jinja2": cpp_words,
    ".py": python_words,
    ".pyi": python_words,
}


def words_of_source(path):
    """Return the prose of a source on its lines, all else left empty."""
    source = path.read_text()
    has_messages = not path.is_relative_to(ROOT / "tests")
    lines = [""] * (source.count("\n") + 2)
    last = 0
    find_words = WORDS_BY_SUFFIX.get(path.suffix, script_words)
    for words in find_words(source, has_messages):
        is_example = words.text.startswith((">>> ", "... "))
        if len(words.text.split()) > 2 and not is_example:  # fewer words are a name
            lines[words.line] += f" {words.text}"
            last = words.line
        if words.ends and not re.search(r"(?:^|[.!?][)\"'”]*)\s*$", lines[last]):
            lines[last] += "."
    return "\n".join(lines[1:])


def pages():
    """Return all pages of prose."""
    names = [
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "docs/**/*.md",
        "docs/notebooks/*.ipynb",
        "bench/README.md",
        "bench/encodings.md",
        "examples/README.md",
    ]
    return [path for name in names for path in sorted(ROOT.glob(name))]


def source_files():
    """Return the sources of the library, its tools and tests, and the files that build them."""
    folders = ("include", "src", "python", "java", "bench", "examples", "scripts", "tests")
    found = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    sources = [path for path in found if path.suffix in WORDS_BY_SUFFIX]
    scripts = [path for path in found if path.name == "CMakeLists.txt" or path.suffix == ".sh"]
    others = ("*.toml", "CMakeLists.txt", "Makefile", "cmake/*", ".ci/*", ".github/workflows/*")
    scripts += [path for name in others for path in ROOT.glob(name)]
    return sorted([*sources, *scripts])


def notebook_offences(notebook):
    """Yield `(cell, message)` for each fault of a notebook's texts."""
    for number, cell in enumerate(json.loads(notebook)["cells"], start=1):
        if cell["cell_type"] == "markdown":
            yield from ((number, fault) for _, fault in offences("".join(cell["source"])))


def checked(path):
    """Yield `(line, message)` for each fault of a file; the lines of a notebook are its cells."""
    if path.suffix == ".ipynb":
        return notebook_offences(path.read_text())
    if path.suffix == ".md":
        return page_offences(path.read_text())
    return [*offences(words_of_source(path)), *name_offences(path.read_text())]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path, help="files to check")
    parser.add_argument("--sources", action="store_true", help="check the sources")
    parser.add_argument(
        "--means", action="store_true", help="print words and mean of each page, too"
    )
    options = parser.parse_args()
    files = [path.resolve() for path in options.files]
    files = files or (source_files() if options.sources else pages())
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {message}"
        for path in files
        for line, message in sorted(checked(path))
    ]
    if options.means:
        for path in (path for path in files if path.suffix == ".md"):
            text = path.read_text()
            words = len(text.split())
            print(f"{path.relative_to(ROOT)}: {words} words, {mean_words(text):.1f} a sentence")
    print("\n".join(wrong) or f"{len(files)} files in plain words")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
