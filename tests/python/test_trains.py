"""Trains, and the command `kaon train`."""

import json
from contextlib import nullcontext

import awkward as ak
import numpy as np
import pytest

import kaon

PLAN = """\
define:
  muons: count(Muon)
decisions: decisions.kaon
outputs:
  dimuons.kaon:
    select: muons >= 2
    drop: [Muon.eta]
  hard.kaon:
    select: met > 40
    keep: [Muon, "me*"]
    thin: {Muon: Muon.pt > 50}
  list.kaon: {select: met > 40, virtual: true}
"""


@pytest.fixture
def events(tmp_path):
    random = np.random.default_rng(5)
    counts = random.integers(0, 5, 1000)
    sizes = counts.sum()
    muons = ak.zip({"pt": random.uniform(0, 100, sizes), "eta": random.uniform(-3, 3, sizes)})
    with kaon.create(tmp_path / "events.kaon") as out:
        met = random.uniform(0, 50, 1000)
        out["events"].extend({"Muon": ak.unflatten(muons, counts), "met": met, "run": counts})
        out["runs"].extend({"number": [7]})
    return tmp_path / "events.kaon"


@pytest.fixture
def plan(tmp_path):
    (tmp_path / "plan.yaml").write_text(PLAN)
    return tmp_path / "plan.yaml"


def dataset(path):
    return kaon.dataset(f"{path}:events")


def test_outputs_have_their_selected_entries(events, tmp_path):
    train = kaon.train.Train(dataset(events), keep_order=True)
    assert repr(train) == f"<Train over {events}:events to no file>"
    train.add(tmp_path / "dimuons.kaon", "count(Muon) >= 2", drop=["Muon.eta"])
    train.add(tmp_path / "hard.kaon", lambda met: met > 40, "met", keep=["m*"])
    assert repr(train).endswith(f" to {tmp_path / 'dimuons.kaon'}, {tmp_path / 'hard.kaon'}>")
    report = train.run()
    all_events = kaon.open(events)["events"].arrays()
    dimuons = all_events[ak.num(all_events.Muon) >= 2]
    written = kaon.open(tmp_path / "dimuons.kaon")["events"].arrays()
    assert ak.fields(written.Muon) == ["pt"]
    assert ak.all(written.Muon.pt == dimuons.Muon.pt)
    hard = kaon.open(tmp_path / "hard.kaon")["events"].arrays()
    assert ak.fields(hard) == ["met", "provenance.file", "provenance.entry"]
    assert ak.all(hard.met == all_events.met[all_events.met > 40])
    assert report.entries == 1000
    assert [output.entries for output in report.outputs] == [len(dimuons), len(hard)]


HITS, TRACKS = (
    f"""\
schema_version: 1
options: {{getSyntax: true}}
datatypes:
  {name}:
    Description: "of one of the files"
    Author: "the test"
    Members: [double x // a number]
"""
    for name in ("one::Hit", "two::Track")
)


@pytest.mark.parametrize("format", ["kaon", "podio"])
def test_outputs_have_the_models_of_all_files(tmp_path, format):
    for name, model in (("Hits", HITS), ("Tracks", TRACKS)):
        (tmp_path / f"{name}.yaml").write_text(model)
        with kaon.create(tmp_path / f"{name}.kaon", model=tmp_path / f"{name}.yaml") as out:
            out["events"].extend({name: ak.zip({"x": [[1.5, 2.5], []]})})
    paths = [f"{tmp_path / name}.kaon:events" for name in ("Hits", "Tracks")]
    train = kaon.train.Train(kaon.dataset(paths), format=format)
    train.add(tmp_path / "all")
    train.run()
    frames = list(kaon.open(tmp_path / "all")["events"].frames())
    assert [hit.x for hit in frames[0]["Hits"]] == [1.5, 2.5]
    assert [track.x for track in frames[2]["Tracks"]] == [1.5, 2.5]


