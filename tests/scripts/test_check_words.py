"""The check of kaon's prose finds sentences that are hard to read, and accepts plain ones."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CHECK = runpy.run_path(str(ROOT / "scripts/check-words.py"))

BAD = {
    "It returns what is in the file.": "what is",
    "The cells say what they hold.": "what they",
    "Names of what it reads are sorted.": "of what",
    "What the file holds stays in memory.": "What the file holds",
    "Who opens it is told.": "Who opens it",
    "The list is for who needs more.": "for who",
    "The member is none.": "is none",
    "Of columns, none there is.": "none there is",
    "It has columns, of which two are lists.": "of which",
    "Dictionaries of such are added.": "such",
    "Such a file is an error.": "such",
    "C++ has it. The same.": "The same",
    "Trees are written. Likewise.": "Likewise",
    " ".join(["word"] * 31) + ".": "31 words",
}
GOOD = [
    "It returns the columns of the file.",
    "What is a cluster?",
    "## What is in a file",
    "The message tells you what to write.",
    "Users who know ROOT can skip this.",
    "It returns `None`, and reads formats such as ROOT.",
    "Call `what is of which such`.",
    "```\nwhat is of which such\n```",
    "| what is it | such |\n| --- | --- |\n| one | two |",
    "The same rules apply to trees.",
    "The error reads 'no such file'.",
    "what,seconds,decoded MB,file MB",
    " ".join(["word"] * 30) + ".",
]


def messages(text: str) -> list[str]:
    return [message for _, message in CHECK["offences"](text)]


@pytest.mark.parametrize("sentence", BAD)
def test_finds_hard_sentences(sentence: str) -> None:
    assert any(BAD[sentence].lower() in message.lower() for message in messages(sentence))


@pytest.mark.parametrize("text", GOOD)
def test_passes_plain_sentences(text: str) -> None:
    assert messages(text) == []


def test_names_the_line() -> None:
    page = "# Title\n\nA sentence. One\nof two lines. Such files\nare refused.\n\n- One\n- such\n"
    assert [line for line, _ in CHECK["offences"](page)] == [4, 8]


def test_looks_into_cells_of_tables() -> None:
    page = "| option | meaning |\n| --- | --- |\n| `a` | short |\n| `b` | lists of such |\n"
    assert [line for line, _ in CHECK["offences"](page)] == [4]


def test_links_and_code_count_as_their_words() -> None:
    text = "See [the page of files](https://host/a/long/path.md) and `a + b + c`.\n"
    (passage,) = CHECK["passages"](text)
    (sentence,) = CHECK["sentences"](passage)
    assert sentence.words() == 7


def test_a_page_of_long_sentences_is_refused() -> None:
    short, long = (" ".join(["word"] * count) + ".\n\n" for count in (10, 28))
    refused = [
        [message for _, message in CHECK["page_offences"](page)]
        for page in (short + long * 2, short * 2 + long)
    ]
    assert refused == [["sentences have 22.0 words on average; the limit is 18"], []]


@pytest.mark.parametrize(
    ("name", "source", "line"),
    [
        ("a.h", "/// Returns a list of such\n/// things.\nint such();\n", 1),
        ("a.cpp", 'int such = 1;\nthrow Error("columns of such a file");\n', 2),
        ("a.py", 'def such():\n    """Return a list of such things."""\n', 2),
        ("b.h", "/// Returns such things:\n///\n///   for (such of things)\n", 1),
        ("b.py", "such = 1  # a list of such things\n", 1),
        ("c.cpp", 'fail("is a file of "\n     "such a type");\n', 1),
        ("c.h", "int b = 2; // a list\n           // of such things\n", 2),
        ("c.py", 'text = (\n    "It is a file of "\n    "such a type"\n)\n', 2),
        ("a.java", "/**\n * {@return a list of such\n * things}\n */\nint such();\n", 2),
        ("b.java", "/** A list.\n *\n * @param such a list of such things\n */\n", 3),
        ("a.cmake", "set(such 1) # a list of such things\n", 1),
        ("b.cmake", 'message(STATUS "a list of such things")\n', 1),
        ("a.sh", "#!/bin/such\n# Sorts lists of\n# such things here.\n#   of such lists\n", 2),
        ("Makefile", "all: ## make a list of such things\n", 1),
    ],
)
def test_reads_the_words_of_sources(tmp_path: Path, name: str, source: str, line: int) -> None:
    (tmp_path / name).write_text(source)
    assert [found for found, _ in CHECK["checked"](tmp_path / name)] == [line]


LONG = " ".join(["word"] * 20)


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("literals.cpp", f'{{"{LONG}"}},\n{{"{LONG}"}}\n'),
        ("branches.cpp", f'return a ? "{LONG}"\n         : "{LONG}";\n'),
        ("lines.cpp", f'out << "{LONG}\\n"\n    << "{LONG}\\n";\n'),
        ("comments.h", f"int b = 2; // {LONG}\nint c = 3; // {LONG}\n"),
        ("kinds.cpp", f'fail("{LONG}"); // {LONG}\nfail("{LONG}");\n'),
        ("literals.py", f'a = "{LONG}"\nb = "{LONG}"\n'),
        ("mapping.py", f'a = {{\n    "a": "{LONG}",\n    "b": "{LONG}",\n}}\n'),
        ("comments.py", f"a = 1  # {LONG}\nb = 2  # {LONG}\n"),
        ("names.py", f'a = """{LONG}\n{LONG}""".split()\n'),
        ("comments.cmake", f"set(a) # {LONG}\nset(b) # {LONG}\n"),
        ("items.java", f"/**\n * <li>{LONG}\n * <li>{LONG}\n */\n"),
        ("table.py", f'"""\n=== ===\na   {LONG}\nb   {LONG}\n=== ===\n"""\n'),
    ],
)
def test_separate_texts_of_sources_are_separate_sentences(
    tmp_path: Path, name: str, source: str
) -> None:
    (tmp_path / name).write_text(source)
    assert list(CHECK["checked"](tmp_path / name)) == []


@pytest.mark.parametrize(
    ("name", "source", "lines"),
    [
        ("SomeTest.cpp", '// A list of such things.\nwrite("a list of such things");\n', [1]),
        (
            "test_some.py",
            'def some():\n    """A list of such things."""\n    write("a list of such things")\n',
            [2],
        ),
    ],
)
def test_strings_of_tests_are_data(
    tmp_path: Path, name: str, source: str, lines: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("tests", "src"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(source)
    monkeypatch.setitem(CHECK["checked"].__globals__, "ROOT", tmp_path)
    found = [line for line, _ in CHECK["checked"](tmp_path / "tests" / name)]
    assert found == lines
    assert len(list(CHECK["checked"](tmp_path / "src" / name))) == 2


@pytest.mark.parametrize(
    ("source", "is_vague"),
    [
        ("TEST(File, saysWhatIsWrong) {\n", True),
        ("TYPED_TEST(Column,\n           takesWhateverComes) {\n", True),
        ("TEST_F(File, refusesABoolThatIsNone) {\n", True),
        ("TEST_P(File, isWhole) {\n", False),
        ("TEST(File, somewhat) {\n", False),
        ("def test_files_for_who_reads():\n", True),
        ("def test_such_files(path):\n", True),
        ("def whatever(path):\n", False),
        ("def test_whole_files():\n", False),
    ],
)
def test_names_of_tests_name_their_subject(source: str, is_vague: bool) -> None:
    assert [line for line, _ in CHECK["name_offences"](f"\n{source}")] == [2] * is_vague


def test_texts_of_notebooks_are_checked(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "code", "source": ["# such\n"]},
        {"cell_type": "markdown", "source": ["A list\n", "of such things."]},
    ]
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": cells}))
    assert [cell for cell, _ in CHECK["checked"](tmp_path / "a.ipynb")] == [2]


def test_all_sources_are_checked() -> None:
    names = {path.relative_to(ROOT).parts[0] for path in CHECK["source_files"]()}
    folders = {"include", "src", "python", "java", "bench", "examples", "scripts", "tests"}
    builds = {"CMakeLists.txt", "Makefile", "pyproject.toml", "cmake", ".ci", ".github"}
    assert names == folders | builds


def test_every_page_is_checked() -> None:
    pages = {ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").rglob("*.ipynb")}
    assert set(CHECK["pages"]()) >= pages
