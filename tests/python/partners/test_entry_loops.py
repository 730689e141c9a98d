"""Functions that Numba compiles, called by dataframes for each entry."""

import math

import awkward as ak
import numpy as np
import pytest

import kaon

numba = pytest.importorskip("numba")


@pytest.fixture
def events(runs):
    return kaon.dataset(runs)


@numba.njit
def mass(pt, eta, phi):
    """Return the mass of the first two muons."""
    if len(pt) < 2:
        return -1.0
    return math.sqrt(2 * pt[0] * pt[1] * (math.cosh(eta[0] - eta[1]) - math.cos(phi[0] - phi[1])))


@numba.njit
def hard_share(pt, met, minimum=20):
    """Return the sum of a NumPy array, divided by a number of the event."""
    return pt[pt > minimum].sum() / met


def test_functions_get_the_values_of_an_entry(events, everything):
    muons, met = everything.Muon, everything.MET
    some = events.define("mass", mass, ["Muon.pt", "Muon.eta", "Muon.phi"]).define(
        "share", hard_share, ["Muon.pt", "MET"]
    )
    masses, shares = some.take("mass"), some.take("share")
    kaon.run(masses, shares)
    expected = [mass.py_func(*(m[name].to_numpy() for name in ("pt", "eta", "phi"))) for m in muons]
    assert masses.value.dtype == np.float64 and (masses.value > 0).sum() > 1000
    np.testing.assert_allclose(masses.value, expected, rtol=1e-3)
    np.testing.assert_allclose(
        shares.value, ak.sum(muons.pt[muons.pt > 20], axis=1) / met, rtol=1e-5
    )
    (signature,) = mass.signatures  # compiled once, for views, not for arrays of a batch
    assert signature == (numba.float32[::1],) * 3


def test_types_are_those_that_numba_finds(events, everything):
    charges = numba.njit(lambda charge: charge.sum())
    some = events.define("charges", charges, "Muon.charge").define(
        "one", numba.njit(lambda _: 1), "run"
    )
    assert some.take("charges").value.dtype == np.int64
    assert some.sum("one").value == len(everything)
    passes = events.filter(numba.njit(lambda met: met > 50), "MET")
    assert passes.count().value == ak.sum(everything.MET > 50)


def test_steps_go_on_from_them(events, everything):
    half = numba.njit(lambda x: x / 2)
    varied = events.redefine("MET", half, "MET").vary("MET", {"half": half}, "MET")
    high = varied.filter("MET > 20").count()
    assert high.value == ak.sum(everything.MET > 40)
    assert high.variations()["half"].value == ak.sum(everything.MET > 80)
    muons = events.explode("Muon").define("ratio", half, "Muon.pt").filter("ratio > 10")
    assert muons.count().value == ak.sum(everything.Muon.pt > 20)
    ratios = muons.implode().take("ratio").value
    hard = everything.Muon.pt[everything.Muon.pt > 20]
    assert ak.array_equal(2 * ratios, ak.values_astype(hard, np.float64))


def test_functions_with_declared_types_and_threads(events, everything):
    declared = numba.njit("float64(float32[:], float32)")(lambda pt, met: len(pt) * met)
    parallel = numba.njit(parallel=True)(lambda pt: (2 * pt).sum())
    some = events.define("declared", declared, ["Muon.pt", "MET"]).define(
        "parallel", parallel, "Muon.pt"
    )
    assert some.sum("declared").value == pytest.approx(
        ak.sum(ak.num(everything.Muon) * everything.MET)
    )
    assert some.sum("parallel").value == pytest.approx(2 * ak.sum(everything.Muon.pt))


def test_functions_of_whole_batches_are_called_by_one_of_python(events, everything):
    lengths = numba.njit(lambda met: len(met) * np.ones(len(met)))
    assert events.define("n", lambda met: lengths(met), "MET").min("n").value > 1


def test_errors_show_the_types_of_arguments(events, tmp_path):
    with pytest.raises(
        kaon.errors.UsageError,
        match=r"'x': Numba cannot compile mass\(Muon.pt: list of float32, MET: float32\): "
        r"Cannot bind .* to signature '\(pt, eta, phi\)'",
    ):
        events.define("x", mass, ["Muon.pt", "MET"])
    with pytest.raises(
        kaon.errors.UsageError, match=r"<lambda>\(MET: float32\): Unknown attribute 'pt'"
    ):
        events.filter(numba.njit(lambda muon: muon.pt > 4), "MET")
    with pytest.raises(
        kaon.errors.WrongTypeError, match=r"returns array\(float32, 1d, C\), not a number"
    ):
        events.define("x", numba.njit(lambda pt: 2 * pt), "Muon.pt")
    with pytest.raises(kaon.errors.WrongTypeError, match="values of the type complex64"):
        events.define("x", numba.njit(lambda met: np.complex64(met)), "MET")
    with pytest.raises(kaon.errors.UsageError, match="a filter wants a bool"):
        events.filter(mass, ["Muon.pt", "Muon.eta", "Muon.phi"])
    with kaon.create(tmp_path / "lists.kaon") as out:
        out["events"].extend({"waveforms": [[[1, 2], [3]], [[4]]]})
    waveforms = kaon.dataset(tmp_path / "lists.kaon", "events")
    with pytest.raises(kaon.errors.WrongTypeError, match="'waveforms' has lists of lists"):
        waveforms.define("x", numba.njit(lambda lists: len(lists)), "waveforms")


def test_exceptions_of_functions_reach_the_user(events):
    @numba.njit
    def fail(run):
        if run == 7000:
            raise ValueError("no such run")
        return run

    with pytest.raises(ValueError, match="no such run") as caught:
        events.define("x", fail, "run").sum("x").value  # noqa: B018
    if hasattr(caught.value, "__notes__"):
        assert "'x', in a batch that begins with entry" in caught.value.__notes__[0]