@pytest.mark.parametrize("late", [False, True])
def test_outputs_have_the_columns_of_all_files(command, events, tmp_path, late):
    jets = ak.zip({"pt": [[1.5], [], [2.5, 3.5]]})
    muons = ak.zip({"pt": [[1.0], [2.0], []], "eta": [[0.5], [1.5], []]})
    with kaon.create(tmp_path / "other.kaon") as out:
        out["events"].extend(
            {"weight": [1, 2, 3], "Jet": jets, "met": [60.0, 70, 30], "Muon": muons, "run": [9] * 3}
        )
    paths = [tmp_path / "other.kaon", events][:: -1 if late else 1]
    train = kaon.train.Train(kaon.dataset([f"{path}:events" for path in paths]))
    train.add(tmp_path / "all.kaon", "met > 45")
    train.add(tmp_path / "jets.kaon", "met > 45", keep=["Je*", "met"])
    train.add(tmp_path / "slim.kaon", "met > 45", drop=["Jet.pt", "Muon", "we*"])
    train.run()
    first = kaon.open(events)["events"].arrays()
    first = first[first.met > 45]
    hard = kaon.open(tmp_path / "all.kaon")["events"].arrays()
    own, others = hard[hard.run == 9], hard[hard.run != 9]
    assert own.Jet.pt.tolist() == [[1.5], []]
    assert own.weight.tolist() == [1, 2]
    assert ak.all(ak.is_none(others.Jet)) and ak.all(ak.is_none(others.weight))
    assert ak.array_equal(others.Muon.pt, first.Muon.pt)
    assert (hard.run[-1] == 9) == late
    slim = kaon.open(tmp_path / "jets.kaon")["events"].arrays()
    assert {"met", "Jet"} == {*slim.fields} - {"provenance.file", "provenance.entry"}
    assert "Jet.pt" not in kaon.open(tmp_path / "slim.kaon")["events"].keys()
    assert command("skim", *paths, tmp_path / "skim.kaon", "--keep", "Jet")[0] == 0
    skim = kaon.open(tmp_path / "skim.kaon")["events"].arrays().Jet.pt
    assert [x for x in skim.tolist() if x] == [[1.5], [2.5, 3.5]]
    with pytest.raises(kaon.errors.UnknownNameError, match=r"'Jets' \(did you mean 'Jet'\?\)"):
        train.add(tmp_path / "none.kaon", keep=["Jets"])


@pytest.mark.parametrize("suffix", ["hipo", "root"])
def test_outputs_are_of_any_format(events, tmp_path, suffix):
    train = kaon.train.Train(dataset(events), keep_order=suffix == "root")
    for name, selection in {"a": "met > 20", "b": "met > 40"}.items():
        train.add(tmp_path / f"{name}.{suffix}", selection, keep=["Muon", "met"])
    with (
        pytest.warns(kaon.errors.LostMetadataWarning, match="runs")
        if suffix == "hipo"
        else nullcontext()
    ):
        train.run()
    all_events = kaon.open(events)["events"].arrays()
    for name, least in {"a": 20, "b": 40}.items():
        written = kaon.open(tmp_path / f"{name}.{suffix}")["events"].arrays()
        expected = all_events[all_events.met > least]
        order = np.argsort(ak.to_numpy(ak.ravel(written.met)))
        expected_order = np.argsort(ak.to_numpy(expected.met))
        assert ak.all(ak.ravel(written.met)[order] == expected.met[expected_order])
        assert ak.all(written.Muon.pt[order] == expected.Muon.pt[expected_order])


def test_lists_are_made_of_lists(events, tmp_path):
    train = kaon.train.Train(dataset(events))
    train.add(tmp_path / "list.kaon", virtual=True)
    train.run()
    train = kaon.train.Train(dataset(tmp_path / "list.kaon"))
    train.add(tmp_path / "further.kaon", "met > 40", virtual=True)
    train.run()
    met = kaon.open(events)["events"].arrays().met
    assert ak.all(kaon.open(tmp_path / "further.kaon")["events"].arrays().met == met[met > 40])


def test_the_command_follows_the_plan(command, events, plan, tmp_path):
    status, out, messages = command("train", plan, f"{events}:events", "--directory", tmp_path)
    assert (status, messages) == (0, "")
    all_events = kaon.open(events)["events"].arrays()
    hard = kaon.open(tmp_path / "hard.kaon")["events"].arrays()
    assert ak.all(ak.flatten(hard.Muon.pt) > 50)
    assert len(hard) == ak.sum(all_events.met > 40)
    assert f"{tmp_path}/hard.kaon: {len(hard)} entries" in out
    decisions = kaon.open(tmp_path / "decisions.kaon")["events"].arrays()
    assert ak.all(decisions.dimuons == (ak.num(all_events.Muon) >= 2))
    assert kaon.open(tmp_path / "hard.kaon")["runs"].arrays().number.to_list() == [7]


