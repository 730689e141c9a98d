"""Displays of events, and decays as graphs: their coordinates and names are those of the arrays."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import awkward as ak
import numpy as np
import pytest
from shared_files import shared_file

import kaon

plotly = pytest.importorskip("plotly")
pytest.importorskip("particle")

ROOT = Path(__file__).parents[2]
TTBAR = ROOT / "examples/ttbar/sample.kaon"
DETECTOR = """options: {getSyntax: false}
schema_version: 1
components:
  Vector3:
    Members: [float x, float y, float z]
  TrackState:
    Members:
      - int32_t location // 1 at the interaction point
      - float D0 [mm] // impact parameter
      - float phi // azimuthal angle
      - float omega [1/mm] // curvature
      - float Z0 [mm] // impact parameter along z
      - float tanLambda // slope
      - Vector3 referencePoint [mm] // of the parameters
datatypes:
  Hit:
    Description: "A hit"
    Author: "me"
    Members:
      - Vector3 position [mm] // of the hit
      - float energy [GeV] // of the hit
      - std::string name // of the cell
  Track:
    Description: "A track"
    Author: "me"
    VectorMembers:
      - TrackState trackStates // along the track
  FarHit:
    Description: "A hit in other units"
    Author: "me"
    Members:
      - float x [cm] // of the hit
      - float y [cm] // of the hit
      - float z [cm] // of the hit
  Particle:
    Description: "A particle"
    Author: "me"
    Members:
      - int32_t PDG // code
      - float charge // in e
      - float mass [GeV] // mass
      - Vector3 momentum [GeV] // momentum
      - Vector3 vertex [mm] // production
    OneToManyRelations:
      - Particle daughters // decay products
