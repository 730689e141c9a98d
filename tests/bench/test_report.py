"""The figures of a run in the tables of results, and on the page of benchmarks."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def row(program: str, value: float, role: str, variant: str) -> dict:
    return {
        "task": "read 2 columns",
        "program": program,
        "variant": variant,
        "role": role,
        "value": value,
        "unit": "s",
    }


PAGE = """Before
<!-- report.py writes this table. -->

{}
<!-- End of the table. -->
After
"""


def tables(tmp_path: Path, rows: list[dict], workload: str = "bank") -> str:
    results = {
        "environment": {"flags of the library": "-O3 -DTARGETS=(SVE | RVV)"},
        "workloads": {workload: {"count": 1000, "input": "", "rows": rows}},
    }
    (tmp_path / "results.json").write_text(json.dumps(results))
    page = tmp_path / "page.md"
    page.write_text(PAGE.format("old\n"))
    command = [ROOT / "bench/report.py", tmp_path / "results.json"]
    command += ["--page", page, "--tables", tmp_path / "tables.md"]
    told = subprocess.run([sys.executable, *command], check=True, capture_output=True, text=True)
    (tmp_path / "told").write_text(told.stdout)
    return (tmp_path / "tables.md").read_text()


def test_at_a_glance_each_format_of_root_is_beside_the_same(tmp_path: Path) -> None:
    rows = [
        row("kaon batches", 1.0, "kaon", "split/lz4"),
        row("kaon batches", 1.0, "kaon", "row/lz4"),
        row("kaon batches of ROOT's tree", 2.0, "kaon", "split/lz4"),
        row("ROOT TTree GetEntry", 8.0, "peer", "split/lz4"),
        row("ROOT TTree GetEntriesSerialized", 5.0, "peer", "split/lz4"),
        row("ROOT RNTuple bulk", 3.0, "peer", "split/lz4"),
    ]
    tables(tmp_path, rows)
    assert (tmp_path / "page.md").read_text() == PAGE.format(
        """\
|  | none | lz4 | zstd | zlib | lzma |
| --- | ---: | ---: | ---: | ---: | ---: |
| W2, 2 columns of a TTree read |  | 2.5 |  |  |  |
| W2, 2 columns of a `.kaon` file read |  | 3.0 |  |  |  |
"""
    )


def test_without_peers_the_page_keeps_its_ratios(tmp_path: Path) -> None:
    tables(tmp_path, [row("kaon batches", 1.0, "kaon", "split/lz4")])
    assert (tmp_path / "page.md").read_text() == PAGE.format("old\n")


def test_flags_with_bars_stay_in_their_cell(tmp_path: Path) -> None:
    text = tables(tmp_path, [row("kaon batches", 1.0, "kaon", "split/lz4")])
    assert "| flags of the library | `-O3 -DTARGETS=(SVE \\| RVV)` |\n" in text


def test_layouts_that_no_peer_has_get_a_table_of_their_own(tmp_path: Path) -> None:
    rows = [
        row("kaon batches", 0.5, "kaon", "split/lz4"),
        row("kaon batches", 0.25, "kaon", "row/lz4"),
        row("kaon frames", 0.75, "kaon", "split/lz4"),
        row("ROOT RNTuple bulk", 2.0, "peer", "split/lz4"),
        row("columns in memory", 0.125, "limit", ""),
    ]
    text = tables(tmp_path, rows)
    shared, alone = text[text.index("### read 2 columns") :].split("kaon's other layouts:")
    assert "| s | split/lz4 |" in shared
    assert "| best peer / best of kaon | 4.00 |" in shared
    assert "| limit: columns in memory | 0.125 |" in shared
    assert "| s | row/lz4 |" in alone
    assert "| **kaon batches** | **0.250** |" in alone
    assert "kaon frames" not in alone


def test_tasks_of_one_variant_share_a_table(tmp_path: Path) -> None:
    rows = [
        {**row("kaon dataframe", 0.5, "kaon", "zstd"), "task": "1 missing momentum"},
        {**row("ROOT RDataFrame", 2.0, "peer", "zstd"), "task": "1 missing momentum"},
        {**row("kaon dataframe", 3.0, "kaon", "zstd"), "task": "2 jets", "unit": "ms"},
        {**row("loop by hand", 1.5, "limit", ""), "task": "2 jets", "unit": "ms"},
    ]
    assert tables(tmp_path, rows, "queries").endswith(
        """
| task | program | zstd |
| --- | --- | ---: |
| 1 missing momentum, s | **kaon dataframe** | **0.500** |
|  | ROOT RDataFrame | 2.00 |
|  | best peer / best of kaon | 4.00 |
| 2 jets, ms | **kaon dataframe** | **3.00** |
|  | for comparison: loop by hand | 1.50 |
"""
    )


def test_tasks_with_the_same_programs_have_a_row_each(tmp_path: Path) -> None:
    rows = [
        {**row("kaon dataframe", 0.5, "kaon", "zstd"), "task": "1 missing momentum"},
        {**row("ROOT RDataFrame", 2.0, "peer", "zstd"), "task": "1 missing momentum"},
        {**row("kaon dataframe", 3.0, "kaon", "zstd"), "task": "2 jets"},
        {**row("ROOT RDataFrame", 6.0, "peer", "zstd"), "task": "2 jets"},
    ]
    assert tables(tmp_path, rows, "queries").endswith(
        """
| s, zstd | **kaon dataframe** | ROOT RDataFrame | best peer / best of kaon |
| --- | ---: | ---: | ---: |
| 1 missing momentum | **0.500** | 2.00 | 4.00 |
| 2 jets | **3.00** | 6.00 | 2.00 |
"""
    )


def test_tasks_without_peers_share_a_table_behind_the_others(tmp_path: Path) -> None:
    rows = [
        row("kaon batches", 0.5, "kaon", "none"),
        row("kaon batches", 0.75, "kaon", "lz4"),
        row("ROOT RNTuple bulk", 2.0, "peer", "lz4"),
        {**row("kaon", 0.25, "kaon", "none"), "task": "write"},
        {**row("kaon", 0.5, "kaon", "lz4"), "task": "write"},
        {**row("kaon", 1.0, "kaon", "none"), "task": "size", "unit": "MB"},
        {**row("kaon", 1.5, "kaon", "lz4"), "task": "size", "unit": "MB"},
    ]
    assert tables(tmp_path, rows, "threads").endswith(
        """
### Other tasks

| task | program | none | lz4 |
| --- | --- | ---: | ---: |
| write, s | **kaon** | **0.250** | **0.500** |
| size, MB | **kaon** | **1.00** | **1.50** |
"""
    )


def test_missed_targets_are_printed(tmp_path: Path) -> None:
    rows = [
        row("kaon batches", 0.5, "kaon", "split/lz4"),
        row("kaon batches", 0.01, "kaon", "split/zstd"),
    ]
    tables(tmp_path, rows)
    assert (tmp_path / "told").read_text() == (
        "bank, read 2 columns, kaon batches, split/lz4: 0.500 s, target 0.0250\n"
    )


def test_a_part_of_the_workloads_does_not_replace_all_results(tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    results.write_text(json.dumps({"environment": {}, "workloads": {}}))
    before = (ROOT / "bench/results.md").read_bytes()
    command = [sys.executable, ROOT / "bench/report.py", results, "--page", tmp_path / "page.md"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert "the run lacks bank, clusters, " in done.stderr
    assert (ROOT / "bench/results.md").read_bytes() == before
