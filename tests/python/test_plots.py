"""Pictures of histograms, profiles, and stacks of samples with data."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hist
import matplotlib
import numpy as np
import pytest

import kaon

matplotlib.use("Agg")


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> kaon.Dataframe:
    folder = tmp_path_factory.mktemp("plots")
    random = np.random.default_rng(5)
    files = {"tt": 900, "W": 400, "data": 1300}
    for label, count in files.items():
        with kaon.create(folder / f"{label}.kaon") as out:
            mass = random.normal(50, 10, count)
            out["events"].extend({"mass": mass, "pt": 2 * mass + random.normal(0, 1, count)})
    return kaon.dataset({label: folder / f"{label}.kaon" for label in files}, "events")


PROCESS = hist.axis.StrCategory([], growth=True, name="process")
AXIS = (20, 0, 100, "m [GeV]")


def steps(axes: Any) -> list[tuple[list[float], list[float]]]:
    """Return the upper and lower ends of areas and lines with steps."""
    areas = [patch.get_data() for patch in axes.patches]
    return [(of.values.tolist(), np.broadcast_to(of.baseline, 20).tolist()) for of in areas]


def points(axes: Any) -> tuple[list[float], list[float]]:
    """Return the values of points, and the lengths of their errors."""
    (container,) = axes.containers
    line, _, (bars,) = container
    ends = np.array([segment[:, 1] for segment in bars.get_segments()])
    return line.get_ydata().tolist(), ((ends[:, 1] - ends[:, 0]) / 2).tolist()


def texts(axes: Any) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_samples_are_stacked_below_data(events: kaon.Dataframe) -> None:
    counts = events.histogram([PROCESS, AXIS], ["dataset.sample", "mass"])
    figure = kaon.plot(counts, data="data")
    above, below = figure.axes
    tt, w, data = (counts.value[name, :].values() for name in ("tt", "W", "data"))
    first, second, band = steps(above)
    assert first == (tt.tolist(), [0] * 20) and second == ((tt + w).tolist(), tt.tolist())
    assert np.allclose(band[0], tt + w + np.sqrt(tt + w))
    assert points(above) == (data.tolist(), pytest.approx(np.sqrt(data)))
    assert texts(above) == ["Data", "stat. unc.", "W", "tt"]
    assert above.get_ylabel() == "Entries / 5 GeV"
    assert (below.get_xlabel(), below.get_ylabel()) == ("m [GeV]", "Data / sum")
    is_known = tt + w > 0
    assert points(below)[0] == pytest.approx(data[is_known] / (tt + w)[is_known])


def test_bands_show_variations(events: kaon.Dataframe) -> None:
    varied = events.vary("mass", {"up": "mass + 2", "down": "mass - 2"})
    samples = {label: varied.sample(label) for label in ("tt", "W", "data")}
    results = {label: of.histogram(AXIS, "mass") for label, of in samples.items()}
    figure = kaon.plot({"tt": results["tt"], "W": results["W"]}, data=results["data"])

    nominal = sum(results[label].value.values() for label in ("tt", "W"))
    up, down = nominal.copy(), nominal.copy()  # statistical variances, then squared shifts
    for name in ("up", "down"):
        total = sum(results[label].variations()[name].value.values() for label in ("tt", "W"))
        up += np.maximum(total - nominal, 0) ** 2
        down += np.minimum(total - nominal, 0) ** 2
    high, low = steps(figure.axes[0])[-1]
    assert high == pytest.approx(nominal + np.sqrt(up))
    assert low == pytest.approx(nominal - np.sqrt(down))
    assert "stat. + syst. unc." in texts(figure.axes[0])
    high, low = steps(figure.axes[1])[0]
    assert high[10] == pytest.approx(1 + np.sqrt(up[10]) / nominal[10])
    assert low[10] == pytest.approx(1 - np.sqrt(down[10]) / nominal[10])


def test_a_variation_changes_only_its_samples(events: kaon.Dataframe) -> None:
    tt = events.sample("tt").vary("mass", {"up": "mass + 2"}).histogram(AXIS, "mass")
    w = events.sample("W").histogram(AXIS, "mass")
    high, _ = steps(kaon.plot({"tt": tt, "W": w}).axes[0])[-1]
    nominal = tt.value.values() + w.value.values()
    shift = tt.variations()["up"].value.values() - tt.value.values()
    assert high == pytest.approx(nominal + np.sqrt(nominal + np.maximum(shift, 0) ** 2))


def test_histograms_can_be_lines(events: kaon.Dataframe) -> None:
    parts = {label: events.sample(label).histogram(AXIS, "mass") for label in ("tt", "W")}
    (axes,) = kaon.plot(parts, stacked=False, log=True, label="mass").axes
    assert [values for values, _ in steps(axes)] == [
        of.value.values().tolist() for of in parts.values()
    ]
    assert axes.get_yscale() == "log" and axes.get_xlabel() == "mass"
    assert {*texts(axes)} == {"tt", "W"}


def test_profiles_and_maps_are_drawn(events: kaon.Dataframe) -> None:
    profile = events.profile((20, 20, 80), "mass", "pt")
    (axes,) = kaon.plot(profile).axes
    values, errors = points(axes)
    assert values == pytest.approx(profile.value.values(), nan_ok=True)
    assert errors == pytest.approx(np.sqrt(profile.value.variances()), nan_ok=True)
    assert axes.get_ylabel() == "Mean"

    counts = events.histogram([AXIS, (10, 0, 200)], ["mass", "pt"])
    axes, colours = kaon.plot(counts).axes
    (mesh,) = axes.collections
    assert mesh.get_array().ravel().tolist() == counts.value.values().T.ravel().tolist()
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("m [GeV]", "pt")
    assert colours.get_ylabel() == "Entries"


def test_categories_have_labels(events: kaon.Dataframe) -> None:
    (axes,) = kaon.plot(events.histogram(PROCESS, "dataset.sample")).axes
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["tt", "W", "data"]
    whole = events.histogram(hist.axis.IntCategory([4, 7]), "int(mass) // 10")
    (axes,) = kaon.plot(whole).axes
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["4", "7"]


def test_axes_have_units(tmp_path: Path) -> None:
    (tmp_path / "model.yaml").write_text(
        """options: {getSyntax: false}