"""


def vector(x: float, y: float, z: float) -> dict[str, float]:
    return {"x": x, "y": y, "z": z}


def particle(momentum: dict[str, float], charge: float = 0, **members: Any) -> dict[str, Any]:
    daughters = members.pop("daughters", [])
    return {
        "PDG": 22,
        "charge": charge,
        "mass": 0,
        "momentum": momentum,
        "vertex": vector(0, 0, 0),
        "daughters": [{"index": each, "collection": "Particles"} for each in daughters],
        **members,
    }


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., kaon.Category]:
    """Make a file with one event; return its events."""

    def make_events(**collections: Any) -> kaon.Category:
        (tmp_path / "model.yaml").write_text(DETECTOR)
        types = {"Hits": "Hit", "FarHits": "FarHit", "Tracks": "Track", "Particles": "Particle"}
        path = tmp_path / "detector.kaon"
        options: dict[str, Any] = {
            "model": tmp_path / "model.yaml",
            "types": {name: types[name] for name in collections},
            "overwrite": True,
        }
        with kaon.create(path, **options) as out:
            out["events"].extend({name: [of] for name, of in collections.items()})
        return kaon.open(path)["events"]

    return make_events


def hit(x: float, y: float, z: float, energy: float = 1, name: str = "") -> dict[str, Any]:
    return {"position": vector(x, y, z), "energy": energy, "name": name}


def traces(figure: Any) -> dict[str, tuple[Any, Any]]:
    """Return the 3-D trace and the x-y trace of each collection."""
    pairs: dict[str, list[Any]] = {}
    for trace in figure.data:
        pairs.setdefault(trace.legendgroup, []).append(trace)
    return {name: (space, plane) for name, (space, plane) in pairs.items()}


def coordinates(trace: Any) -> Any:
    return np.stack([trace.x, trace.y, trace.z], axis=1)


def test_hits_are_points_where_they_were_measured(make: Any) -> None:
    events = make(Hits=[hit(1, 2, 3, energy=0.25), hit(-4, 5, 6, energy=1, name="<b>&")])
    figure = kaon.display(events)
    ((space, plane),) = traces(figure).values()
    assert coordinates(space).tolist() == [[1, 2, 3], [-4, 5, 6]]
    assert (list(plane.x), list(plane.y)) == ([1, -4], [2, 5])
    assert space.name == "Hits (2)" and space.mode == "markers"
    assert list(space.marker.size) == [4 + 10 / 2, 14]  # areas grow with the energy
    assert (
        space.hovertext[0]
        == "<b>Hits[0]</b><br>position: (1, 2, 3) mm<br>energy: 0.25 GeV<br>name:"
    )
    assert space.hovertext[1].endswith("name: &lt;b>&amp;")
    assert figure.layout.scene.xaxis.title.text == "x [mm]"
    assert figure.layout.title.text == f"{events.file_path}, entry 0"


def test_lengths_have_one_unit(make: Any) -> None:
    figure = kaon.display(make(Hits=[hit(1, 2, 3)], FarHits=[vector(4, 5, 6)]))
    shown = traces(figure)
    assert coordinates(shown["Hits"][0]).tolist() == [[1, 2, 3]]
    assert coordinates(shown["FarHits"][0]).tolist() == [[40, 50, 60]]
    alone = kaon.display(make(FarHits=[vector(4, 5, 6)]))
    assert coordinates(alone.data[0]).tolist() == [[4, 5, 6]]
    assert alone.layout.scene.xaxis.title.text == "x [cm]"


def test_momenta_are_lines_from_the_vertex(make: Any) -> None:
    particles = [
        particle(vector(3, 0, 4), vertex=vector(1, 1, 0)),
        particle(vector(0, 10, 0)),
    ]
    figure = kaon.display(make(Hits=[hit(30, 40, -20)], Particles=particles))
    space, _ = traces(figure)["Particles"]
    first, second = coordinates(space)[:2], coordinates(space)[3:5]
    scale = 50 / 10  # the largest momentum is as long as the event is wide
    assert np.allclose(first, [[1, 1, 0], [1 + 3 * scale, 1, 4 * scale]])
    assert np.allclose(second, [[0, 0, 0], [0, 50, 0]])
    assert np.isnan(coordinates(space)[2]).all() and space.mode == "lines"
    assert "momentum: (3, 0, 4) GeV" in space.hovertext[0]


def test_charged_particles_turn_in_a_field(make: Any) -> None:
    """A charge of +1 with 0.3 GeV turns clockwise around (0, -r), with r = p / (0.3 B)."""
    particles = [particle(vector(0.299792458, 0, 0.1), charge=1), particle(vector(1, 0, 0))]
    events = make(Hits=[hit(0, 3000, 5000)], Particles=particles)
    figure = kaon.display(events, field=2)
    space, _ = traces(figure)["Particles"]
    points = coordinates(space)
    helix = points[: np.flatnonzero(np.isnan(points[:, 0]))[0]]
    assert np.allclose(np.hypot(helix[:, 0], helix[:, 1] + 500), 500)
    assert helix[1, 1] < 0 and np.allclose(helix[-1, :2], 0, atol=0.5)  # one turn
    assert helix[-1, 2] == pytest.approx(2 * np.pi * 500 * 0.1 / 0.299792458)
    assert len(points) == len(helix) + 1 + 3  # the photon is a line

    short = coordinates(traces(kaon.display(events, field=2, radius=300))["Particles"][0])
    ends = short[: np.flatnonzero(np.isnan(short[:, 0]))[0]]
    assert np.hypot(*ends[-1, :2]) == pytest.approx(300, abs=3)


def test_tracks_are_the_helices_of_their_states(make: Any) -> None:
    """The point nearest to the reference point is at D0 to the left of the direction."""
    state = {"location": 1, "D0": 2, "phi": 0, "omega": 0.01, "Z0": 5, "tanLambda": 0.5}
    other = {**state, "location": 2, "D0": 700}
    states = [{**of, "referencePoint": vector(1, 0, 0)} for of in (other, state)]
    figure = kaon.display(make(Hits=[hit(60, 80, 300)], Tracks=[{"trackStates": states}]))
    points = coordinates(traces(figure)["Tracks"][0])[:-1]
    assert np.allclose(points[0], [1, 2, 5])
    assert np.allclose(np.hypot(points[:, 0] - 1, points[:, 1] + 98), 100)  # it turns clockwise
    turned = np.arctan2(points[:, 0] - 1, points[:, 1] + 98)
    assert np.allclose(points[:, 2] - 5, 100 * turned * 0.5)
    assert np.hypot(*points[-1, :2]) == pytest.approx(100, abs=1)


def test_large_collections_are_cut(make: Any) -> None:
    hits = [hit(number, 0, 0, energy=number % 7) for number in range(50)]
    figure = kaon.display(make(Hits=hits), most=7)
    assert list(figure.data[0].x) == [6, 13, 20, 27, 34, 41, 48]  # those with the most energy
    assert figure.data[0].name == "Hits (7 of 50)"
    assert figure.layout.title.text.endswith("entry 0; left out: 43 objects")
    assert figure.data[0].hovertext[0].startswith("<b>Hits[6]</b>")


def test_events_of_momenta_have_their_axes(tmp_path: Path) -> None:
    """A tree like NanoAOD's: no positions, and an event without any object."""
    muon = {"pt": [40.0, 20.0], "eta": [0.5, -1.0], "phi": [0.1, 2.0], "mass": [0.1, 0.1]}
    muons = ak.Array([[], [dict(zip(muon, of, strict=True)) for of in zip(*muon.values())]])  # noqa: B905
    with kaon.create(tmp_path / "nano.root", format="ttree") as out:
        out["Events"].extend({"Muon": muons, "MET_pt": [1.0, 2.0]})
    events = kaon.open(tmp_path / "nano.root")["Events"]
    for of in (events, events.arrays()):
        figure = kaon.display(of, 1)
        ((space, _),) = traces(figure).values()
        p4 = kaon.open(tmp_path / "nano.root")["Events"].arrays().Muon[1]
        lines = coordinates(space).reshape(2, 3, 3)
        assert np.allclose(lines[:, 0], 0)
        assert np.allclose(lines[:, 1], np.stack([p4.px, p4.py, p4.pz], axis=1))
        assert figure.layout.scene.xaxis.title.text == "px"
    with pytest.raises(kaon.errors.UsageError, match="no collection has objects with positions"):
        kaon.display(events, 0)
    with pytest.raises(kaon.errors.UsageError, match="field= needs radius="):
        kaon.display(events, 1, field=3.8)
    with pytest.raises(kaon.errors.UsageError, match="field= needs length_unit="):
        kaon.display(events, 1, field=3.8, radius=2)
    assert kaon.display(events, 1, field=3.8, radius=2, length_unit="m").data


