"""ROOT files that podio writes: frames, with the models that the files carry."""

from __future__ import annotations

import gzip
import json
import os
import struct
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import awkward as ak
import numpy as np
import pytest
import slcio
from shared_files import shared_file

import kaon
from kaon.command.cli import main
from kaon.modelgen import load_model
from kaon.modelgen.model import Model

DATA = Path(__file__).parents[1] / "data" / "podio"
MODELS = Path(__file__).parents[1] / "models"
FORMS = ("ttree", "rntuple")
SAMPLES = ("toy", "edm4hep_3", "edm4hep_old_3", "edm4hep_50")
TYPES = {"int": "int32", "float": "float32", "double": "float64", "string": "string"}


def data_file(name: str) -> Path:
    """Return the path of a file; the larger files are not part of the project."""
    return DATA / name if name.startswith("toy") else shared_file(f"podio/{name}")


def expected(sample: str) -> dict[str, Any]:
    """Return the contents that podio itself reads; tests/data/podio/README.md says how."""
    plain = "_old" not in sample and "50" not in sample
    path = data_file(f"{sample}.json{'' if plain else '.gz'}")
    text = path.read_bytes() if plain else gzip.decompress(path.read_bytes())
    contents: dict[str, Any] = json.loads(text)
    return contents


def are_equal(values: np.ndarray, wanted: list[Any]) -> bool:
    """Tell whether an array has these values; floats other than NaN are compared bit by bit."""
    array = np.array(wanted, dtype=values.dtype).reshape(values.shape)
    if values.dtype.kind != "f":
        return bool(np.array_equal(values, array))
    return np.array_equal(values, array, equal_nan=True) and np.array_equal(
        np.signbit(values[~np.isnan(values)]), np.signbit(array[~np.isnan(array)])
    )


def check_rows(flat: Any, name: str, wanted: dict[str, Any]) -> None:
    """Check the rows of a table, and how many of them each row above has."""
    if "sizes" in wanted:
        assert np.diff(flat.offsets(name)).tolist() == wanted["sizes"], name
    for column, values in wanted["columns"].items():
        full = f"{name}.{column}" if column not in ("", "values") else name
        assert are_equal(flat[full], values), full


def check_relation(
    flat: Any, tables: list[str], name: str, wanted: dict[str, Any], names: list[str]
) -> None:
    if wanted["many"]:
        assert np.diff(flat.offsets(name)).tolist() == wanted["sizes"], name
    assert flat[f"{name}.index"].tolist() == wanted["index"], name
    found = zip(flat[f"{name}.collection"].tolist(), wanted["collection"], strict=True)
    assert all(names[to] == tables[number] for number, to in found if to >= 0), name


def check_category(category: kaon.Category, wanted: dict[str, Any]) -> None:
    """Check every value of a category."""
    assert len(category) == wanted["entries"]
    flat = category.arrays(library="np")
    tables = [table.name for table in category._schema.tables]
    names = wanted["collection_names"]
    for name, collection in wanted["collections"].items():
        check_rows(flat, name, collection)
        for vector, rows in collection["vectors"].items():
            check_rows(flat, f"{name}.{vector}", rows)
        for relation, references in collection["relations"].items():
            is_subset = collection["subset"]
            member = "object" if is_subset else relation
            check_relation(flat, tables, f"{name}.{member}", references, names)
    check_parameters(category, wanted["parameters"], names)


def check_parameters(
    category: kaon.Category, wanted: list[dict[str, Any]], names: list[str]
) -> None:
    arrays = category.arrays()
    known = set(names)
    for type_, dtype in TYPES.items():
        for key in dict.fromkeys(key for entry in wanted for key in entry[type_]):
            label = f"{key}:{dtype}" if key in known else key
            known.add(key)
            values = [entry[type_].get(key) for entry in wanted]
            if type_ == "float":
                values = [v and np.array(v, np.float32).tolist() for v in values]
            assert arrays[label].to_list() == values, label


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("sample", SAMPLES)
def test_files_equal_the_data_that_podio_reads(sample: str, form: str) -> None:
    contents = expected(sample)
    file = kaon.open(data_file(f"{sample}.{form}.root"))
    assert sorted(file) == sorted(contents["categories"])
    for name, wanted in contents["categories"].items():
        check_category(file[name], wanted)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("sample", SAMPLES)
