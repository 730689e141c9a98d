"""Cut flows and plots without one of the cuts."""

from __future__ import annotations

import math
from pathlib import Path

import awkward as ak
import numpy as np
import pytest

import kaon

SIGNAL, BACKGROUND = 400, 1000
LABELS = ["MET", r"$n \geq 2$"]


@pytest.fixture(scope="module")
def data() -> dict[str, ak.Array]:
    random = np.random.default_rng(7)

    def sample(events: int) -> ak.Array:
        counts = random.integers(0, 4, events)
        pt = ak.unflatten(random.uniform(0, 100, counts.sum()), counts)
        met, weight = random.uniform(0, 100, events), random.normal(1, 0.5, events)
        return ak.zip({"Muon": ak.zip({"pt": pt}), "met": met, "weight": weight}, depth_limit=1)

    return {"signal": sample(SIGNAL), "background": sample(BACKGROUND)}


@pytest.fixture(scope="module")
def events(data: dict[str, ak.Array], tmp_path_factory: pytest.TempPathFactory) -> kaon.Dataframe:
    folder = tmp_path_factory.mktemp("cuts")
    for label, arrays in data.items():
        with kaon.create(folder / f"{label}.kaon") as out:
            out["events"].extend(arrays)
    return kaon.dataset({label: folder / f"{label}.kaon" for label in data}, "events")


def selected(events: kaon.Dataframe) -> kaon.Dataframe:
    return events.filter("met > 50", label=LABELS[0]).filter("count(Muon) >= 2", label=LABELS[1])


def masks(arrays: ak.Array, scale: float = 1) -> list[np.ndarray]:
    """Return which events pass no filter, the first, and both."""
    met = ak.to_numpy(scale * arrays.met > 50)
    both = met & ak.to_numpy(ak.num(arrays.Muon) >= 2)
    return [np.ones(len(met), bool), met, both]


def test_efficiencies_have_binomial_errors(
    events: kaon.Dataframe, data: dict[str, ak.Array]
) -> None:
    all_, met, both = (
        sum(m.sum() for m in of) for of in zip(*map(masks, data.values()), strict=True)
    )
    _, cut = selected(events).report().cuts
    assert (cut.entries, cut.passed, cut.error) == (met, both, math.sqrt(both))
    assert cut.efficiency == pytest.approx(both / met)
    error = math.sqrt(cut.efficiency * (1 - cut.efficiency) / met)
    assert cut.efficiency_error == pytest.approx(error)
    assert cut.cumulative == pytest.approx(both / all_)
    error = math.sqrt(cut.cumulative * (1 - cut.cumulative) / all_)
    assert cut.cumulative_error == pytest.approx(error)


def test_weights_have_their_own_errors(events: kaon.Dataframe, data: dict[str, ak.Array]) -> None:
    weight = np.concatenate([ak.to_numpy(of.weight) for of in data.values()])
    _, met, both = (np.concatenate(of) for of in zip(*map(masks, data.values()), strict=True))
    _, cut = selected(events).report("weight").cuts
    assert cut.passed_weight == pytest.approx(weight[both].sum())
    assert cut.error == pytest.approx(math.sqrt((weight[both] ** 2).sum()))
    # The efficiency is p / (p + f); p and f, of those that pass and fail, are independent.
    p, f = weight[both], weight[met & ~both]
    variance = (f.sum() ** 2 * (p**2).sum() + p.sum() ** 2 * (f**2).sum()) / (
        p.sum() + f.sum()
    ) ** 4
    assert cut.efficiency_error == pytest.approx(math.sqrt(variance))


@pytest.mark.parametrize("weight", [None, "weight"])
def test_samples_and_variations_are_computed_in_one_pass(
    events: kaon.Dataframe, data: dict[str, ak.Array], weight: str | None
) -> None:
    passes = []

    def up(met: np.ndarray) -> np.ndarray:
        passes.append(len(met))
        return 1.2 * met

    cuts = selected(events.vary("met", {"up": up}, "met")).report(weight)
    frame = cuts.to_pandas(by=["sample", "variation"])
    assert frame.index.names == ["sample", "variation", "filter"]
    assert sum(passes) == SIGNAL + BACKGROUND
    for label, arrays in data.items():
        for name, scale in (("nominal", 1), ("up", 1.2)):
            of = arrays.weight if weight else np.ones(len(arrays))
            sums = [ak.sum(of[mask]) for mask in masks(arrays, scale)]
            part = frame.sort_index().loc[(label, name)].loc[LABELS]
            assert part.passed_weight.tolist() == pytest.approx(sums[1:])
            assert part.cumulative.tolist() == pytest.approx([s / sums[0] for s in sums[1:]])
            assert part.passed.tolist() == [m.sum() for m in masks(arrays, scale)[1:]]
    assert cuts.samples()["signal"].cuts[0].entries == SIGNAL


def test_a_variation_may_begin_after_a_filter(
    events: kaon.Dataframe, data: dict[str, ak.Array]
) -> None:
    varied = events.filter("count(Muon) >= 2").vary("met", {"up": "1.2 * met"}).filter("met > 50")
    cuts = varied.report().variations()["up"].cuts
    passed = sum(masks(arrays, 1.2)[2].sum() for arrays in data.values())
    assert [cut.passed for cut in cuts][1] == passed
    assert cuts[0].passed == cuts[1].entries


