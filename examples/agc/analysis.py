"""A measurement of top quarks after the Analysis Grand Challenge: selection, variations, fit.

The specification is https://agc.readthedocs.io, version 1: one lepton, four jets, and two regions
by the number of b-tags. All variations of objects and weights are computed in one pass.

    python analysis.py DIRECTORY [EVENTS]

writes events with NanoAOD's branches into the directory, unless they are there, then
`histograms.root` and `workspace.json`, which pyhf and cabinetry read, and pictures of both regions.
The fit needs `pip install 'pyhf[minuit]'`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import hist
import numpy as np

import kaon

EXPECTED = {"ttbar": 3000, "wjets": 4000, "single_top": 800}  # events of data
PROCESSES = {"ttbar": "tt", "wjets": "W", "single_top": "t"}  # as kaon.samples names them

ELECTRONS = "Electron.pt > 30 and abs(Electron.eta) < 2.1 and Electron.cutBased == 4"
MUONS = "Muon.pt > 30 and abs(Muon.eta) < 2.1 and Muon.tightId and Muon.pfRelIso04_all < 0.15"
JETS = "Jet.pt > 30 and abs(Jet.eta) < 2.4 and Jet.jetId == 6"

# Random numbers from a normal distribution that are equal in each pass (Box and Muller, 1958).
NORMAL = (
    "sqrt(-2 * log((abs(Jet.phi) * 9973) % 1 * 0.999 + 0.001))"
    " * cos(2 * pi * ((abs(Jet.eta) * 9967) % 1))"
)
OBJECTS = {
    "pt_scale_up": "Jet.pt * 1.03",
    "pt_res_up": f"Jet.pt * (1 + 0.05 * {NORMAL})",
}
WEIGHTS = {
    f"btag_var_{jet}_{way}": f"weight * (1 {sign} 0.075 * jet.pt[{jet}] / 50)"
    for jet in range(4)
    for way, sign in (("up", "+"), ("down", "-"))
}
is_wjets = f"dataset.sample == {list(PROCESSES).index('wjets')}"  # samples count from 0
WEIGHTS["scale_var_up"] = f"weight * (1.025 if {is_wjets} else 1)"
WEIGHTS["scale_var_down"] = f"weight * (0.975 if {is_wjets} else 1)"

REGIONS = {  # condition, variable, axis
    "4j1b": ("tags == 1", "sum(jet.pt)", (11, 110, 550, "HT [GeV]")),
    "4j2b": ("tags >= 2", "trijet.mass", (20, 50, 550, "trijet mass [GeV]")),
}


def make_events(folder: Path, events: int) -> None:
    """Write simulated events, and independent ones for the data."""
    for label, process in PROCESSES.items():
        for kind, count, seed in (("sim", events, 1), ("data", EXPECTED[label], 2)):
            path = folder / f"{label}_{kind}.root"
            if not path.exists():
                kaon.samples.nanoaod(path, process, events=count, seed=seed)


def dataset(folder: Path, events: int) -> kaon.Dataframe:
    """Return all samples, with weights that scale simulation to the data."""
    files = {label: [folder / f"{label}_sim.root"] for label in PROCESSES}
    files["data"] = [folder / f"{label}_data.root" for label in PROCESSES]
    weights = {label: EXPECTED[label] / events for label in PROCESSES}
    return kaon.dataset(files, "Events", weights=weights)


def select(events: kaon.Dataframe) -> kaon.Dataframe:
    """Return the events with one lepton and four jets, with the trijet of largest momentum."""
    events = events.vary("Jet.pt", OBJECTS)
    objects = events.define("electron", f"Electron[{ELECTRONS} and Electron.sip3d < 4]")
    objects = objects.define("muon", f"Muon[{MUONS} and Muon.sip3d < 4]")
    objects = objects.define("jet", f"Jet[{JETS}]")
    one = objects.filter("count(electron) + count(muon) == 1", label="one lepton")
    four = one.filter("count(jet) >= 4", label="four jets")
    tagged = four.define("tags", "sum(jet.btagDeepFlavB > 0.5)")
    groups = tagged.define("group", "combinations(jet, 3)")
    groups = groups.define("sum", "group.first + group.second + group.third")
    tag = " or ".join(f"group.{jet}.btagDeepFlavB > 0.5" for jet in ("first", "second", "third"))
    best = groups.define("best", f"argmax(where({tag}, sum.pt, -1))").define("trijet", "sum[best]")
    return best.define("weight", "dataset.weight").vary("weight", WEIGHTS)


def histograms(selected: kaon.Dataframe) -> dict[str, kaon.results.Result]:
    """Return a histogram of each region; the samples are its first axis."""
    process = hist.axis.StrCategory([], growth=True, name="process")
    return {
        region: selected.filter(condition, label=region).histogram(
            [process, axis], ["dataset.sample", variable], "weight"
        )
        for region, (condition, variable, axis) in REGIONS.items()
    }


def workspace(results: dict[str, kaon.results.Result]) -> dict[str, object]:
    """Return the HistFactory workspace of all regions, in pyhf's JSON."""
    channels, observations = [], []
    for region, result in results.items():
        varied = {name: each.value for name, each in result.variations().items()}
        samples = [
            {
                "name": label,
                "data": result.value[label, :].values().tolist(),
                "modifiers": modifiers(region, label, result.value, varied),
            }
            for label in PROCESSES
        ]
        channels.append({"name": region, "samples": samples})
        data = result.value["data", :].values().tolist()
        observations.append({"name": region, "data": data})
    measurement = {"name": "ttbar", "config": {"poi": "ttbar_norm", "parameters": []}}
    return {
        "channels": channels,
        "observations": observations,
        "measurements": [measurement],
        "version": "1.0.0",
    }


