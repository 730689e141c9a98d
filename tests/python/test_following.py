"""Following relations in columns; a relation has the members of its targets as attributes."""

import pickle

import awkward as ak
import pytest

import kaon


@pytest.fixture
def two_collections(tmp_path, model):
    """Hits of particles in two collections."""
    path = tmp_path / "two.kaon"
    hits = [
        [{"particle": {"index": 0, "collection": "Q"}}, {"particle": None}],
        [{"particle": {"index": 1, "collection": "P"}}],
    ]
    particles = {"P": [[], [{"PDG": 1}, {"PDG": 2}]], "Q": [[{"PDG": 3}], []]}
    with kaon.create(
        path, model=model, missing_members="default", types={"P": "demo::Particle"}
    ) as out:
        out["events"].extend({"Hits": hits, **particles})
    return kaon.open(path)["events"]


def test_members_of_related_objects(events):
    particles = events.arrays().Particles
    assert particles.mother.PDG.tolist() == [[None, 23, 23], [], [None]]
    assert particles.daughters.PDG.tolist() == [[[11, -11], [], []], [], [[]]]
    assert particles.daughters.weights.tolist()[0][0] == [[1.5, 2.5], [0.5]]
    assert particles.mother.momentum.y.tolist() == [[None, 4, 4], [], [None]]


def test_relations_of_related_objects(events):
    hits = events.arrays().Hits
    assert hits.particle.mother.PDG.tolist() == [[23, None], [], None]
    assert hits.particle.mother.daughters.PDG.tolist() == [[[11, -11], None], [], None]


def test_following_reads_other_columns(events):
    assert events.arrays("Hits.particle").Hits.particle.PDG.tolist() == [[11, None], [], None]
    last = events.arrays("Particles.daughters", entry_start=1)
    assert last.Particles.daughters.PDG.tolist() == [[], [[]]]


def test_references_stay_right_when_events_and_objects_are_selected(events):
    particles = events.arrays().Particles
    assert particles[::-1].mother.PDG.tolist() == [[None], [], [None, 23, 23]]
    electrons = particles[particles.PDG == 11]
    assert electrons.mother.PDG.tolist() == [[23], [], []]
    assert electrons.mother.daughters.PDG.tolist() == [[[11, -11]], [], []]
    assert ak.flatten(particles.daughters, axis=2).PDG.tolist() == [[11, -11], [], []]
    assert ak.firsts(particles.daughters, axis=2).PDG.tolist() == [[11, None, None], [], [None]]
    assert ak.to_packed(electrons).mother.PDG.tolist() == [[23], [], []]


def test_lists_of_references_have_their_indices(events):
    particles = events.arrays().Particles.tolist()
    indices = [[[it["index"] for it in one["daughters"]] for one in event] for event in particles]
    assert indices == [[[1, 2], [], []], [], [[]]]


def test_single_references(events):
    first = events.arrays().Particles[0]
    assert first[0].daughters[1].PDG == -11
    assert first[1].mother.momentum.x == 3
    assert first[0].mother.PDG is None


def test_pieces_lead_into_the_whole_category(events):
    pieces = [a.Particles.mother.PDG.tolist() for a in events.iterate("Particles", step_size=1)]
    assert pieces == [[[None, 23, 23]], [[]], [[None]]]


def test_collections_of_one_datatype_are_put_together(two_collections):
    hits = two_collections.arrays("Hits").Hits
    assert hits.particle.PDG.tolist() == [[3, None], [2]]
    assert str(hits.particle.PDG.type) == "2 * var * ?int32"


def test_all_members_at_once(events):
    mothers = kaon.follow(events.arrays("Particles.mother").Particles.mother)
    assert mothers[0, 1].spin.tolist() == [0, 0, 0]
    assert mothers.PDG.tolist() == [[None, 23, 23], [], [None]]


@pytest.mark.parametrize("mother", [None, 0])
def test_fields_are_those_of_the_datatype_with_or_without_references(mother, tmp_path, model):
    with kaon.create(tmp_path / "a.kaon", model=model, missing_members="default") as out:
        events = {"Hits": [[{"cell": 1}]], "Particles": [[{"PDG": 1}, {"PDG": 2}]]}
        events["Particles"][0][1]["mother"] = mother
        out["events"].extend(events)
    arrays = kaon.open(tmp_path / "a.kaon:events").arrays()
    mothers = kaon.follow(arrays.Particles.mother)
    assert {"PDG", "mass", "mother"} <= {*mothers.fields}
    assert mothers.PDG.tolist() == [[None, None if mother is None else 1]]


def test_relations_are_followed_the_other_way_round(events):
    particles = events.arrays().Particles
    back = kaon.referrers(particles, particles, "mother")  # a relation to one object
    assert back.PDG.tolist() == [[[11, -11], [], []], [], [[]]]
    assert back.mother.PDG.tolist() == [[[23, 23], [], []], [], [[]]]
    back = kaon.referrers(particles, particles, "daughters")  # a relation to many
    assert back.index.tolist() == [[[], [0], [0]], [], [[]]]