def test_banks_of_hipo_files_are_drawn(tmp_path: Path) -> None:
    with kaon.create(tmp_path / "rec.hipo") as out:
        particles = {"px": [0.5], "py": [0.0], "pz": [2.0], "vx": [0.0], "vy": [1.0], "vz": [-3.0]}
        hits = {"x": [10.0, 20.0], "y": [0.0, 1.0], "z": [400.0, 500.0]}
        banks = {"REC::Particle": particles, "REC::Traj": hits}
        out["events"].extend(
            {
                name: ak.zip({member: np.array([of], np.float32) for member, of in bank.items()})
                for name, bank in banks.items()
            }
        )
    shown = traces(kaon.display(kaon.open(tmp_path / "rec.hipo")["events"]))
    assert coordinates(shown["REC::Traj"][0]).tolist() == [[10, 0, 400], [20, 1, 500]]
    start, end = coordinates(shown["REC::Particle"][0])[:2]
    assert start.tolist() == [0, 1, -3]
    assert np.allclose(
        (end - start) / np.linalg.norm(end - start), np.array([0.5, 0, 2]) / 4.25**0.5
    )


def test_records_of_lists_are_collections() -> None:
    """ATLAS stores a list for each member of a collection."""
    jets = {"pt": [3.0, 4.0], "eta": [0.0, 0.0], "phi": [0.0, np.pi / 2], "m": [0.0, 0.0]}
    uneven = {"x": [1.0], "y": [1.0, 2.0], "z": [3.0]}
    one = {"x": 1.0, "y": 2.0, "z": 3.0}
    events = ak.Array([{"JetsAux": jets, "Uneven": uneven, "Vertex": one}])
    shown = traces(kaon.display(events, length_unit="mm"))
    assert [*shown] == ["JetsAux", "Vertex"]
    assert coordinates(shown["Vertex"][0]).tolist() == [[1, 2, 3]]
    ends = coordinates(shown["JetsAux"][0])[1::3]
    assert np.allclose(ends, np.array([[3, 0, 0], [0, 4, 0]]) * 3 / 4)  # as wide as the event


def test_missing_objects_are_left_out() -> None:
    hits = [None, {"x": 1.0, "y": 2.0, "z": 3.0}, {"x": np.nan, "y": 2.0, "z": 3.0}]
    figure = kaon.display(ak.Array([{"Hits": hits}]))
    assert figure.data[0].name == "Hits (1 of 3)"
    assert coordinates(figure.data[0]).tolist() == [[1, 2, 3]]
    assert figure.data[0].hovertext[0].startswith("<b>Hits[1]</b>")


