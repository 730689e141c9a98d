"""Write histograms.root, and histograms.json with the values that ROOT reads from it.

Run it with a Python that has ROOT: ``python histograms.py FOLDER``.
"""

import json
import os
import sys
from array import array
from itertools import product

import ROOT

FOLDER = sys.argv[1]
ROOT.gErrorIgnoreLevel = ROOT.kError
ROOT.TH1.AddDirectory(False)
random = ROOT.TRandom3(1)
kept = []  # lists of ROOT do not own their items


def numbers(*values):
    return array("d", values)


def filled(histogram, count, axes=1, weighted=False):
    for _ in range(count):
        place = [random.Gaus(0, 2) for _ in range(axes)]
        histogram.Fill(*place, random.Rndm()) if weighted else histogram.Fill(*place)
    return histogram


def filled_profile(profile, weighted=False):
    for _ in range(300):
        x = random.Gaus(0, 2)
        values = [x, *([random.Uniform(-1, 1)] if "2D" in profile.ClassName() else []), x * x + 1]
        profile.Fill(*values, random.Rndm() + 0.5) if weighted else profile.Fill(*values)
    return profile


def write_histograms(file):
    for kind in "CSIFD":
        name = f"h1{kind}"
        filled(getattr(ROOT, f"TH1{kind}")(name, "title;x;y", 10, -4, 4), 100).Write()
    weighted = ROOT.TH1D("weighted", "with weights;x axis;counts", 5, -4, 4)
    weighted.Sumw2()
    filled(weighted, 200, weighted=True).Write()
    filled(ROOT.TH1F("variable", "", 4, numbers(-3, -1, 0, 2, 5)), 200).Write()
    cuts = ROOT.TH1D("cuts", "cut flow", 3, 0, 3)
    for place, name in enumerate(["all", "pt > 5", "eta"]):
        cuts.GetXaxis().SetBinLabel(place + 1, name)
        cuts.SetBinContent(place + 1, 10 - place)
    cuts.Write()
    partly = ROOT.TH1D("partly", "one name", 3, 0, 3)
    partly.GetXaxis().SetBinLabel(2, "b")
    partly.Fill(1.5)
    partly.Write()
    under = ROOT.TH1D("under", "names and underflow", 1, 0, 1)
    under.GetXaxis().SetBinLabel(1, "a")
    under.Fill(-1)
    under.Write()
    versions = ROOT.TH1I("versions", "", 2, 0, 2)
    versions.Fill(0.5)
    versions.Write()
    versions.Fill(1.5)
    versions.Write()
    fitted = filled(ROOT.TH1D("fitted", "with a function", 20, -4, 4), 300)
    fitted.Fit("gaus", "Q0")
    fitted.Write()
    file.mkdir("folder/inner").cd()
    two = ROOT.TH2D("h2", "two axes;x;y;z", 3, -4, 4, 4, -3, 3)
    two.Sumw2()
    filled(two, 200, 2, True).Write()
    filled(ROOT.TH3F("h3", "three axes", 2, -4, 4, 3, -3, 3, 4, -2, 2), 300, 3).Write()
    filled_profile(ROOT.TProfile("profile", "a profile;x;y", 6, -4, 4)).Write()
    weighted_profile = ROOT.TProfile("weighted_profile", "", 6, -4, 4)
    weighted_profile.Sumw2()
    filled_profile(weighted_profile, True).Write()
    filled_profile(ROOT.TProfile2D("profile2", "", 3, -4, 4, 2, -1, 1)).Write()
    file.cd()


def write_sparse(name, bins, weighted):
    axes = len(bins)
    sparse = ROOT.THnSparseD(
        name, "sparse", axes, array("i", bins), numbers(*[-4] * axes), numbers(*[4] * axes)
    )
    if weighted:
        sparse.Sumw2()
    for _ in range(100):
        place = numbers(*(random.Gaus(0, 2) for _ in range(axes)))
        sparse.Fill(place, random.Rndm() if weighted else 1.0)
    sparse.Write()


