"""The cards that notebooks show of files, columns, models and objects."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kaon


class Page(HTMLParser):
    """A parser that keeps the texts of a card, and whether each tag is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.texts.append(data.strip())


def texts(thing: Any) -> list[str]:
    return [text for text in Page(thing._repr_html_()).texts if text]


def test_a_file_unfolds_to_categories_collections_and_members(path: Path) -> None:
    shown = texts(kaon.open(path))
    assert shown[:2] == [str(path), "model detector"]
    assert shown.index("events") < shown.index("Particles") < shown.index("mass")
    assert shown.index("events") < shown.index("runs")
    assert "3 entries · 1 cluster" in shown
    mass = shown.index("mass")
    assert shown[mass + 1 : mass + 3] == ["float32", "GeV"] and "rest mass" in shown[mass:]
    assert set(texts(kaon.open(path)["events"])) < {*shown, f"{path}:events"}
    closed = kaon.open(path)
    closed.close()
    assert texts(closed) == [str(path), "closed"]


def test_a_column_shows_its_members(path: Path) -> None:
    events = kaon.open(path)["events"]
    assert texts(events["Particles.mass"])[:2] == [
        "Particles.mass",
        f"{path}:events · [GeV] · rest mass",
    ]
    assert "Particles.momentum.x" in texts(events["Particles"])


def test_events_models_and_objects_are_shown(path: Path) -> None:
    file = kaon.open(path)
    event = file["events"].frames()[0]
    shown = texts(event)
    assert shown[0] == "Entry 0" and shown.index("Particles") < shown.index("91.2")
    assert "3 Particle" in shown
    assert {"mass", "91.2", "GeV", "rest mass"} <= set(texts(event["Particles"][0]))
    assert {"PDG", "91.2", "3 objects"} <= set(texts(event["Particles"]))
    assert "(3, 4, 0)" in texts(event["Particles"][0])
    last = file["events"].frames()[2]["Particles"][0]
    assert "[(1, 2, 3), (4, 5, 6)]" in texts(last)
    assert {"mass", "float32 [GeV]", "rest mass"} <= set(texts(file.models["detector"]))
    assert texts(file.models) == texts(file.models["detector"])


def test_sizes_findings_and_metadata_are_shown(path: Path) -> None:
    size = kaon.open(path).size()
    assert f"{size.bytes:,} bytes" in texts(size)
    assert {"Particles.mass", "index", "events: alignment"} <= set(texts(size))
    assert texts(kaon.verify(path))[1].startswith("sound: ")
    data = bytearray(path.read_bytes())
    data[3000] ^= 1
    path.write_bytes(data)
    assert {"fault", "events"} <= set(texts(kaon.verify(path)))
    metadata = kaon.Metadata()
    metadata.set("luminosity", 12.5, "sum")
    metadata.part("events")["cut"] = "<0.5"
    assert texts(metadata) == [
        *("Metadata", "1 key", "key", "value", "merges by", "luminosity", "12.5", "sum"),
        *("events", "key", "value", "merges by", "cut", "<0.5", "same"),
    ]


def test_long_tables_are_shortened(tmp_path: Path) -> None:
    path = tmp_path / "wide.kaon"
    with kaon.create(path) as out:
        out["events"].extend({f"c{i}": np.zeros(1) for i in range(1000)})
    assert "and 500 more" in texts(kaon.open(path))
    assert "and 500 more" not in texts(kaon.open(path)["events"]["c7"])


@pytest.mark.parametrize("what", ["file", "events", "column", "size", "verification"])
def test_a_repr_is_one_short_line(path: Path, what: str) -> None:
    file = kaon.open(path)
    things = {
        "file": file,
        "events": file["events"],
        "column": file["events"]["Particles"],
        "size": file.size(),
        "verification": kaon.verify(path),
    }
    line = repr(things[what]).replace(str(path), "PATH")
    assert "\n" not in line and len(line) < 100 and "PATH" in line


def test_an_event_shows_its_arrays_and_shortens_long_ones(tmp_path: Path) -> None:
    frame = kaon.Frame()
    frame["Scores"] = np.array([3, 4.5, 3], np.float32)
    frame.parameters["third"] = [float(np.float32(1 / 3))]
    frame.parameters["comment"] = "x" * 100_000
    shown = texts(frame)
    assert shown[shown.index("Scores") + 1 :][:2] == ["3 float32", "[3.  4.5 3. ]"]
    assert "[0.333333]" in shown
    assert max(map(len, shown)) < 1000


def test_values_of_a_collection_stay_on_one_line(path: Path) -> None:
    card = kaon.open(path)["events"].frames()[0]["Particles"]._repr_html_()
    assert '<td class="kaon-number">(3, 4, 0)</td>' in card


def test_long_cards_scroll(path: Path) -> None:
    style, _, _ = kaon.open(path)["events"]._repr_html_().partition("</style>")
    assert "max-height" in style and "overflow:auto" in style


def test_dataframes_and_their_results_are_shown(path: Path) -> None:
    events = kaon.dataset({"signal": f"{path}:events"}, weights={"signal": 0.5})
    some = events.filter("weight > 1", label="heavy").define("half", "weight / 2")
    shown = texts(some)
    assert shown[0] == f"{path}:events" and shown[1] == "1 filter · 1 column defined"
    assert {"signal", "0.5", "heavy", "half", "float64", "defined", "Particles.mass"} <= set(shown)
    assert "var * float32" in shown
    total, cuts = some.sum("half"), some.report()
    assert texts(total)[:2] == ["sum of half", "not computed yet"]
    assert "not computed yet" in texts(cuts) and not cuts.is_done
    kaon.run(total, cuts)
    assert texts(total) == ["sum of half", "2.0"]
    assert texts(cuts) == [
        "Cut flow",
        "filter",
        "entries",
        "passed",
        "share",
        "heavy",
        "3",
        "2",
        "66.67 %",
    ]
    stats = some.stats("half")
    _ = stats.value
    assert texts(stats)[:4] == ["stats of half", "count", "mean", "deviation"]
    histogram = some.histogram((2, 0, 5), "half")
    assert "not computed yet" in texts(histogram)
    _ = histogram.value
    assert "<svg" in histogram._repr_html_()