def test_a_file_becomes_one_of_kaon(sample: str, form: str, tmp_path: Path) -> None:
    contents = expected(sample)
    kaon.convert(data_file(f"{sample}.{form}.root"), tmp_path / "out.kaon")
    file = kaon.open(tmp_path / "out.kaon")
    for name, wanted in contents["categories"].items():
        check_category(file[name], wanted)
    assert list(file.models) == list(contents["models"])
    assert kaon.verify(tmp_path / "out.kaon").is_sound


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("sample", SAMPLES)
def test_a_file_of_kaon_becomes_one_as_of_podio(sample: str, form: str, tmp_path: Path) -> None:
    contents = expected(sample)
    source, there, back = (
        data_file(f"{sample}.{form}.root"),
        tmp_path / "there.kaon",
        tmp_path / "back.root",
    )
    assert main(["convert", str(source), str(there)]) == 0
    assert main(["convert", str(there), str(back), "--to", "podio"]) == 0
    file, original = kaon.open(back), kaon.open(source)
    assert sorted(file) == sorted(contents["categories"])
    for name, wanted in contents["categories"].items():
        check_category(file[name], wanted)
    for model in original.models:
        document = f"model:{model}"
        assert json.loads(file._core.document(document)) == json.loads(
            original._core.document(document)
        )
    assert kaon.verify(back).is_sound


def test_frames_are_written_as_podio_has_them(tmp_path: Path) -> None:
    original = kaon.open(data_file("toy.ttree.root"))
    model = MODELS / "toymodel.yaml"
    with kaon.create(tmp_path / "new.root", model=model, format="podio", codec="none") as out:
        for frame in original["events"].frames():
            frame.parameters["late"] = "further"
            out["events"].write(frame)
    file = kaon.open(tmp_path / "new.root")
    wanted = expected("toy")["categories"]["events"]
    for parameters in wanted["parameters"]:
        parameters["string"]["late"] = ["further"]
    check_category(file["events"], wanted)


def test_unsupported_tables_are_listed_before_writing(tmp_path: Path) -> None:
    strips = {"cellID": [[1, 2], []], "energy": [[0.5, 1], []], "side": [[1, -1], []]}
    data = {"Strips": ak.zip(strips), "run": np.array([7, 8]), "noise": ak.Array([[1.0], []])}
    options = {"model": MODELS / "toymodel.yaml", "types": {"Strips": "toy::Strip"}}
    there, back = tmp_path / "there.kaon", tmp_path / "back.root"
    with kaon.create(there, **options) as out:
        out["events"].extend(data)
    lost = "events: run: podio's parameters are of int32, float32, float64 or string, not of int64"
    with pytest.raises(kaon.errors.UsageError, match=lost):
        kaon.convert(there, back, format="podio")
    assert not back.exists()
    kaon.convert(there, back, format="podio", lossy=True)
    arrays = kaon.open(back)["events"].arrays()
    assert sorted(arrays.fields) == ["Strips", "noise"]
    assert arrays.Strips.side.to_list() == [[1, -1], []]
    with (
        pytest.raises(kaon.errors.UsageError, match="podio's files cannot hold 'run'"),
        kaon.create(back, format="podio", overwrite=True, **options) as out,
    ):
        out["events"].extend(data)


@pytest.mark.parametrize(
    ("form", "suffix"), [("podio", ".root"), ("podio-sio", ".sio"), ("lcio", ".slcio")]
)
def test_values_become_parameters(tmp_path: Path, form: str, suffix: str) -> None:
    run, scale = np.array([7, 8, 9], np.int32), np.array([0.5, np.inf, -1])
    there, back = tmp_path / "there.kaon", tmp_path / f"back{suffix}"
    with kaon.create(there, keys=["run"]) as out:
        out["events"].extend({"run": run, "scale": scale, "name": ["a", "", "\0b"]})
    kaon.convert(there, back, format=form)
    arrays = kaon.open(back)["events"].arrays()
    assert arrays.run.to_list() == [[7], [8], [9]]
    assert arrays.scale.to_list() == [[0.5], [np.inf], [-1]]
    assert arrays.name.to_list() == [["a"], [""], ["\0b"]]