def modifiers(
    region: str, label: str, nominal: hist.Hist, varied: dict[str, hist.Hist]
) -> list[dict[str, object]]:
    """Return the uncertainties of a sample, and the free norm of the signal."""
    values = nominal[label, :].values()
    errors = np.sqrt(nominal[label, :].variances())
    found: list[dict[str, object]] = [
        {"name": f"staterror_{region}", "type": "staterror", "data": errors.tolist()},
        {"name": "luminosity", "type": "normsys", "data": {"hi": 1.03, "lo": 0.97}},
    ]
    if label == "ttbar":
        found.append({"name": "ttbar_norm", "type": "normfactor", "data": None})
    for name in sorted({each.removesuffix("_up").removesuffix("_down") for each in varied}):
        up = varied[f"{name}_up"][label, :].values()
        down = varied.get(f"{name}_down")
        # A variation without a lower side is symmetric.
        low = 2 * values - up if down is None else down[label, :].values()
        if not (np.array_equal(up, values) and np.array_equal(low, values)):
            data = {"hi_data": up.tolist(), "lo_data": np.maximum(low, 0).tolist()}
            found.append({"name": name, "type": "histosys", "data": data})
    return found


def write_histograms(path: Path, results: dict[str, kaon.results.Result]) -> None:
    """Write a histogram for each region, sample and variation, as cabinetry and HistFactory do."""
    with kaon.create(path, overwrite=True) as out:
        for region, result in results.items():
            for name, each in {"nominal": result, **result.variations()}.items():
                for label in each.value.axes[0]:
                    out[f"{region}_{label}_{name}"] = each.value[label, :]


def fit(spec: dict[str, object]) -> tuple[float, float]:
    """Return the norm of the signal and its uncertainty: a fit of all regions."""
    import pyhf

    pyhf.set_backend("numpy", "minuit")
    model = pyhf.Workspace(spec).model()
    data = pyhf.Workspace(spec).data(model)
    best = pyhf.infer.mle.fit(data, model, return_uncertainties=True)
    value, error = np.asarray(best)[model.config.poi_index]
    return float(value), float(error)


def main(folder: Path, events: int = 30_000) -> dict[str, object]:
    """Run the analysis; return the workspace."""
    folder.mkdir(parents=True, exist_ok=True)
    make_events(folder, events)
    selected = select(dataset(folder, events))
    results, cuts = histograms(selected), selected.report("dataset.weight")
    for region, result in results.items():  # the first look computes all, in one pass
        kaon.plot(result, data="data").savefig(folder / f"{region}.png")
    write_histograms(folder / "histograms.root", results)
    spec = workspace(results)
    (folder / "workspace.json").write_text(json.dumps(spec, indent=1))
    print(cuts.to_markdown(by="sample"))
    return spec


if __name__ == "__main__":
    made = main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
    try:
        print("ttbar_norm = {:.3f} ± {:.3f}".format(*fit(made)))
    except ImportError as error:
        print(f"no fit: {error}; pip install 'pyhf[minuit]'")
