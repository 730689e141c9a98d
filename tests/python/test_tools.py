"""Verifying, converting and measuring files in Python."""

import subprocess
import warnings

import awkward as ak
import numpy as np
import pytest
from built import BUILD, needs_built

import kaon

LCIO = "examples/lcio/lcio_example"


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out.kaon"


def test_a_sound_file(path):
    found = kaon.verify(path)
    assert found.is_sound
    assert found.is_complete
    assert (found.bytes, list(found.findings)) == (path.stat().st_size, [])
    assert found.records > 4
    assert found.pages > 20


def test_findings_say_where(path):
    raw = path.read_bytes()
    place = raw.index("größte".encode())
    path.write_bytes(raw[:place] + b"x" + raw[place + 1 :])
    found = kaon.verify(path)
    assert not found.is_sound
    (finding,) = found.findings
    assert (finding.category, finding.column) == ("events", "title.text")
    assert finding.entries == (0, 3)
    assert finding.position <= place
    assert "does not match its checksum" in finding.what
    assert found.to_dict()["findings"][0]["entries"] == (0, 3)


@needs_built(LCIO)
def test_relations_to_interfaces(tmp_path):
    subprocess.run([BUILD / LCIO, tmp_path / "lcio.kaon"], check=True, capture_output=True)
    assert kaon.verify(tmp_path / "lcio.kaon").is_sound


def test_an_unfinished_file(path):
    path.write_bytes(path.read_bytes()[:-96])  # without the end record
    found = kaon.verify(path)
    assert not found.is_complete
    (finding,) = found.findings
    assert finding.entries is None
    assert "it was not finished, or is cut" in finding.what


def test_an_unfinished_file_of_another_format(tmp_path):
    path = tmp_path / "a.hipo"
    with kaon.create(path) as out:
        out["events"].extend({"Hit": ak.Array([[{"x": 1.5}], []] * 100)})
    assert kaon.verify(path).is_sound
    path.write_bytes(path.read_bytes()[:-16])  # without the last bytes of its index
    with pytest.warns(kaon.errors.IncompleteFileWarning):
        found = kaon.verify(path)
    (finding,) = found.findings
    assert "was not finished, or is cut" in finding.what


def test_no_file_to_verify(tmp_path):
    with pytest.raises(kaon.errors.MissingFileError):
        kaon.verify(tmp_path / "no.kaon")
    text = tmp_path / "text"
    text.write_text("text")
    with pytest.raises(kaon.errors.FormatError):
        kaon.verify(text)


@pytest.mark.parametrize("layout", ["split", "row", "member"])
@pytest.mark.parametrize("codec", ["none", "lz4", "zstd", "zlib", "lzma"])
def test_all_data_stay_the_same(path, out, layout, codec, contents):
    kaon.convert(path, out, layout=layout, codec=codec, cluster_entries=2)
    before, after = kaon.open(path), kaon.open(out)
    assert list(before) == list(after)
    assert list(before.models) == list(after.models)
    for name in before:
        assert contents(before[name]) == contents(after[name])
        assert before[name].keys() == after[name].keys()
    assert kaon.verify(out).is_sound


def test_storage_and_tags(path, out):
    kaon.convert(
        path,
        out,
        storage={"Particles": {"layout": "member", "group": "g", "precision": {"mass": 4}}},
        encodings={"Particles.PDG": "raw"},
        tags=["weight"],
    )
    events = kaon.open(out)["events"]
    assert events["weight"].array().tolist() == [0.5, 1.5, 2.5]
    assert events["Particles.mass"].array()[0][0] == 92  # 91.2 before, steps of 4
    lines = {c.name: c for c in kaon.open(out).size().categories[0].columns if c.role == "values"}
    assert lines["Particles.PDG"].codecs == ["raw"]


def test_convert_refuses(path, out):
    with pytest.raises(
        kaon.errors.UnknownNameError, match=r"no collection 'Particle' \(did you mean"
    ):
        kaon.convert(path, out, storage={"Particle": {"layout": "row"}})
    with pytest.raises(kaon.errors.UnknownNameError, match="no encoding is called 'pact'"):
        kaon.convert(path, out, encodings={"weight": "pact"})
    with pytest.raises(kaon.errors.UnknownNameError, match="did you mean 'zstd'"):
        kaon.convert(path, out, codec="zst")
    with pytest.raises(kaon.errors.UsageError, match="'title' is to be a tag or key"):
        kaon.convert(path, out, tags=["title"])
    with pytest.raises(kaon.errors.UsageError, match="is the file to be read"):
        kaon.convert(path, path)
    with pytest.raises(
        kaon.errors.UsageError, match="name the category apart from the files: .*--category events"
    ):
        kaon.convert(f"{path}:events", out)
    assert not out.exists()