ARRAYS_IN_ARRAYS = """\
schema_version: 1
options: { getSyntax: true }
components:
  Cell: { Members: [float x, "std::array<int16_t, 2> counts"] }
  Row: { Members: ["std::array<Cell, 2> cells", double gain] }
datatypes:
  Panel:
    Description: "Rows of cells"
    Author: "me"
    Members:
      - std::array<Row, 3> rows // of it
    VectorMembers:
      - Row spare // rows
"""


@pytest.mark.parametrize(("form", "suffix"), [("podio", ".root"), ("podio-sio", ".sio")])
def test_arrays_of_components_have_arrays_of_components(
    tmp_path: Path, form: str, suffix: str
) -> None:
    (tmp_path / "panels.yaml").write_text(ARRAYS_IN_ARRAYS)
    model = kaon.load_model(tmp_path / "panels.yaml")
    numbers = iter(range(1000))

    def row() -> dict[str, Any]:
        cells = [{"x": next(numbers), "counts": [next(numbers), next(numbers)]} for _ in range(2)]
        return {"cells": cells, "gain": next(numbers)}

    event = kaon.Frame()
    event["Panels"] = panels = kaon.Collection(model.Panel)
    for count in (2, 0, 1):
        panels.create(rows=[row() for _ in range(3)], spare=[row() for _ in range(count)])
    with kaon.create(tmp_path / f"panels{suffix}", model=model, format=form) as out:
        out["events"].write(event)
    (read,) = kaon.open(tmp_path / f"panels{suffix}")["events"].frames()
    assert [panel.to_dict() for panel in read["Panels"]] == [panel.to_dict() for panel in panels]


def test_absent_collections_are_listed_before_they_become_empty(tmp_path: Path) -> None:
    strips = ak.zip({"cellID": [[1, 2], []], "energy": [[0.5, 1], []], "side": [[1, -1], []]})
    options = {"model": MODELS / "toymodel.yaml", "types": {"Strips": "toy::Strip"}}
    there, back = tmp_path / "there.kaon", tmp_path / "back.root"
    with kaon.create(there, cluster_entries=2, **options) as out:
        out["events"].extend({"Strips": strips})
    kaon.convert(there, back, format="podio")
    with kaon.create(tmp_path / "sparse.kaon", cluster_entries=2, **options) as out:
        out["events"].extend({"Strips": strips})
        out["events"].extend({"Strips": ak.Array([None, None, strips[0]])})
    for sources in ([tmp_path / "sparse.kaon"], [there, tmp_path / "sparse.kaon"]):
        lost = "events: Strips: entries without it get an empty one"
        with pytest.raises(kaon.errors.UsageError, match=lost):
            kaon.convert(sources, back, format="podio", overwrite=True)
        kaon.convert(sources, back, format="podio", lossy=True, overwrite=True)
        sides = kaon.open(back)["events"].arrays().Strips.side.to_list()
        assert sides[-5:] == [[1, -1], [], [], [], [1, -1]]


ROOT_SCRIPT = """
import json, sys, ROOT
ROOT.gErrorIgnoreLevel = ROOT.kFatal
results = []
for path in sys.argv[1:]:
    frames = ROOT.RDataFrame("events", path)
    columns = sorted(str(name) for name in frames.GetColumnNames())
    types = [str(frames.GetColumnType(name)) for name in columns]
    sums = [frames.Sum(name) for name in ("Hits.energy", "_Tracks_hits.index", "words")]
    results.append([columns, types, [each.GetValue() for each in sums]])
print(json.dumps(results))
"""