schema_version: 1
components:
  V3:
    Members:
      - float x [GeV]
      - float y [GeV]
      - float z [GeV]
datatypes:
  Muon:
    Description: "A muon"
    Author: "me"
    Members:
      - V3 momentum // the momentum
      - float d0 // impact parameter with respect to the beam, in cm
      - int charge // charge
"""
    )
    muon = {"momentum": {"x": 3, "y": 4, "z": 0}, "d0": 0.1, "charge": 1}
    options: dict[str, Any] = {"model": tmp_path / "model.yaml", "types": {"Muon": "Muon"}}
    with kaon.create(tmp_path / "muons.kaon", **options) as out:
        out["events"].extend({"Muon": [[muon]]})
    events = kaon.dataset(tmp_path / "muons.kaon", "events")
    for column, label in {
        "Muon.momentum.x": "Muon.momentum.x [GeV]",
        "max(Muon.pt)": "max(Muon.pt)",
        "sum(Muon[Muon.charge > 0].momentum.x)": "sum(Muon[Muon.charge > 0].momentum.x) [GeV]",
        "Muon.momentum.pt": "Muon.momentum.pt [GeV]",
        "Muon.d0": "Muon.d0 [cm]",
        "Muon.charge": "Muon.charge",
    }.items():
        assert events.histogram((10, 0, 10), column).value.axes[0].label == label
    own = events.define("Muon.d1", "10 * Muon.d0").histogram((10, 0, 10, "mine"), "Muon.d1")
    assert own.value.axes[0].label == "mine"


def test_matplotlib_alone_suffices(tmp_path: Path, run_python: Callable[..., Any]) -> None:
    program = (
        "import sys; sys.modules['mplhep'] = None; import hist, kaon; "
        "kaon.plot(hist.Hist.new.Reg(2, 0, 1).Weight().fill([0.2])).savefig(sys.argv[1])"
    )
    done: subprocess.CompletedProcess[str] = run_python("-c", program, tmp_path / "a.png")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert sys.modules.get("mplhep") is not None or "mplhep" not in sys.modules


def test_reports_mistakes(events: kaon.Dataframe) -> None:
    counts = events.histogram([PROCESS, AXIS], ["dataset.sample", "mass"]).value
    with pytest.raises(kaon.errors.UnknownNameError, match="data='Data': .* 'tt', 'W', 'data'"):
        kaon.plot(counts, data="Data")
    other = events.histogram((10, 0, 100), "mass")
    with pytest.raises(kaon.errors.UsageError, match="need equal axes"):
        kaon.plot({"a": counts["tt", :], "b": other})
    with pytest.raises(kaon.errors.UsageError, match="ratio=True needs data"):
        kaon.plot(other, ratio=True)
    with pytest.raises(kaon.errors.WrongTypeError, match="plot\\(\\) draws histograms"):
        kaon.plot([1, 2])
    cube = events.histogram([AXIS, AXIS, AXIS], ["mass", "mass", "pt"])
    with pytest.raises(kaon.errors.UsageError, match="in one dimension, or one histogram in two"):
        kaon.plot(cube)
