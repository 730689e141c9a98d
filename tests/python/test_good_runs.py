"""Good luminosity sections, of runs in a JSON file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import kaon

SECTIONS = {"1": [[1, 10], [20, 30]], "3": [[6, 9], [2, 3], [5, 5]], "4": []}


def test_ranges_include_both_ends() -> None:
    good = kaon.good_runs(SECTIONS)
    for run in range(6):
        for section in range(40):
            is_good = any(a <= section <= b for a, b in SECTIONS.get(str(run), []))
            assert good([run], [section]).tolist() == [is_good], (run, section)


def test_a_filter_keeps_the_good_entries(tmp_path: Path) -> None:
    (tmp_path / "golden.json").write_text(json.dumps(SECTIONS))
    random = np.random.default_rng(1)
    runs, sections = random.integers(1, 5, 500), random.integers(1, 35, 500)
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend(
            {"run": runs.astype(np.uint32), "luminosityBlock": sections.astype(np.uint32)}
        )
    events = kaon.dataset(tmp_path / "a.kaon", "events")
    good = events.filter(
        kaon.good_runs(tmp_path / "golden.json"), ["run", "luminosityBlock"], label="good runs"
    )
    expected = kaon.good_runs(SECTIONS)(runs, sections)
    assert good.take("run").value.tolist() == runs[expected].tolist()
    assert 0 < expected.sum() < 500


def test_no_runs_are_good_without_ranges() -> None:
    assert kaon.good_runs({})([1, 2], [3, 4]).tolist() == [False, False]


@pytest.mark.parametrize("text", ['["a"]', '{"1": [[1]]}', '{"x": []}', '{"1": 3}', "no JSON"])
def test_other_contents_raise(tmp_path: Path, text: str) -> None:
    (tmp_path / "golden.json").write_text(text)
    with pytest.raises(kaon.errors.UsageError, match=r"golden\.json: "):
        kaon.good_runs(tmp_path / "golden.json")