def test_root_reads_files_of_kaon_like_those_of_podio(tmp_path: Path) -> None:
    """ROOT has no classes here, and warns about it for both files."""
    python = os.environ.get(
        "KAON_ROOT_PYTHON", str(Path(__file__).parents[2] / "build/root-venv/bin/python")
    )
    if not Path(python).exists():
        pytest.skip("needs ROOT: name a Python that has it in KAON_ROOT_PYTHON")
    own = data_file("toy.rntuple.root")
    kaon.convert(own, tmp_path / "kaon.root", format="podio")
    command = [python, "-W", "ignore", "-c", ROOT_SCRIPT, str(own), str(tmp_path / "kaon.root")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=200, check=True)
    podio, kaons = json.loads(run.stdout.splitlines()[-1])
    assert kaons == podio
    assert len(podio[0]) > 40


@pytest.mark.parametrize("form", FORMS)
def test_the_model_is_the_one_that_was_written(form: str) -> None:
    written = load_model(MODELS / "toymodel.yaml")
    file = kaon.open(data_file(f"toy.{form}.root"))
    entries = json.loads(file._core.document("model:toymodel"))
    assert entries.pop("version") == "2.1.3"
    model = Model.from_dict(entries)
    options = replace(written.options, include_subfolder=True)
    assert model == replace(written, options=options)


@pytest.mark.parametrize("form", FORMS)
def test_frames_have_objects_that_lead_to_others(form: str) -> None:
    contents = expected("toy")["categories"]["events"]
    events = kaon.open(data_file(f"toy.{form}.root"))["events"]
    particles = contents["collections"]["Particles"]
    daughters = particles["relations"]["daughters"]
    bounds = np.cumsum([0, *daughters["sizes"]])
    first = 0
    for event in events.frames():
        for number, particle in enumerate(event["Particles"], first):
            assert particle.PDG == particles["columns"]["PDG"][number]
            wanted = daughters["index"][bounds[number] : bounds[number + 1]]
            assert list(particle.daughters) == [event["Particles"][index] for index in wanted]
        first += len(event["Particles"])
        for link in event["Links"]:
            assert link["from"] is None or type(link["from"]).__name__ in ("Hit", "Strip")
        assert all(particle in list(event["Particles"]) for particle in event["Selected"])


@pytest.mark.parametrize("form", FORMS)
def test_relations_are_followed_in_arrays(form: str) -> None:
    arrays = kaon.open(data_file(f"toy.{form}.root"))["events"].arrays(["Particles", "Tracks"])
    for event in arrays:
        for particle in event.Particles:
            wanted = [event.Particles.PDG[index] for index in particle.parents.index]
            assert particle.parents.PDG.to_list() == wanted
    assert ak.any(arrays.Tracks.other.index == -1)
    assert ak.all(ak.is_none(arrays.Tracks.other.chi2, axis=1) == (arrays.Tracks.other.index == -1))


def test_descriptions_of_the_file_are_metadata() -> None:
    file = kaon.open(data_file("toy.ttree.root"))
    assert "podio_metadata" not in list(file)
    assert file.metadata["podio"] == "1.7.0"


def test_members_of_earlier_versions_are_converted(tmp_path: Path) -> None:
    text = (MODELS / "toymodel.yaml").read_text(encoding="utf-8")
    text = text.replace("schema_version: 2", "schema_version: 3")
    text = text.replace("std::int32_t PDG{22}", "std::int64_t code{22}")
    rename = "{ from_version: 2, to_version: 3, rename_member: { from: PDG, to: code } }"
    (tmp_path / "toymodel.yaml").write_text(f"{text}migrations: {{ toy::Particle: [{rename}] }}\n")
    wanted = expected("toy")["categories"]["events"]["collections"]["Particles"]["columns"]
    for form in FORMS:
        file = kaon.open(data_file(f"toy.{form}.root"), model=tmp_path / "toymodel.yaml")
        codes = file["events"].arrays("Particles.code", library="np")["Particles.code"]
        assert codes.dtype == np.int64
        assert codes.tolist() == wanted["PDG"]
        frame = next(iter(file["events"].frames()))
        assert [particle.code for particle in frame["Particles"]] == wanted["PDG"][
            : len(frame["Particles"])
        ]