def write_others(file):
    for graph, name in (
        (ROOT.TGraph(3, numbers(1, 2, 3), numbers(4, 5, 6)), "graph"),
        (
            ROOT.TGraphErrors(
                2, numbers(1, 2), numbers(4, 5), numbers(0.1, 0.2), numbers(0.3, 0.4)
            ),
            "errors",
        ),
        (
            ROOT.TGraphAsymmErrors(
                2,
                numbers(1, 2),
                numbers(4, 5),
                numbers(0.1, 0.2),
                numbers(0.3, 0.4),
                numbers(0.5, 0.6),
                numbers(0.7, 0.8),
            ),
            "asymmetric",
        ),
    ):
        graph.SetNameTitle(name, f"title of {name}")
        graph.Write()
    efficiency = ROOT.TEfficiency("efficiency", "an efficiency", 5, 0, 10)
    for _ in range(300):
        x = random.Uniform(0, 10)
        efficiency.Fill(random.Rndm() < x / 10, x)
    efficiency.Write()
    for kind, value in (
        ("double", 1.5),
        ("int", -7),
        ("Long64_t", 1 << 40),
        ("bool", True),
        ("float", 0.5),
    ):
        ROOT.TParameter(kind)(f"parameter_{kind}", value).Write()
    ROOT.TObjString("hello world").Write("text")
    ROOT.TNamed("named", "a title").Write()
    vector = ROOT.TVectorD(3)
    matrix, symmetric = ROOT.TMatrixD(2, 3), ROOT.TMatrixDSym(3)
    for i, k in product(range(3), range(3)):
        vector[i] = i + 0.5
        symmetric[i][k] = 10 * min(i, k) + max(i, k)
        if i < 2:
            matrix[i][k] = 10 * i + k
    vector.Write("vector")
    matrix.Write("matrix")
    symmetric.Write("symmetric")
    items = [
        filled(ROOT.TH1D("in_list", "", 2, -1, 1), 10),
        ROOT.TObjString("first"),
        ROOT.TNamed("name", "title"),
        ROOT.TObjString("second"),
    ]
    kept.extend(items)
    for kind in (ROOT.TList, ROOT.TObjArray):
        collection = kind()
        for item in [*items, items[0]]:
            collection.Add(item)
        collection.Write(kind.__name__, ROOT.TObject.kSingleKey)
    pairs = ROOT.TMap()
    kept.extend([ROOT.TObjString("key"), ROOT.TObjString("value")])
    pairs.Add(kept[-2], kept[-1])
    pairs.Write("TMap", ROOT.TObject.kSingleKey)
    clones = ROOT.TClonesArray("TLorentzVector", 3)
    for i in range(3):
        clones.ConstructedAt(i).SetPxPyPzE(i, 2, 3, 4)
    clones.Write("TClonesArray", ROOT.TObject.kSingleKey)
    ROOT.TLorentzVector(1, 2, 3, 4).Write("momentum")
    file.WriteObject(ROOT.std.vector("double")([1, 2, 3]), "doubles")
    file.WriteObject(ROOT.std.vector("string")(["a", "bc"]), "strings")
    weights = ROOT.std.map("string", "double")()
    weights["x"], weights["yy"] = 1, 2
    file.WriteObject(weights, "map")


def bins_of(histogram):
    """Return all bins with flow, the last axis first, as ROOT stores them."""
    places = range(histogram.GetNcells())
    bins = {
        "contents": [histogram.GetBinContent(place) for place in places],
        "errors": [histogram.GetBinError(place) for place in places],
    }
    if histogram.InheritsFrom("TProfile") or histogram.InheritsFrom("TProfile2D"):
        bins["entries"] = [histogram.GetBinEntries(place) for place in places]
    return bins


ROOT.gInterpreter.Declare("""
std::vector<double> sparseBin(THnSparse& sparse, Long64_t number) {
  std::vector<int> place(sparse.GetNdimensions());
  const double content = sparse.GetBinContent(number, place.data());
  std::vector<double> all{content, sparse.GetBinError(number)};
  all.insert(all.end(), place.begin(), place.end());
  return all;
}
""")


def sparse_bins(sparse):
    """Return the content, error and place of each filled bin."""
    return [list(ROOT.sparseBin(sparse, number)) for number in range(sparse.GetNbins())]


path = os.path.join(FOLDER, "histograms.root")
file = ROOT.TFile(path, "RECREATE")
write_histograms(file)
write_sparse("sparse", [4, 5, 6], True)
write_sparse("sparse_wide", [50] * 12, False)
write_others(file)
tree = ROOT.TTree("tree", "a tree")
x = numbers(0)
tree.Branch("x", x, "x/D")
for value in range(10):
    x[0] = value
    tree.Fill()
tree.Write()
file.Close()

file = ROOT.TFile(path)
histograms = [
    "h1C",
    "h1S",
    "h1I",
    "h1F",
    "h1D",
    "weighted",
    "variable",
    "cuts",
    "partly",
    "under",
    "versions",
    "versions;1",
    "fitted",
    *(f"folder/inner/{name}" for name in ("h2", "h3", "profile", "weighted_profile", "profile2")),
]
expected = {
    "histograms": {name: bins_of(file.Get(name)) for name in histograms},
    "sparse": {name: sparse_bins(file.Get(name)) for name in ("sparse", "sparse_wide")},
    "efficiency": [file.Get("efficiency").GetEfficiency(place + 1) for place in range(5)],
}
with open(os.path.join(FOLDER, "histograms.json"), "w", encoding="utf-8") as out:
    json.dump(expected, out, indent=0)
out.close()
os._exit(0)  # ROOT's destructors and Python's order of them do not fit
