"""The picture of the benchmarks shows the figures of the results."""

import subprocess
import sys

import pytest
from test_readme import ROOT

pytest.importorskip("matplotlib")


@pytest.fixture
def picture(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "bench")
    import picture

    return picture


def test_each_comparison_has_kaon_and_its_peers(picture):
    tables = picture.read_tables((ROOT / "bench/results.md").read_text())
    for comparison in picture.COMPARISONS:
        times = picture.figures(tables, comparison)
        assert list(times) == ["kaon", *comparison.peers.values()]
        assert all(time > 0 for time in times.values())


def test_figures_come_from_their_table_and_from_that_of_others(picture):
    page = """\
## W9: some work

### read 2 columns

| s | lz4 | zstd |
| --- | ---: | ---: |
| **kaon batches** | **0.5** | **2** |
| ROOT |  | 4.5 |

### Measured earlier, on a similar machine

|  | write, s | read 2 columns, s |
| --- | ---: | ---: |
| HIPO |  | 3 |
"""
    peers = {"ROOT": "ROOT's", "HIPO": "HIPO's"}
    shown = picture.Comparison("", "W9", "read 2 columns", "zstd", "kaon batches", peers)
    times = picture.figures(picture.read_tables(page), shown)
    assert times == {"kaon": 2, "ROOT's": 4.5, "HIPO's": 3}


def test_it_is_drawn_from_the_results(tmp_path):
    command = [sys.executable, ROOT / "bench/picture.py", tmp_path / "benchmarks.png"]
    subprocess.run(command, check=True)
    for name in ("benchmarks.png", "benchmarks-dark.png"):
        assert (tmp_path / name).read_bytes()[:4] == b"\x89PNG"


def test_figures_come_from_a_table_of_several_tasks(picture):
    page = """\
## W7: queries

| task | program | zstd |
| --- | --- | ---: |
| 1 jets, s/million events | **kaon dataframe** | **0.5** |
|  | ROOT RDataFrame | 4 |
| 2 leptons, s/million events | **kaon dataframe** | **2** |
|  | ROOT RDataFrame | 6 |
"""
    tables = picture.read_tables(page)
    for task, times in (("1 jets", [0.5, 4]), ("2 leptons", [2, 6])):
        shown = picture.Comparison("", "W7", task, "zstd", "kaon dataframe", picture.RDATAFRAME)
        assert list(picture.figures(tables, shown).values()) == times


def test_figures_come_from_a_table_with_a_row_for_each_task(picture):
    page = """\
## W7: queries

| s/million events, zstd | **kaon dataframe** | ROOT RDataFrame | best peer / best of kaon |
| --- | ---: | ---: | ---: |
| 1 jets | **0.5** | 4 | 8 |
| 2 leptons | **2** | 6 | 3 |
"""
    tables = picture.read_tables(page)
    for task, times in (("1 jets", [0.5, 4]), ("2 leptons", [2, 6])):
        shown = picture.Comparison("", "W7", task, "zstd", "kaon dataframe", picture.RDATAFRAME)
        assert list(picture.figures(tables, shown).values()) == times


def test_a_second_table_of_a_task_adds_variants(picture):
    page = """\
## W2: bank

### read 2 columns

| s | split/lz4 |
| --- | ---: |
| **kaon batches** | **0.5** |

kaon's other layouts:

| s | row/lz4 |
| --- | ---: |
| **kaon batches** | **2** |
"""
    rows = picture.read_tables(page)["W2", "read 2 columns"]
    assert rows["kaon batches"] == {"split/lz4": 0.5, "row/lz4": 2}