@pytest.mark.parametrize("form", FORMS)
def test_edm4hep_of_an_earlier_version_is_read(form: str, tmp_path: Path) -> None:
    """Cluster.iPhi was called phi in schema 5, and Quantity.type had 16 bits."""
    path = data_file(f"edm4hep_old_3.{form}.root")
    text = (path.parents[1] / "models" / "edm4hep.yaml").read_text(encoding="utf-8")
    rename = "{ from_version: 5, to_version: 6, rename_member: { from: phi, to: iPhi } }"
    model = tmp_path / "edm4hep.yaml"
    model.write_text(f"{text}\nmigrations: {{ edm4hep::Cluster: [{rename}] }}\n")
    wanted = expected("edm4hep_old_3")["categories"]["events"]["collections"]
    flat = kaon.open(path, model=model)["events"].arrays(["Clusters", "RecDqdxs"], library="np")
    assert are_equal(flat["Clusters.iPhi"], wanted["Clusters"]["columns"]["phi"])
    assert flat["RecDqdxs.dQdx.type"].dtype == np.int32
    assert are_equal(flat["RecDqdxs.dQdx.type"], wanted["RecDqdxs"]["columns"]["dQdx.type"])


@pytest.mark.parametrize("form", FORMS)
def test_classes_are_generated_from_the_model_of_a_file(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["model", str(data_file(f"toy.{form}.root"))]) == 0
    (tmp_path / "toymodel.yaml").write_text(capsys.readouterr().out, encoding="utf-8")
    assert (
        load_model(tmp_path / "toymodel.yaml").datatypes
        == load_model(MODELS / "toymodel.yaml").datatypes
    )
    assert main(["generate", str(tmp_path / "toymodel.yaml"), "-o", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out" / "toymodel" / "Particle.h").exists()


def test_the_tools_read_the_files(capsys: pytest.CaptureFixture[str]) -> None:
    for form in FORMS:
        path = str(data_file(f"toy.{form}.root"))
        assert main(["show", path]) == 0
        assert "toy::Particle" in capsys.readouterr().out
        assert main(["dump", path]) == 0
        assert "Particles" in capsys.readouterr().out
        assert main(["size", path]) == 0
        assert "Particles" in capsys.readouterr().out


def test_trains_say_which_sio_files_have_no_entries(tmp_path: Path) -> None:
    train = kaon.train.Train(kaon.dataset(f"{data_file('toy.rntuple.root')}:events"))
    train.add(tmp_path / "all.sio")
    train.add(tmp_path / "none.sio", "count(Strips) < 0")
    assert train.estimate().outputs[1].entries == 0  # estimates of samples warn about nothing
    none = r"none\.sio: has no entries of 'events', and files of podio-sio store only categories"
    with pytest.warns(kaon.errors.LostMetadataWarning, match=none) as caught:
        train.run()
    assert len(caught) == 1
    assert "events" in kaon.open(tmp_path / "all.sio").keys()
    assert "events" not in kaon.open(tmp_path / "none.sio").keys()


def test_sio_files_are_written_for_podio(tmp_path: Path) -> None:
    """Readers of SIO find podio's records by the table at the end of the file."""
    own = data_file("toy.rntuple.root")
    assert main(["convert", str(own), str(tmp_path / "toy.sio")]) == 0
    file = (tmp_path / "toy.sio").read_bytes()
    place, mark = struct.unpack("<II", file[-8:])
    records = slcio.records_of(file[:-8])
    assert (mark, records[-1].name) == (0xC001FEA7, "podio_SIO_TOC_Record")
    assert records[-1].position == place
    wanted = expected("toy")["categories"]
    for category, contents in wanted.items():
        headers = [record for record in records if record.name == f"{category}_HEADER"]
        frames = [record for record in records if record.name == category]
        assert len(headers) == len(frames) == contents["entries"]
        for frame in frames:
            assert {*frame.blocks} == {"EventMetaData", *contents["collections"]}
    strips = wanted["events"]["collections"]["Strips"]
    counts = [
        struct.unpack(">i", record.blocks["Strips"][:4])[0]
        for record in records
        if record.name == "events"
    ]
    assert counts == strips["sizes"]
    again = kaon.open(tmp_path / "toy.sio")["events"].arrays()
    assert again.Strips.energy.tolist() == kaon.open(own)["events"].arrays().Strips.energy.tolist()
