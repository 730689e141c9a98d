"""The eight queries of the ADL benchmark (https://github.com/iris-hep/adl-benchmarks-index).

python queries.py [--plot PICTURE] FILE...
"""

import argparse

import kaon


def book(events):
    """Book all histograms. This reads nothing yet."""
    missing = (100, 0, 200, "missing pT [GeV]")
    jet = (100, 15, 60, "jet pT [GeV]")
    results = {
        "1": events.histogram(missing, "MET_pt"),
        "2": events.histogram(jet, "Jet.pt"),
        "3": events.define("central", "Jet.pt[abs(Jet.eta) < 1]").histogram(jet, "central"),
        "4": events.filter("sum(Jet.pt > 40) >= 2").histogram(missing, "MET_pt"),
    }

    results["5"] = (
        events.define("pair", "combinations(Muon, 2)")
        .define("mass", "(pair.first + pair.second).mass")
        .filter("any(pair.first.pdgId == -pair.second.pdgId and 60 < mass < 120)")
        .histogram(missing, "MET_pt")
    )

    tops = (
        events.filter("count(Jet) >= 3")
        .define("triple", "combinations(Jet, 3)")
        .define("together", "triple.first + triple.second + triple.third")
        .define("best", "argmin(abs(together.mass - 172.5))")
        .define("pt", "together[best].pt")
        .define("btags", "max(triple.first.btag, triple.second.btag, triple.third.btag)")
        .define("btag", "btags[best]")
    )
    results["6a"] = tops.histogram((100, 15, 40, "three jets' pT [GeV]"), "pt")
    results["6b"] = tops.histogram((100, 0, 1, "best b-tag"), "btag")

    leptons = events.define("Lepton", "concatenate(Muon, Electron)")
    results["7"] = (
        leptons.define("near", "pairs(Jet, Lepton[Lepton.pt > 10])")
        .define("ht", "sum(Jet.pt[Jet.pt > 30 and all(deltaR(near) >= 0.4)])")
        .histogram((100, 15, 200, "sum of jet pT [GeV]"), "ht")
    )

    results["8"] = (
        leptons.filter("count(Lepton) >= 3")
        .define("pair", "combinations(Lepton, 2)")
        .define("isPair", "pair.first.pdgId == -pair.second.pdgId")
        .filter("any(isPair)")
        .define("mass", "(pair.first + pair.second).mass")
        .define("z", "pair[argmin(where(isPair, abs(mass - 91.2), 1e9))]")
        .define("others", "Lepton[index(Lepton) not in (index(z.first), index(z.second))]")
        .define("other", "others[argmax(others.pt)]")
        .define("mt", "transverseMass(other.pt, other.phi, MET_pt, MET_phi)")
        .histogram((100, 0, 200, "transverse mass [GeV]"), "mt")
    )
    return results


def plot(results, picture):
    """Draw all histograms."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(3, 3, figsize=(12, 9), layout="constrained")
    for panel, (name, result) in zip(axes.flat, results.items(), strict=True):
        histogram = result.value
        panel.stairs(histogram.values(), histogram.axes[0].edges, color="#20639b")
        panel.set(
            title=f"query {name}", xlabel=histogram.axes[0].label, ylabel="entries", ylim=(0, None)
        )
        panel.tick_params(direction="in", top=True, right=True)
    figure.savefig(picture)


def main():
    """Compute the queries in one pass, and print or draw them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--plot", metavar="PICTURE")
    arguments = parser.parse_args()
    results = book(kaon.dataset(arguments.files, "Events"))
    kaon.run(*results.values())
    if arguments.plot:
        return plot(results, arguments.plot)
    for name, result in results.items():
        print(name, *result.value.values(flow=True))


if __name__ == "__main__":
    main()