@pytest.fixture
def two_categories(tmp_path):
    """A file whose categories are not called as those of HIPO."""
    with kaon.create(tmp_path / "two.kaon") as out:
        out.metadata["campaign"] = "2026"
        out["Tree"].metadata["trigger"] = "mu"
        out["Tree"].extend({"x": [1, 2], "Hit": [[{"e": 0.5}], []]})
        out["Other"].extend({"y": [3]})
    return tmp_path / "two.kaon"


@pytest.mark.parametrize(("suffix", "name"), [("hipo", "events"), ("kaon", "Tree")])
def test_one_category_is_converted(two_categories, tmp_path, suffix, name):
    path = tmp_path / f"one.{suffix}"
    kaon.convert(two_categories, path, category="Tree")
    with kaon.open(path) as file:
        assert file.keys() == [name]
        assert len(file[name]) == 2
        assert file[name].arrays(["Hit"]).Hit[0].tolist() == [{"e": 0.5}]
        assert file.metadata["campaign"] == "2026"
        if suffix == "kaon":
            assert file[name].metadata["trigger"] == "mu"


def test_a_category_to_convert_exists(two_categories, tmp_path):
    with pytest.raises(kaon.errors.UnknownNameError, match="did you mean 'Tree'"):
        kaon.convert(two_categories, tmp_path / "one.hipo", category="Tre")
    with pytest.raises(
        kaon.errors.UsageError, match="one category, 'events'; --category Tree makes it that one"
    ):
        kaon.convert(two_categories, tmp_path / "one.hipo")
    assert not (tmp_path / "one.hipo").exists()


@pytest.mark.parametrize("join", [kaon.merge, kaon.convert])
def test_files_to_be_joined_may_be_one_path_a_pattern_or_open(tmp_path, join):
    for name in ("a1", "a2"):
        with kaon.create(tmp_path / f"{name}.kaon") as out:
            out["events"].extend({"x": [1, 2]})
    one = str(tmp_path / "a1.kaon")
    given = [one, f"{tmp_path}/a*.kaon", kaon.open(one), [one, kaon.open(one)]]
    for files, entries in zip(given, (2, 4, 2, 4), strict=True):
        join(files, tmp_path / "joined.kaon", overwrite=True)
        assert kaon.open(tmp_path / "joined.kaon")["events"].num_entries == entries


def test_files_are_overwritten_only_if_they_may_be(path, out):
    out.write_bytes(b"what is there")
    with pytest.raises(FileExistsError, match="out.kaon: exists already"):
        kaon.convert(path, out)
    assert out.read_bytes() == b"what is there"
    kaon.convert(path, out, overwrite=True)
    assert kaon.verify(out).is_sound


def test_an_unfinished_file_is_copied(path, out, contents):
    expected = contents(kaon.open(path)["events"])
    path.write_bytes(path.read_bytes()[:-64])
    with pytest.warns(kaon.errors.IncompleteFileWarning):
        kaon.convert(path, out)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert contents(kaon.open(out)["events"]) == expected


def test_progress(path, out):
    for work in (
        lambda progress: kaon.verify(path, progress),
        lambda progress: kaon.convert(path, out, overwrite=True, progress=progress),
    ):
        done = []
        work(done.append)
        assert done == sorted(done)
        assert done[-1] == 1

        def stop(done):
            raise RuntimeError("enough")

        with pytest.raises(RuntimeError, match="enough"):
            work(stop)


def test_sizes_add_up(path):
    size = kaon.open(path).size()
    parts = size.schema_bytes + size.document_bytes + size.index_bytes + size.other_bytes
    assert size.bytes == path.stat().st_size
    assert size.bytes == parts + sum(category.bytes for category in size.categories)
    events, runs = size.categories
    assert (events.name, events.entries, runs.name, runs.entries) == ("events", 3, "runs", 2)
    assert {"values", "rows", "counts", "presence"} == {column.role for column in events.columns}
    (mass,) = (column for column in events.columns if column.name == "Particles.mass")
    assert (mass.collection, mass.decoded_bytes) == ("Particles", 16)
    assert mass.share == mass.stored_bytes / size.bytes
    assert mass.bytes_per_entry == mass.stored_bytes / 3
    assert sum(events.collections().values()) == sum(c.stored_bytes for c in events.columns)


def test_savings_of_rounding(tmp_path):
    path = tmp_path / "noise.kaon"
    with kaon.create(path) as out:
        out["events"].extend({"x": np.random.default_rng(1).random(100_000)})
    savings = kaon.open(path).size(precision=True).categories[0].savings
    assert list(savings) == ["x"]
    assert list(savings["x"]) == [8, 10, 12, 16]
    assert savings["x"][8] > savings["x"][16] > 0.4 * path.stat().st_size


def test_a_closed_file_has_no_size(path):
    file = kaon.open(path)
    file.close()
    with pytest.raises(kaon.errors.UsageError, match="is closed"):
        file.size()