def test_links_lead_to_the_object_at_their_other_end(tmp_path, model):
    linked = tmp_path / "linked.yaml"
    link = """
links:
  demo::HitLink:
    Description: "Where a hit comes from"
    Author: "kaon"
    From: demo::Hit
    To: demo::Particle
"""
    linked.write_text(model.read_text() + link)
    links = [[{"from": 1, "to": 0}, {"from": 0, "to": 0}], [{"from": 0, "to": 1}]]
    hits = [[{"cell": 1}, {"cell": 2}], [{"cell": 3}]]
    with kaon.create(tmp_path / "links.kaon", linked, missing_members="default") as out:
        particles = [[{"PDG": 1}], [{"PDG": 2}, {"PDG": 3}]]
        out["events"].extend({"Links": links, "Hits": hits, "Particles": particles})
    a = kaon.open(tmp_path / "links.kaon:events").arrays()
    at = kaon.referrers(a.Particles, a.Links, "to")
    assert at["from"].cell.tolist() == [[[2, 1]], [[], [3]]]
    assert at[0, 0, 0]["from"].cell == 2
    assert at["index"].tolist() == [[[0, 1]], [[], [0]]]  # the index of the references themselves
    with pytest.raises(KeyError, match="no 'Links.form' .did you mean 'Links.from'"):
        at["form"]


def test_referrers_of_objects_in_several_collections(two_collections):
    arrays = two_collections.arrays()
    for name, cells in {"P": [[], [[], [0]]], "Q": [[[0]], []]}.items():
        assert kaon.referrers(arrays[name], arrays.Hits, "particle").index.tolist() == cells
    both = ak.concatenate([arrays.P, arrays.Q], axis=1)
    assert ak.num(kaon.referrers(both, arrays.Hits, "particle"), axis=-1).tolist() == [[1], [0, 1]]


def test_referrers_of_some_objects(events, tmp_path):
    kaon.convert(events.file_path, tmp_path / "copy.kaon")
    names = ["Particles.PDG", "Particles.mother"]
    particles = events.arrays(names).Particles
    mothers = particles[particles.PDG == 23]
    assert kaon.referrers(mothers, particles, "mother").PDG.tolist() == [[[11, -11]], [], []]
    positive = particles[particles.PDG > 0][::-1]
    assert kaon.referrers(mothers[::-1], positive, "mother").PDG.tolist() == [[], [], [[11]]]
    firsts = ak.firsts(particles)
    assert kaon.referrers(firsts, particles, "mother").PDG.tolist() == [[11, -11], None, []]
    copied = kaon.open(tmp_path / "copy.kaon")["events"].arrays(names).Particles
    assert ak.sum(ak.num(kaon.referrers(mothers, copied, "mother"), axis=-1)) == 0
    joined = ak.concatenate([particles, copied])
    again = kaon.referrers(joined, joined, "mother")
    assert again.PDG.tolist() == [[[11, -11], [], []], [], [[]]] * 2


def test_collections_without_referrers_are_errors(events):
    arrays = events.arrays()
    with pytest.raises(KeyError, match=r"no relation 'mothers' \(did you mean 'mother'"):
        kaon.referrers(arrays.Particles, arrays.Particles, "mothers")
    with pytest.raises(ValueError, match="'PDG' holds no whole references"):
        kaon.referrers(arrays.Particles, arrays.Particles, "PDG")
    with pytest.raises(ValueError, match="`objects` lack the field '_self'"):
        kaon.referrers(events.arrays("Particles.PDG").Particles, arrays.Particles, "mother")
    with pytest.raises(TypeError, match="`objects` must be lists of objects"):
        kaon.referrers(arrays.weight, arrays.Particles, "mother")


def test_unknown_members_get_a_suggestion(events):
    mothers = events.arrays().Particles.mother
    with pytest.raises(AttributeError, match=r"no 'Particles.PDGG' \(did you mean 'Particles.PDG"):
        mothers.PDGG  # noqa: B018
    with pytest.raises(KeyError):
        kaon.follow(mothers, "PDGG")
    assert not hasattr(mothers, "charge")


def test_references_that_cannot_be_followed_are_errors(events):
    arrays = events.arrays()
    relations = "its relations do: mother, daughters"
    with pytest.raises(ValueError, match=f"of Particle holds no whole references; {relations}$"):
        kaon.follow(arrays.Particles)
    with pytest.raises(ValueError, match="of 3 . float64 holds no whole references$"):
        kaon.follow(arrays.weight)


def test_pickled_references_lead_into_the_file(events, path):
    arrays = events.arrays(["Particles.mother", "Particles.daughters"], entry_start=1)
    sent = pickle.dumps(arrays.Particles[::-1])
    assert pickle.loads(sent).daughters.PDG.tolist() == [[[]], []]
    again = pickle.loads(pickle.dumps(pickle.loads(sent)))
    assert again.mother.PDG.tolist() == [[None], []]
    whole = pickle.loads(pickle.dumps(events.arrays()))
    assert whole.Particles.daughters.mother.PDG.tolist() == [[[23, 23], [], []], [], [[]]]
    path.unlink()
    with pytest.raises(FileNotFoundError):
        kaon.follow(pickle.loads(sent).mother, "PDG")