def test_lengths_without_unit_have_the_given_one(make: Any) -> None:
    events = make(FarHits=[vector(4, 5, 6)]).arrays()
    events["Plain"] = ak.Array([[vector(1, 2, 3)]])
    for unit, factor in (("m", 100), ("cm", 1)):
        shown = traces(kaon.display(events, length_unit=unit))
        assert coordinates(shown["FarHits"][0]).tolist() == [[4, 5, 6]]
        assert coordinates(shown["Plain"][0]).tolist() == [[factor, 2 * factor, 3 * factor]]
    shown = traces(kaon.display(events, length_unit="mm"))
    assert coordinates(shown["FarHits"][0]).tolist() == [[40, 50, 60]]
    assert coordinates(shown["Plain"][0]).tolist() == [[1, 2, 3]]


def test_patterns_select_collections(make: Any) -> None:
    events = make(Hits=[hit(1, 0, 0)], FarHits=[vector(4, 5, 6)], Particles=[])
    assert [*traces(kaon.display(events, names="Far*"))] == ["FarHits"]
    assert [*traces(kaon.display(events.arrays(), names=["Hits", "Particles"]))] == ["Hits"]


@pytest.mark.parametrize("name", ["edm4hep_3.rntuple.root", "edm4hep_3.sio", "lcio_3.slcio"])
def test_simulated_events_are_drawn(name: str) -> None:
    events = kaon.open(shared_file(f"podio/{name}"))["events"]
    shown = traces(kaon.display(events, 1))
    for collection, (space, _) in shown.items():
        if "Hits" in collection and "No" not in collection:
            position = events.arrays(collection)[1][collection].position
            wanted = np.stack([position.x, position.y, position.z], axis=1)
            assert np.allclose(coordinates(space), wanted), collection
    particles = events.arrays("MCParticles")[1].MCParticles
    stable = kaon.follow(events.arrays("ChargedStable")[1].ChargedStable.object)
    for collection, of in {"MCParticles": particles, "ChargedStable": stable}.items():
        starts = coordinates(shown[collection][0])[::3]
        assert np.allclose(starts, np.stack([of.vertex.x, of.vertex.y, of.vertex.z], axis=1))


def test_mistakes_are_reported(make: Any) -> None:
    events = make(Hits=[hit(1, 0, 0)])
    with pytest.raises(kaon.errors.OutOfRangeError, match="there is no entry 7; there are 1"):
        kaon.display(events, 7)
    with pytest.raises(kaon.errors.WrongTypeError, match="draw an event of a category"):
        kaon.display([1, 2])
    for of in (events, events.arrays()):
        with pytest.raises(kaon.errors.UnknownNameError, match=r"'Hit'.*did you mean 'Hits'"):
            kaon.display(of, names="Hit")
    with pytest.raises(kaon.errors.UnknownNameError, match="no collection is called"):
        kaon.display(events, names=["Muon", "Jet*"])
    with pytest.raises(kaon.errors.UsageError, match="radius must be above 0, not -3"):
        kaon.display(events, radius=-3)
    with pytest.raises(kaon.errors.UsageError, match="most must be at least 1, not 0"):
        kaon.display(events, most=0)
    with pytest.raises(kaon.errors.UsageError, match="length_unit must be one of um, mm"):
        kaon.display(events, length_unit="inch")


def test_the_command_writes_a_page(command: Any, tmp_path: Path) -> None:
    page = tmp_path / "event.html"
    assert command("display", TTBAR, "MCParticles", "--entry", 7, "-o", page) == (0, "", "")
    text = page.read_text()
    assert "MCParticles (" in text and "plotly.js" in text and 'src="http' not in text
    assert command("display", TTBAR, "-o", "event.png")[2] == (
        "kaon: event.png: write event displays to .html\n"
    )


