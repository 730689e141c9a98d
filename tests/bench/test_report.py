"""What the page of benchmarks says of the figures of a run."""

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


def page(tmp_path: Path, rows: list[dict]) -> str:
    results = {
        "environment": {"cores": "2"},
        "workloads": {"bank": {"count": 1000, "input": "", "rows": rows}},
    }
    (tmp_path / "results.json").write_text(json.dumps(results))
    command = [ROOT / "bench/report.py", tmp_path / "results.json", tmp_path / "page.md"]
    subprocess.run([sys.executable, *command], check=True)
    return (tmp_path / "page.md").read_text()


def test_at_a_glance_each_format_of_root_is_beside_the_same(tmp_path: Path) -> None:
    rows = [
        row("kaon batches", 1.0, "kaon", "split/lz4"),
        row("kaon batches", 1.0, "kaon", "row/lz4"),
        row("kaon batches of ROOT's tree", 2.0, "kaon", "split/lz4"),
        row("ROOT TTree GetEntry", 8.0, "peer", "split/lz4"),
        row("ROOT TTree GetEntriesSerialized", 5.0, "peer", "split/lz4"),
        row("ROOT RNTuple bulk", 3.0, "peer", "split/lz4"),
    ]
    lines = page(tmp_path, rows).splitlines()
    assert "| W2, 2 columns of a TTree read |  | 2.5 |  |  |  |" in lines
    assert "| W2, 2 columns of a `.kaon` file read |  | 3.0 |  |  |  |" in lines
    assert not any("RNTuple read" in line for line in lines)


def test_without_peers_there_is_no_glance(tmp_path: Path) -> None:
    assert "At a glance" not in page(tmp_path, [row("kaon batches", 1.0, "kaon", "split/lz4")])