def train(paths, out):
    all_of_it = kaon.train.Train(
        kaon.dataset([f"{path}:events" for path in paths]), provenance=False
    )
    all_of_it.add(out)
    all_of_it.run()


@pytest.mark.parametrize("join", [kaon.convert, kaon.merge, train])
@pytest.mark.parametrize("order", [1, -1])
def test_values_that_a_file_lacks_are_missing(tmp_path, out, join, order):
    for name, columns in (("a", {"x": [1, 2]}), ("b", {"x": [3], "trigger": [True]})):
        with kaon.create(tmp_path / f"{name}.kaon") as file:
            file["events"].extend(columns)
            file["runs"].extend({"number": [1]} if name == "a" else {"number": [2], "field": [1.5]})
    paths = [tmp_path / "b.kaon", tmp_path / "a.kaon", tmp_path / "a.kaon"]
    join(paths[::order], out)
    file = kaon.open(out)
    assert file["events"].arrays().trigger.to_list() == [True, None, None, None, None][::order]
    assert file["runs"].arrays().field.to_list() == [1.5, None, None][::order]
    assert file["events"].arrays().x.to_list() == (
        [3, 1, 2, 1, 2] if order == 1 else [1, 2, 1, 2, 3]
    )
    assert kaon.verify(out).is_sound


@pytest.mark.parametrize("format", ["kaon", "ttree", "rntuple", "hdf5"])
def test_values_that_a_file_lacks_are_missing_in_each_format(tmp_path, format):
    for name, columns in (("a", {"x": [1, 2]}), ("b", {"x": [3], "trigger": [True]})):
        with kaon.create(tmp_path / f"{name}.kaon") as file:
            file["events"].extend(columns)
    kaon.convert([tmp_path / "a.kaon", tmp_path / "b.kaon"], tmp_path / "out", format=format)
    both = kaon.open(tmp_path / "out")["events"].arrays(["x", "trigger"])
    assert both.x.to_list() == [1, 2, 3]
    assert both.trigger.to_list() == [None, None, True]


def test_a_tag_that_a_file_lacks_is_an_error(tmp_path):
    for name, columns in (("a", {"x": [1, 2]}), ("b", {"x": [3], "t": [1.5]})):
        with kaon.create(tmp_path / f"{name}.kaon", tags=["t"] if name == "b" else []) as file:
            file["events"].extend(columns)
    paths = [tmp_path / "a.kaon", tmp_path / "b.kaon"]
    kaon.convert(paths, tmp_path / "out.kaon")
    assert kaon.open(tmp_path / "out.kaon")["events"].arrays().t.to_list() == [None, None, 1.5]
    with pytest.raises(kaon.errors.UsageError, match="but some entries or files lack it"):
        kaon.convert(paths, tmp_path / "tagged.kaon", tags=["t"])


@pytest.mark.parametrize("join", [kaon.convert, kaon.merge, train])
@pytest.mark.parametrize("order", [1, -1])
def test_records_of_trees_and_of_arrays_become_one(tmp_path, out, join, order):
    muons = ak.Array([[{"pt": 1.0}, {"pt": 2.0}], [], [{"pt": 3.0}]])
    with kaon.create(tmp_path / "arrays.kaon") as file:
        file["events"].extend({"Muon": muons})
    kaon.convert(tmp_path / "arrays.kaon", tmp_path / "tree.root", format="ttree")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kaon.errors.UnreadMemberWarning)  # about the tree's counter
        join([tmp_path / "arrays.kaon", tmp_path / "tree.root"][::order], out)
    assert kaon.open(out)["events"].arrays("Muon").Muon.tolist() == 2 * muons.tolist()
    assert kaon.verify(out).is_sound


@pytest.mark.parametrize("join", [kaon.convert, kaon.merge, train])
def test_decorations_that_a_file_lacks_are_told(tmp_path, out, model, join):
    demo = kaon.load_model(model)
    plain, decorated = (kaon.Collection(demo.Hit, [demo.Hit(), demo.Hit()]) for _ in range(2))
    decorated.decorate("good", [True, True])
    for number, hits in enumerate((decorated, plain, None)):
        with kaon.create(
            tmp_path / f"{number}.kaon", model=model, missing_members="default"
        ) as file:
            frame = kaon.Frame()
            frame.update({} if hits is None else {"Hits": hits})
            file["events"].write(frame)
    told = r"1\.kaon:events: has no 'Hits\.good', so its objects are like objects without a value$"
    with pytest.warns(kaon.errors.UnreadMemberWarning, match=told) as warned:
        join([tmp_path / f"{number}.kaon" for number in range(3)], out)
    assert len(warned) == 1
    good = kaon.open(out)["events"].arrays("Hits.good").Hits.good
    assert good.to_list() == [[True, True], [False, False], None]