def test_other_categories_may_be_left_out(command, events, plan, tmp_path):
    plan.write_text(f"other_categories: false\n{PLAN}")
    assert command("train", plan, f"{events}:events", "--directory", tmp_path)[0] == 0
    assert list(kaon.open(tmp_path / "hard.kaon")) == ["events"]


@pytest.mark.parametrize("copies", [True, False])
def test_clusters_that_pass_whole_are_copied(tmp_path, copies):
    numbers = np.arange(300_000)
    noise = np.random.default_rng(1).random(len(numbers))
    with kaon.create(tmp_path / "in.kaon", cluster_entries=100_000) as out:
        out["events"].extend({"number": numbers, "noise": noise})
    train = kaon.train.Train(kaon.dataset(tmp_path / "in.kaon", "events"), copy_clusters=copies)
    train.add(tmp_path / "late.kaon", "number >= 150_000")
    report = train.run()
    assert (report.copied_entries, report.encoded_entries) == (
        (100_000, 50_000) if copies else (0, 150_000)
    )
    late = kaon.open(tmp_path / "late.kaon")["events"].arrays()
    assert late.number.tolist() == late["provenance.entry"].tolist() == numbers[150_000:].tolist()
    assert late.noise.tolist() == noise[150_000:].tolist()


def test_the_command_estimates_the_files_of_a_dry_run(command, events, plan, tmp_path):
    arguments = [plan, f"{events}:events", "--directory", tmp_path]
    status, out, _ = command("train", *arguments, "--dry-run", "--json")
    assert status == 0
    planned = json.loads(out)
    assert not (tmp_path / "hard.kaon").exists()
    written = json.loads(command("train", *arguments, "--json")[1])
    assert planned == written  # the sample is the whole file
    assert command("train", *arguments)[0] == 1  # the files exist
    assert command("train", *arguments, "--force")[0] == 0


def test_lists_of_entries_are_opened_as_files(command, events, plan, tmp_path):
    assert command("train", plan, f"{events}:events", "--directory", tmp_path)[0] == 0
    all_events = kaon.open(events)["events"].arrays()
    listed = kaon.open(tmp_path / "list.kaon")["events"]
    hard = all_events[all_events.met > 40]
    assert ak.all(listed.arrays().met == hard.met)
    assert ak.all(listed.arrays().Muon.pt == hard.Muon.pt)
    assert ak.all(listed.arrays(entry_start=100, entry_stop=110).Muon.pt == hard.Muon.pt[100:110])
    assert (tmp_path / "list.kaon").stat().st_size < (tmp_path / "hard.kaon").stat().st_size
    events.rename(tmp_path / "elsewhere.kaon")
    with pytest.raises(kaon.errors.MissingFileError, match="neither there nor beside"):
        kaon.open(tmp_path / "list.kaon")


def test_lists_have_the_metadata_of_all_files(tmp_path):
    for number, luminosity in enumerate([1.5, 2.5]):
        with kaon.create(tmp_path / f"{number}.kaon") as out:
            out["events"].extend({"met": [10.0 * number]})
            out.metadata.set("luminosity", luminosity, merge="sum")
    train = kaon.train.Train(kaon.dataset(f"{tmp_path}/?.kaon:events"))
    train.add(tmp_path / "list.kaon", "met > 5", virtual=True)
    train.run()
    listed = kaon.open(tmp_path / "list.kaon")
    assert listed["events"].arrays().met.tolist() == [10]
    assert listed.metadata["luminosity"] == 4, "also of the file of which no entry is taken"


def test_entries_know_their_parents(events, tmp_path):
    train = kaon.train.Train(dataset(events))
    train.add(tmp_path / "slim.kaon", "met > 40", keep=["met"])
    train.run()
    slim = kaon.open(tmp_path / "slim.kaon")["events"]
    whole = slim.parents()
    assert ak.all(whole.arrays().met == slim.arrays().met)
    assert ak.all(whole.arrays().run == ak.num(whole.arrays().Muon))
    train = kaon.train.Train(dataset(tmp_path / "slim.kaon"))
    train.add(tmp_path / "slimmer.kaon", "met > 45", drop=["met"])
    train.run()
    slimmer = kaon.open(tmp_path / "slimmer.kaon")["events"]
    assert "run" not in slimmer.parents().keys()
    hard = whole.arrays()[whole.arrays().met > 45]
    assert len(hard) > 0
    assert ak.array_equal(slimmer.parents().parents().arrays().run, hard.run)
    with pytest.raises(kaon.errors.UsageError, match="has no 'provenance.file'"):
        kaon.open(events)["events"].parents()