def test_pickled_references_into_files_without_a_number(events, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kaon.convert(events.file_path, "events.root")
    arrays = kaon.open("events.root:events").arrays()
    sent = pickle.dumps(arrays.Particles)
    monkeypatch.chdir("/")
    daughters = pickle.loads(sent).daughters
    assert daughters.PDG.tolist() == arrays.Particles.daughters.PDG.tolist()
    assert daughters.mother.PDG.tolist() == [[[23, 23], [], []], [], [[]]]


def test_pickled_references_into_another_file_are_an_error(events, path, model, events_data):
    sent = pickle.dumps(events.arrays().Particles.mother)
    with kaon.create(path, model=model, missing_members="default", overwrite=True) as out:
        out["events"].extend(events_data)
    with pytest.raises(ValueError, match="is not the file of the references"):
        kaon.follow(pickle.loads(sent), "PDG")


def test_pickled_references_of_a_file_without_a_path_have_lost_it(path):
    with path.open("rb") as file:
        mothers = kaon.open(file)["events"].arrays().Particles.mother
        lost = pickle.loads(pickle.dumps(mothers))
        with pytest.raises(ValueError, match="have lost their file"):
            kaon.follow(lost, "PDG")
        assert lost.index.tolist() == mothers.index.tolist()


def test_arrow_takes_arrays_with_references(events):
    arrays = events.arrays(["Particles.mother", "Particles.daughters", "Hits.particle"])
    table = ak.to_arrow_table(arrays, extensionarray=False)
    assert ak.from_arrow(table).tolist() == arrays.tolist()


def test_awkward_writes_arrays_with_references_to_other_files(events, tmp_path):
    arrays = events.arrays(["Particles.PDG", "Particles.mother"])
    ak.to_parquet(arrays, tmp_path / "a.parquet")
    again = ak.from_parquet(tmp_path / "a.parquet")
    assert again.Particles.PDG.tolist() == arrays.Particles.PDG.tolist()
    assert again.Particles.mother.index.tolist() == arrays.Particles.mother.index.tolist()
    with pytest.raises(kaon.errors.UsageError, match="have lost their file"):
        kaon.follow(again.Particles.mother, "PDG")


def test_followed_references_are_written_as_they_were(events, tmp_path, model, contents):
    with kaon.create(tmp_path / "copy.kaon", model=model, missing_members="default") as out:
        out["events"].extend(events.arrays())
    assert contents(kaon.open(tmp_path / "copy.kaon")["events"]) == contents(events)


def test_subsets_have_the_members_of_their_objects(tmp_path, model):
    demo = kaon.load_model(model)
    with kaon.create(tmp_path / "a.kaon", model=model) as out:
        for shift in (0, 10):
            event = kaon.Frame()
            event["Particles"] = particles = kaon.Collection(demo.Particle)
            made = [particles.create(PDG=shift + i, mass=i, momentum=(i, 0, 0)) for i in (1, 2, 3)]
            made[2].mother = made[0]
            some = kaon.Collection(demo.Particle, [made[2], made[0]], is_subset=True)
            some.decorate("rank", [5, 6])
            event["Some"] = some
            out["events"].write(event)
    events = kaon.open(tmp_path / "a.kaon:events")
    for arrays in (events.arrays(), events.arrays("Some"), events.arrays(virtual=True)):
        assert arrays.Some.PDG.tolist() == [[3, 1], [13, 11]]
        assert arrays.Some.momentum.x.tolist() == [[3, 1], [3, 1]]
        assert arrays.Some.mother.PDG.tolist() == [[1, None], [11, None]]
        assert arrays.Some[::-1, :1].PDG.tolist() == [[13], [3]]
        assert arrays.Some[0, 1].PDG == 1 and arrays.Some.rank.tolist() == [[5, 6]] * 2
        assert arrays.Some.p4.mass.tolist() == [[3, 1], [3, 1]]
        with pytest.raises(AttributeError, match=r"did you mean 'Particles.PDG'"):
            _ = arrays.Some.PDGG
    assert pickle.loads(pickle.dumps(events.arrays().Some)).PDG.tolist() == [[3, 1], [13, 11]]
    computed = events.arrays(["Some.PDG", "Some.momentum.x", "Some.mother.PDG"])
    assert computed["Some.PDG"].tolist() == [[3, 1], [13, 11]]
    assert computed["Some.momentum.x"].tolist() == [[3, 1], [3, 1]]
    assert events.arrays("Some.object.index").Some.object.index.tolist() == [[2, 0], [2, 0]]
    with pytest.raises(KeyError, match=r"'Some' has no 'PDGG'.*did you mean 'PDG'"):
        events.arrays("Some.PDGG")