def test_tables_for_papers(tmp_path: Path) -> None:
    with kaon.create(tmp_path / "events.kaon") as out:
        x = np.arange(1000)
        out["events"].extend({"x": x, "weight": np.full(1000, 0.5)})
    events = kaon.dataset({"A|B": tmp_path / "events.kaon"}, "events")
    some = events.filter("x < 250", label="x_low").filter("x < 100", label="$x < 100$")
    assert some.report().to_markdown().splitlines() == [
        "| filter    | passed | efficiency [%] | cumulative [%] |",
        "| --------- | -----: | -------------: | -------------: |",
        "| all       |   1000 |                |                |",
        "| x_low     |    250 |     25.0 ± 1.4 |     25.0 ± 1.4 |",
        "| $x < 100$ |    100 |     40.0 ± 3.1 |   10.00 ± 0.95 |",
    ]
    assert some.report("weight").to_latex(columns=["passed", "cumulative"]).splitlines() == [
        r"\begin{tabular}{lrr}",
        r"\hline",
        r"filter & passed & cumulative [\%] \\",
        r"\hline",
        r"all & $500 \pm 16$ &  \\",
        r"x\_low & $125.0 \pm 7.9$ & $25.0 \pm 1.4$ \\",
        r"$x < 100$ & $50.0 \pm 5.0$ & $10.00 \pm 0.95$ \\",
        r"\hline",
        r"\end{tabular}",
    ]
    by_sample = some.report().to_markdown(by="sample").splitlines()
    assert by_sample[0] == r"| filter    | A\|B |"
    assert by_sample[-1] == "| $x < 100$ |  100 |"


def test_cumulative_efficiencies_begin_again_with_objects(events: kaon.Dataframe) -> None:
    hard = events.filter("met > 50").explode("Muon").filter("Muon.pt > 20").filter("Muon.pt > 60")
    back = hard.implode().filter("count(Muon) > 1")
    rows = [line.split("|")[1].strip() for line in back.report().to_markdown().splitlines()]
    assert rows[2:] == [
        *("all", "met > 50", "all objects", "Muon.pt > 20", "Muon.pt > 60"),
        *("all events", "count(Muon) > 1"),
    ]
    first, second, third, last = back.report().cuts
    assert second.cumulative == second.efficiency
    assert third.cumulative == pytest.approx(second.efficiency * third.efficiency)
    assert last.entries == first.passed and last.cumulative == last.efficiency


def test_filters_without_entries_have_no_efficiency(events: kaon.Dataframe) -> None:
    cuts = events.filter("met < 0", label="no").filter("met > 1", label="one").report()
    assert math.isnan(cuts.cuts[1].efficiency) and cuts.cuts[1].cumulative == 0
    assert str(cuts).splitlines()[1].split() == ["one", "0", "0", "-"]
    assert cuts.to_markdown().splitlines()[-1].split("|")[3].strip() == ""


def test_a_filter_is_left_out_for_its_own_plot(
    events: kaon.Dataframe, data: dict[str, ak.Array]
) -> None:
    plots = {"MET": ((10, 0, 100), "met"), r"$n \geq 2$": ((4, 0, 4), "muons")}
    chosen = selected(events.define("muons", "count(Muon)"))
    found = {label: chosen.without_filter(label).histogram(*of) for label, of in plots.items()}
    kaon.run(*found.values())
    met = np.concatenate([of.met[ak.num(of.Muon) >= 2] for of in data.values()])
    muons = np.concatenate([ak.num(of.Muon)[of.met > 50] for of in data.values()])
    assert found["MET"].value.values().tolist() == np.histogram(met, 10, (0, 100))[0].tolist()
    counts = found[r"$n \geq 2$"].value.values()
    assert counts.tolist() == np.histogram(muons, 4, (0, 4))[0].tolist()


def test_steps_after_a_left_out_filter_stay(events: kaon.Dataframe) -> None:
    steps = (
        events.filter(lambda met: met > 50, "met", label="MET")
        .define("half", lambda met: met / 2, "met")
        .redefine("met", "2 * met")
        .vary("met", {"up": "3 * met"})
        .alias("missing", "met")
        .explode("Muon")
        .filter("Muon.pt > 20", label="hard")
        .implode()
        .range(0, 1000)
    )
    without = steps.without_filter("MET")
    direct = (
        events.define("half", "met / 2")
        .redefine("met", "2 * met")
        .vary("met", {"up": "3 * met"})
        .alias("missing", "met")
        .explode("Muon")
        .filter("Muon.pt > 20")
        .implode()
        .range(0, 1000)
    )
    for column in ("half", "missing", "Muon.pt"):
        assert ak.array_equal(without.take(column).value, direct.take(column).value)
    up = [each.count().variations()["up"].value for each in (without, direct)]
    assert up[0] == up[1]
    assert [cut.label for cut in without.report().cuts] == ["hard", "entries 0 to 1000"]


def test_reports_mistakes(events: kaon.Dataframe) -> None:
    chosen = selected(events)
    with pytest.raises(kaon.errors.UnknownNameError, match="no filter is called 'MTE'.*'MET'"):
        chosen.without_filter("MTE")
    with pytest.raises(kaon.errors.UsageError, match="2 filters are called 'MET'"):
        chosen.filter("met > 60", label="MET").without_filter("MET")
    with pytest.raises(kaon.errors.UsageError, match="by='samples': give some of 'sample'"):
        chosen.report().to_pandas(by="samples")  # type: ignore[arg-type]
    with pytest.raises(kaon.errors.UsageError, match="columns='share'"):
        chosen.report().to_latex(columns="share")  # type: ignore[arg-type]
    with pytest.raises(kaon.errors.WrongTypeError, match="'Muon.pt' is a list"):
        events.report("Muon.pt")