@pytest.fixture
def skims(events, tmp_path, monkeypatch):
    """Skims of two files; one of the files has two paths."""
    kaon.convert(events, tmp_path / "others.kaon", codec="lz4")
    monkeypatch.chdir(tmp_path)
    for number, path in enumerate([events, tmp_path / "others.kaon", "events.kaon"]):
        train = kaon.train.Train(dataset(path))
        train.add(f"skim{number}.kaon", f"run == {number}")
        train.run()
    return [f"skim{number}.kaon" for number in range(3)]


def expect_parents(path):
    skim = kaon.open(path)["events"]
    assert len(skim) > 0
    assert ak.all(skim.parents().arrays("met").met == skim.arrays("met").met)


def test_skims_know_the_parents_that_their_entries_had(skims):
    train = kaon.train.Train(kaon.dataset(skims, "events"), provenance=False)
    train.add("all.kaon")
    train.run()
    expect_parents("all.kaon")
    kaon.run(kaon.dataset(skims, "events").filter("met > 20").snapshot("hard.kaon"))
    expect_parents("hard.kaon")


@pytest.mark.parametrize("join", [kaon.merge, kaon.convert])
def test_skims_are_joined_for_any_names_of_parents(skims, join):
    join(skims, "all.kaon")
    expect_parents("all.kaon")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("outputs: {a.kaon: {selekt: met > 1}}", "1:20: outputs: a.kaon: unknown key 'selekt'"),
        (
            "outputs: {a.kaon: {cut: met}}",
            "'cut'; use one of select, keep, drop, thin, strict, virt",
        ),
        (
            "outputs: {a.kaon: {}}\nx: 1\ny: 2",
            ", memory_budget\n  plan.yaml:3:1: unknown key 'y'; use one",
        ),
        ("outputs: {a.kaon: {virtual: 1}}", "virtual: expected true or false"),
        ("outputs: {a.kaon: {}, a.kaon: {}}", "the key 'a.kaon' appears twice"),
        ("decisions: d.kaon", "the key 'outputs' is missing"),
        ("outputs: {}", "needs at least one"),
        ("outputs: [a.kaon]", "expected 'key: value' entries"),
        ("memory: 1 GB\noutputs: {a.kaon: {}}", "1:1: unknown key 'memory'"),
        (
            "memory_budget: big\noutputs: {a.kaon: {}}",
            "`memory_budget` 'big' is not a size such as",
        ),
        ("layout: rows\noutputs: {a.kaon: {}}", "plan.yaml: 'rows' is not a value of 'layout'"),
        ("codec: lz5\noutputs: {a.kaon: {}}", "plan.yaml: 'lz5' is not a value of 'codec'"),
    ],
)
def test_plans_are_checked(command, events, tmp_path, text, message, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.yaml").write_text(text)
    status, _, messages = command("train", "plan.yaml", f"{events}:events")
    assert status == 1
    assert message in messages


@pytest.mark.parametrize(
    "name", ["../a.kaon", "b/../../a.kaon", "/tmp/a.kaon", "file:/tmp/a.kaon", "~/a.kaon"]
)
@pytest.mark.parametrize(
    "plan", ["outputs: {'NAME': {}}", "decisions: 'NAME'\noutputs: {a.kaon: {}}"]
)
def test_plans_stay_in_their_directory(command, events, tmp_path, monkeypatch, plan, name):
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    (tmp_path / "work" / "plan.yaml").write_text(plan.replace("NAME", name))
    status, _, messages = command("train", "plan.yaml", f"{events}:events")
    assert status == 1
    assert f"'{name}' is outside the directory of the train" in messages
    if name == "../a.kaon" and "decisions" not in plan:
        assert command("train", "plan.yaml", f"{events}:events", "--outside-files")[0] == 0
        assert (tmp_path / "a.kaon").exists()


def test_outputs_that_do_not_fit_the_dataset_are_refused(events, tmp_path):
    train = kaon.train.Train(dataset(events))
    with pytest.raises(kaon.errors.UnknownNameError, match=r"a\.kaon: .*'Muons'"):
        train.add(tmp_path / "a.kaon", keep=["Muons"])
    with pytest.raises(
        kaon.errors.UnknownNameError, match=r"'Muon\.pt'; `drop` removes parts of them"
    ):
        train.add(tmp_path / "a.kaon", keep=["Muon.pt"])
    with pytest.raises(
        kaon.errors.WrongTypeError, match="the selection must be an expression or a function"
    ):
        train.add("a.kaon", True)
    with pytest.raises(kaon.errors.WrongTypeError, match="a train needs a `kaon.dataset"):
        kaon.train.Train("events.kaon")
    with pytest.raises(kaon.errors.WrongTypeError, match="a selection must be a bool"):
        train.add(tmp_path / "a.kaon", "met")
    with pytest.raises(kaon.errors.UsageError, match="they are for functions"):
        train.add(tmp_path / "a.kaon", "met > 3", "met")
    with pytest.raises(kaon.errors.ExistingFileError):
        train.add(events)


def test_trains_take_the_options_of_writers(events, tmp_path):
    expected = kaon.open(events)["events"].arrays(cut="met > 25")
    with kaon.create(
        events, overwrite=True, model=kaon.infer_model({"Muon": expected.Muon})
    ) as out:
        out["events"].extend(expected)
        out["runs"].extend({"number": [7]})
    train = kaon.train.Train(dataset(events), layout="row", codec="lz4", memory_budget="32 MB")
    train.add(tmp_path / "rows.kaon")
    train.run()
    written = kaon.open(tmp_path / "rows.kaon")
    met, muons = written["events"].arrays().met, written["events"].arrays().Muon
    tables = {table.name: table for table in written["events"]._schema.tables}
    assert tables["Muon"].layout == "row"
    assert written["runs"].arrays().number.tolist() == [7]
    assert ak.array_equal(met, expected.met) and ak.array_equal(muons.pt, expected.Muon.pt)

    trees = kaon.train.Train(dataset(events), format="ttree")
    trees.add(tmp_path / "trees.root")
    trees.run()
    assert b"TTree" in (tmp_path / "trees.root").read_bytes()


@pytest.mark.parametrize(
    "options",
    [
        {"encodings": {"met": "raw"}},
        {"goal": "speed"},
        {"page_bytes": 4096},
        {"cluster_bytes": 10_000_000},
        {"cluster_entries": 300},
    ],
)
def test_clusters_are_encoded_as_options_say(tmp_path, options):
    random = np.random.default_rng(5)
    with kaon.create(tmp_path / "events.kaon") as out:
        out["events"].extend({"met": random.uniform(0, 50, 600_000)})
    for given, copied in (({}, 600_000), (options, 0)):
        train = kaon.train.Train(dataset(tmp_path / "events.kaon"), **given)
        train.add(tmp_path / "copy.kaon", overwrite=True)
        assert train.run().copied_entries == copied
    if "cluster_entries" in options:
        assert len(kaon.open(tmp_path / "copy.kaon")["events"].clusters()) == 2000


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"keys": ["run"]}, "keeps the tags and keys that its files have"),
        ({"storage": {"Muon": {"precision": {"pt": 9}}}}, "keeps the precision that its files"),
        ({"encodings": {"Muon.ptt": "packed"}}, "no column 'Muon.ptt'.* 'encodings'.*'Muon.pt'"),
        ({"types": {}}, "leave out `types`"),
        ({"memory": "1 GB"}, "writers have no option 'memory'"),
    ],
)
def test_options_that_trains_do_not_have_are_refused(events, options, message):
    with pytest.raises(kaon.Error, match=message):
        kaon.train.Train(dataset(events), **options)


def test_decisions_that_are_there_are_kept(events, tmp_path):
    decisions = tmp_path / "decisions.kaon"
    decisions.write_text("precious")
    with pytest.raises(kaon.errors.ExistingFileError, match="decisions.kaon: exists already"):
        kaon.train.Train(dataset(events), decisions=decisions)
    train = kaon.train.Train(dataset(events), decisions=decisions, overwrite=True)
    train.add(tmp_path / "a.kaon", "met > 25")
    assert decisions.read_text() == "precious"
    train.run()
    assert len(kaon.open(decisions)["events"]) == 1000


def test_a_codec_may_name_its_level(events, tmp_path):
    train = kaon.train.Train(dataset(events), codec="zlib:9")
    train.add(tmp_path / "all.kaon")
    assert train.run().entries == 1000
    with pytest.raises(kaon.errors.UsageError, match="zlib has the levels 1 to 12"):
        kaon.train.Train(dataset(events), codec="zlib:13")
