"""LCIO files: events as frames of LCIO's model, with the values that LCIO itself reads."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import slcio
from shared_files import shared_file

import kaon

LCIO_MODEL = Path(__file__).parents[2] / "examples" / "lcio" / "lcio.yaml"
TYPES = {"int": "int32", "float": "float32", "double": "float64", "string": "string"}
# Members that the samples' description names differently from the model.
NAMES = {
    "d0": "D0",
    "z0": "Z0",
    "ints": "intVals",
    "floats": "floatVals",
    "doubles": "doubleVals",
}
INNER = ("contributions", "particleIDs")
# Collections whose objects neither have numbers nor point to others.
WITHOUT_NUMBERS = {"RawCalorimeterHitsShort"}
SAMPLES = {"lcio_3": "lcio_3.json", "lcio_3_raw": "lcio_3.json", "lcio_30": "lcio_30.json.gz"}


def expected(sample: str) -> dict[str, Any]:
    """Return the contents that LCIO itself reads from a file."""
    raw = shared_file(f"podio/{SAMPLES[sample]}").read_bytes()
    contents: dict[str, Any] = json.loads(
        gzip.decompress(raw) if SAMPLES[sample].endswith("gz") else raw
    )
    return contents


class Comparison:
    """Compares the columns of a category with those of the description."""

    def __init__(self, category: kaon.Category, wanted: dict[str, Any]) -> None:
        self.flat = category.arrays(library="np")
        self.tables = [table.name for table in category._schema.tables]
        self.wanted = wanted

    def check_all(self) -> None:
        for name, collection in self.wanted["collections"].items():
            self.check_rows(name, collection)
            for vector, elements in collection["vectors"].items():
                if vector in INNER:
                    self.check_inner(name, vector, elements)
                else:
                    self.check_rows(f"{name}.{NAMES.get(vector, vector)}", elements)
            for relation, references in collection["relations"].items():
                renamed = "object" if collection["subset"] else relation
                self.check_relation(f"{name}.{renamed}", references)

    def check_rows(self, name: str, wanted: dict[str, Any]) -> None:
        """Check the rows of a table, and how many of them each row above has."""
        assert np.diff(self.flat.offsets(name)).tolist() == wanted["sizes"], name
        for column, values in wanted["columns"].items():
            if column == "particleIDUsed":
                self.check_used(name, values)
            elif column == "algorithmType" and name == "Vertices":
                assert self.texts(f"{name}.{column}") == values
            elif column not in ("particle.collection", "particle.index", "parameters"):
                self.check_column(name, NAMES.get(column, column), values)

    def check_column(self, name: str, column: str, values: list[Any]) -> None:
        full = f"{name}.{column}" if column else name
        parts = [f"{full}.{axis}" for axis in "xyz"]
        if parts[0] in self.flat:
            found = np.stack([self.flat[part] for part in parts], axis=-1)
        else:
            found = self.flat[full]
        if not isinstance(found, np.ndarray) or found.dtype.kind in "OU":
            assert list(found) == values, full
            return
        wanted = np.array(values, dtype=found.dtype).reshape(found.shape)
        assert found.tobytes() == wanted.tobytes(), full

    def check_inner(self, name: str, vector: str, wanted: dict[str, Any]) -> None:
        """Check objects inside others; kaon has a collection of them and a relation to it."""
        inner = f"{name}_{vector}"
        references = self.flat.offsets(f"{name}.{vector}")
        assert np.diff(references).tolist() == wanted["sizes"], name
        events = np.diff(self.flat.offsets(inner))
        assert self.flat[f"{name}.{vector}.index"].tolist() == [
            index for count in events for index in range(count)
        ]
        self.check_rows(inner, {"sizes": events.tolist(), "columns": wanted["columns"]})
        if "parameters" in wanted["columns"]:
            lists = wanted["columns"]["parameters"]
            assert np.diff(self.flat.offsets(f"{inner}.parameters")).tolist() == [*map(len, lists)]
            self.check_column(f"{inner}.parameters", "", [x for each in lists for x in each])
        if "particle.index" in wanted["columns"]:
            columns = wanted["columns"]
            self.check_relation(
                f"{inner}.particle",
                {
                    "many": False,
                    "index": columns["particle.index"],
                    "collection": columns["particle.collection"],
                },
            )

    def check_relation(self, name: str, wanted: dict[str, Any]) -> None:
        names = self.wanted["collection_names"]
        if wanted["many"]:
            assert np.diff(self.flat.offsets(name)).tolist() == wanted["sizes"], name
        assert self.flat[f"{name}.index"].tolist() == wanted["index"], name
        found = zip(self.flat[f"{name}.collection"].tolist(), wanted["collection"], strict=True)
        assert all(names[to] == self.tables[number] for number, to in found if to >= 0), name

    def check_used(self, name: str, wanted: list[int]) -> None:
        """Check the identification that a particle uses; the description gives its position."""
        found = self.flat[f"{name}.particleIDUsed.index"]
        references = self.flat.offsets(f"{name}.particleIDs")
        places = self.flat[f"{name}.particleIDs.index"]
        for row, (number, used) in enumerate(zip(wanted, found.tolist(), strict=True)):
            assert used == (places[references[row] + number] if number >= 0 else -1)

    def texts(self, name: str) -> list[str]:
        values = self.flat[name]
        if isinstance(values, np.ndarray) and values.dtype == np.uint8:
            borders = self.flat.offsets(name)
            raw = values.tobytes()
            return [raw[a:b].decode() for a, b in zip(borders[:-1], borders[1:], strict=True)]
        return [str(value) for value in values]


@pytest.mark.parametrize("sample", SAMPLES)
def test_events_equal_those_of_lcio(sample: str) -> None:
    wanted = expected(sample)
    with kaon.open(shared_file(f"podio/{sample}.slcio")) as file:
        assert len(file["events"]) == wanted["entries"]
        Comparison(file["events"], wanted).check_all()


@pytest.mark.parametrize("sample", SAMPLES)
def test_headers_and_parameters_equal_those_of_lcio(sample: str) -> None:
    wanted = expected(sample)
    with kaon.open(shared_file(f"podio/{sample}.slcio")) as file:
        names = wanted["collection_names"]
        for entry, frame in enumerate(file["events"].frames()):
            found = dict(frame.parameters)
            for name in ("runNumber", "eventNumber", "timeStamp", "detectorName", "weight"):
                assert found.pop(name) == wanted[name][entry], name
            for name in names:
                collection = wanted["collections"][name]
                assert found.pop(f"{name}__flag") & 0xFFFFFFFF == collection["flags"][entry]
                check_parameters(found, collection["parameters"][entry], f"{name}__")
            check_parameters(found, wanted["parameters"][entry], "")
            assert not found  # no other parameters are left
        runs = file["runs"].frames()
        for run, frame in zip(wanted["runs"], runs, strict=True):
            found = dict(frame.parameters)
            for name in ("runNumber", "detectorName", "description", "activeSubdetectors"):
                assert found.pop(name) == run[name], name
            check_parameters(found, run["parameters"], "")
            assert not found


def check_parameters(
    found: dict[str, Any], wanted: dict[str, dict[str, list[Any]]], prefix: str
) -> None:
    """Check parameters and remove them; single values are not lists."""
    for kind, keys in wanted.items():
        for key, values in keys.items():
            value = found.pop(prefix + key)
            values_found = value if isinstance(value, list) else [value]
            rounded = [float(np.float32(x)) for x in values] if kind == "float" else values
            assert values_found == rounded, prefix + key


def test_objects_are_those_of_the_model() -> None:
    with kaon.open(shared_file("podio/lcio_3.slcio")) as file:
        frame = next(iter(file["events"].frames()))
        link = frame["RecoMCLinks"][0]
        assert link.to.PDG == 211
        assert link.to in list(frame["MCParticles"])
        assert all(link.to in parent.daughters for parent in link.to.parents)


def test_events_are_found_by_run_and_number() -> None:
    with kaon.open(shared_file("podio/lcio_30.slcio")) as file:
        numbers = file["events"].arrays(["runNumber", "eventNumber"])
        run, event = numbers.runNumber[-1], numbers.eventNumber[-1]
        found = file["events"].find(runNumber=int(run), eventNumber=int(event))
        assert found == len(numbers) - 1


def test_copies_hold_the_same(tmp_path: Path) -> None:
    wanted = expected("lcio_3")
    copy = tmp_path / "copy.kaon"
    kaon.convert(shared_file("podio/lcio_3.slcio"), copy)
    with kaon.open(copy) as file:
        Comparison(file["events"], wanted).check_all()
        assert "lcio" in file.models


@pytest.mark.parametrize("sample", SAMPLES)
def test_written_files_equal_those_of_lcio(sample: str, tmp_path: Path) -> None:
    """The bytes are equal, except for the numbers of objects, which LCIO takes from addresses."""
    copy = tmp_path / "copy.slcio"
    kaon.convert(
        shared_file(f"podio/{sample}.slcio"), copy, codec="none" if "raw" in sample else "zlib"
    )
    theirs = slcio.records_of(shared_file(f"podio/{sample}.slcio").read_bytes())
    ours = slcio.records_of(copy.read_bytes())
    slcio.check_index(theirs)
    slcio.check_index(ours)
    assert [r.name for r in ours] == [r.name for r in theirs]
    for name in ("LCRunHeader", "LCEventHeader"):
        assert [r.blocks for r in ours if r.name == name] == [
            r.blocks for r in theirs if r.name == name
        ]
    events = [[r for r in records if r.name == "LCEvent"] for records in (theirs, ours)]
    for left, right in zip(*events, strict=True):
        assert slcio.are_same_but_for_numbers(left.blocks, right.blocks, WITHOUT_NUMBERS)


def test_written_events_are_read_back(tmp_path: Path) -> None:
    wanted = expected("lcio_3")
    kaon.convert(shared_file("podio/lcio_3.slcio"), tmp_path / "a.kaon")
    kaon.convert(tmp_path / "a.kaon", tmp_path / "b.slcio")
    with kaon.open(tmp_path / "b.slcio") as file:
        Comparison(file["events"], wanted).check_all()
        assert file["runs"].arrays().tolist() == [
            {
                "runNumber": 7,
                "detectorName": ["ToyDetector"],
                "description": ["toy run 0"],
                "activeSubdetectors": ["VXD", "TPC", "ECAL"],
                "Versions": [2, 23, 3],
                "Field": [np.float32(3.8)],
                "BeamEnergy": [6500.0],
                "Generator": ["pythia8"],
            }
        ]


def test_runs_begin_with_their_headers_wherever_these_come_from(tmp_path: Path) -> None:
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend({"runNumber": np.array([1, 2], dtype=np.int32)})
        out["runs"].extend({"runNumber": np.array([1, 2], dtype=np.int32)})
    kaon.convert(tmp_path / "a.kaon", tmp_path / "a.slcio")
    names = [record.name for record in slcio.records_of((tmp_path / "a.slcio").read_bytes())]
    assert names[:6] == ["LCRunHeader", "LCEventHeader", "LCEvent"] * 2


def test_metadata_come_along(tmp_path: Path) -> None:
    with kaon.create(tmp_path / "b.slcio") as out:
        out.metadata["campaign"] = "2026"
        out["events"].extend({"eventNumber": np.array([1, 2], dtype=np.int32)})
    with kaon.open(tmp_path / "b.slcio") as file:
        assert file.metadata["campaign"] == "2026"
        assert file["events"].arrays().eventNumber.tolist() == [1, 2]
    records = slcio.records_of((tmp_path / "b.slcio").read_bytes())
    assert records[-4].name == "kaon_documents"
    slcio.check_index(records)


def test_data_outside_objects_are_not_lost_silently(tmp_path: Path) -> None:
    lcio = kaon.load_model(LCIO_MODEL)
    frame = kaon.Frame()
    frame["Clusters_particleIDs"] = [lcio.ParticleID(PDG=11)]
    with kaon.create(tmp_path / "ids.kaon", model=LCIO_MODEL, missing_members="default") as out:
        out["events"].write(frame)
    with pytest.raises(
        kaon.errors.UsageError, match="Clusters_particleIDs: .* only within other objects"
    ):
        kaon.convert(tmp_path / "ids.kaon", tmp_path / "ids.slcio")


def test_a_file_without_events_has_none(tmp_path: Path) -> None:
    with kaon.create(tmp_path / "none.slcio"):
        pass
    with kaon.create(tmp_path / "runs.slcio") as out:
        out["runs"].extend({"runNumber": np.array([1], dtype=np.int32)})
    for name, runs in (("none", 0), ("runs", 1)):
        with kaon.open(tmp_path / f"{name}.slcio") as file:
            assert len(file["events"]) == 0
            assert (len(file["runs"]) if "runs" in file.keys() else 0) == runs
        train = kaon.train.Train(kaon.dataset(tmp_path / f"{name}.slcio", "events"))
        train.add(tmp_path / f"{name}.kaon")
        assert train.run().entries == 0


def test_unsupported_tables_are_named_with_a_reason(tmp_path: Path) -> None:
    for number, (data, reason) in enumerate(
        [
            (
                {"Muon": [[{"pt": 1.0}]]},
                "LCIO has no type for records; objects need LCIO's model",
            ),
            ({"big": [[1 << 40]]}, "LCIO's parameters are .*, not of int64"),
        ]
    ):
        out = kaon.create(tmp_path / f"{number}.slcio")
        with pytest.raises(kaon.errors.UsageError, match=reason), out:
            out["events"].extend(data)


HIT = {"cellID0": 5, "position": {"x": 1.0, "y": 2.0, "z": 3.0}, "time": 8.0, "quality": 9}


def written_with(
    path: Path, types: dict[str, str], objects: dict[str, Any], **options: Any
) -> Path:
    """Write objects of LCIO's types to a file of kaon's own format."""
    options = {"model": LCIO_MODEL, "missing_members": "default", **options}
    with kaon.create(path, types=types, **options) as out:
        out["events"].extend(objects)
    return path


@pytest.mark.parametrize("layout", ["split", "member", "row"])
def test_collections_of_all_layouts_are_written(tmp_path: Path, layout: str) -> None:
    types = {"A": "lcio::SimTrackerHit", "B": "lcio::SimTrackerHit"}
    source = written_with(tmp_path / "a.kaon", types, {"A": [[HIT]], "B": [[HIT]]}, layout=layout)
    kaon.convert(source, tmp_path / "a.slcio")
    with kaon.open(source) as a, kaon.open(tmp_path / "a.slcio") as b:
        names = [f"{c}.{m}" for c in "AB" for m in ("cellID0", "position", "time", "quality")]
        wanted = a["events"].arrays(names).tolist()
        assert b["events"].arrays(names).tolist() == wanted
        assert wanted[0]["B"][0]["position"] == HIT["position"]


def test_members_of_other_types_than_lcios_are_not_written(tmp_path: Path) -> None:
    model = tmp_path / "other.yaml"
    model.write_text(
        LCIO_MODEL.read_text().replace("lcio::Vector3d position", "lcio::Vector3f position")
    )
    source = written_with(
        tmp_path / "a.kaon", {"Hits": "lcio::SimTrackerHit"}, {"Hits": [[HIT]]}, model=model
    )
    with pytest.raises(kaon.errors.UsageError, match="'position' is float32, but float64 in LCIO"):
        kaon.convert(source, tmp_path / "a.slcio")


def test_ends_of_particles_that_lcio_would_not_compute_are_stored(tmp_path: Path) -> None:
    """LCIO stores them only with bit 31 of the status, and otherwise computes the endpoint."""
    end = {"x": 7.0, "y": 8.0, "z": 9.0}
    none = {"x": 0.0, "y": 0.0, "z": 0.0}
    own_vertex = 1 << 28
    lcio = kaon.load_model(LCIO_MODEL)
    frame = kaon.Frame()
    members = [
        {"momentumAtEndpoint": end},
        {"endpoint": end},
        {"endpoint": end, "daughter": {"vertex": end}},  # as LCIO computes it
        {"endpoint": end, "daughter": {"vertex": end, "simulatorStatus": own_vertex}},
        {"vertex": end},
    ]
    particles = []
    for each in members:
        daughter = each.pop("daughter", None)
        particles.append(lcio.MCParticle(**each))
        if daughter is not None:
            particles.append(lcio.MCParticle(**daughter))
            particles[-1].parents.append(particles[-2])
            particles[-2].daughters.append(particles[-1])
    frame["P"] = particles
    with kaon.create(tmp_path / "a.kaon", model=LCIO_MODEL, missing_members="default") as out:
        out["events"].write(frame)
    kaon.convert(tmp_path / "a.kaon", tmp_path / "a.slcio")
    with kaon.open(tmp_path / "a.slcio") as file:
        found = file["events"].arrays(["P.simulatorStatus", "P.endpoint", "P.momentumAtEndpoint"])
    rows = found["P"][0].tolist()
    assert [row["simulatorStatus"] & 0xFFFFFFFF for row in rows] == [
        *(1 << 31, 1 << 31, 0, 0, 1 << 31, own_vertex, 0)
    ]
    assert [row["endpoint"] for row in rows] == [none, end, end, none, end, none, none]
    assert [row["momentumAtEndpoint"] for row in rows] == [end, *[none] * 6]