def test_the_command_opens_a_page(
    command: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    status, out, _ = command("display", TTBAR, "--most", 5)
    assert status == 0 and opened == [Path(out.strip()).as_uri()]
    assert "left out" in Path(out.strip()).read_text()


def test_displays_need_plotly(run_python: Any) -> None:
    program = (
        "import sys; sys.modules['plotly'] = None; import kaon; "
        f"kaon.display(kaon.open({str(TTBAR)!r})['events'])"
    )
    done: subprocess.CompletedProcess[str] = run_python("-c", program)
    assert "event displays need: pip install plotly" in done.stderr


def test_decays_have_names_of_particles() -> None:
    events = kaon.open(TTBAR)["events"]
    particles = events.arrays()[3].MCParticles
    (top,) = [
        n
        for n, of in enumerate(particles)
        if of.PDG == 6 and of.daughters.index.tolist() and 24 in of.daughters.PDG.tolist()
    ]
    graph = kaon.decays(events, 3, index=top, most=40)
    daughters = particles[top].daughters.index.tolist()
    assert [below for above, below in graph.edges if above == top] == sorted(daughters)
    assert graph.names[top] == "t" and {graph.names[each] for each in daughters} == {"W+", "b"}
    assert len(graph.names) == 40 and graph.left_out > 0
    text = str(graph)
    assert f'{top} [label="t"' in text and f"{top} -> {daughters[0]};" in text
    assert f"and {graph.left_out} more" in text


def test_decays_of_nanoaod_follow_mothers(tmp_path: Path) -> None:
    generated = {"pdgId": [23, 13, -13, 99999999], "genPartIdxMother": [-1, 0, 0, 2]}
    columns = {name: np.array([of], np.int32) for name, of in generated.items()}
    with kaon.create(tmp_path / "nano.root", format="ttree") as out:
        out["Events"].extend({"GenPart": ak.zip(columns)})
    for of in (events := kaon.open(tmp_path / "nano.root")["Events"], events.arrays()):
        graph = kaon.decays(of)
        assert graph.names == {0: "Z0", 1: "mu-", 2: "mu+", 3: "99999999"}
        assert graph.edges == [(0, 1), (0, 2), (2, 3)] and graph.left_out == 0


def test_relations_to_parents_suffice(make: Any) -> None:
    particles = [particle(vector(0, 0, 1), PDG=of) for of in (111, 22, 22)]
    particles[0]["daughters"] = [{"index": n, "collection": "Particles"} for n in (1, 2)]
    array = make(Particles=particles).arrays()
    parents = kaon.referrers(array.Particles, array.Particles, "daughters")
    without = array.Particles[[name for name in array.Particles.fields if name != "daughters"]]
    turned = ak.zip({"Particles": ak.with_field(without, parents, "parents")}, depth_limit=1)
    for of in (array, turned):
        assert kaon.decays(of).edges == [(0, 1), (0, 2)]


def test_decays_are_written(command: Any, make: Any, tmp_path: Path) -> None:
    events = make(
        Particles=[particle(vector(0, 0, 1), PDG=111, daughters=[1]), particle(vector(0, 0, 1))]
    )
    status, out, _ = command("display", events.file_path, "--decays")
    assert status == 0 and out.rstrip() == str(kaon.decays(events))
    assert command("display", events.file_path, "--decays", "-o", tmp_path / "a.dot")[0] == 0
    assert (tmp_path / "a.dot").read_text() == out.rstrip()
    if shutil.which("dot"):
        kaon.decays(events).save(tmp_path / "a.svg")
        assert "pi0" in (tmp_path / "a.svg").read_text()
    else:
        with pytest.raises(ImportError, match="Graphviz's program dot"):
            kaon.decays(events).save(tmp_path / "a.svg")
    with pytest.raises(kaon.errors.UsageError, match=r"write decays to \.dot"):
        kaon.decays(events).save(tmp_path / "a.gif")


def test_mistakes_in_decays_are_reported(make: Any) -> None:
    events = make(Hits=[hit(1, 0, 0)], Particles=[particle(vector(0, 0, 1))])
    with pytest.raises(kaon.errors.UsageError, match="which 'Hits' lacks"):
        kaon.decays(events, collection="Hits")
    with pytest.raises(kaon.errors.UnknownNameError, match="no collection is called 'Tops'"):
        kaon.decays(events, collection="Tops")
    with pytest.raises(kaon.errors.OutOfRangeError, match="has 1 objects, and no 4"):
        kaon.decays(events, index=4)
    with pytest.raises(kaon.errors.UnknownNameError, match="no collection has daughters"):
        kaon.decays(make(Hits=[hit(1, 0, 0)]))
