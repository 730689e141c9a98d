"""Relations of selected, sorted and joined objects lead to the same objects when written."""

import pickle

import awkward as ak
import numpy as np
import pytest

import kaon

MODEL = """
schema_version: 1
datatypes:
  Particle:
    Description: p
    Author: a
    Members:
      - int PDG // what it is
    OneToOneRelations:
      - Particle mother // it comes from
    OneToManyRelations:
      - Particle daughters // it decays to
  Hit:
    Description: h
    Author: a
    Members:
      - int cell // where
  HitLike:
    Description: as a hit
    Author: a
    Members:
      - float strip // where
interfaces:
  AnyHit: {Description: i, Author: a, Types: [Hit, HitLike]}
links:
  HitLink: {Description: l, Author: a, From: AnyHit, To: Particle}
"""

PARTICLES = [
    [
        {"PDG": 2212, "daughters": [1, 2]},
        {"PDG": 6, "mother": 0, "daughters": [2, 3]},
        {"PDG": 24, "mother": 1},
        {"PDG": 5, "mother": 1},
    ],
    [],
    [{"PDG": 23, "daughters": [2, 1]}, {"PDG": 11, "mother": 0}, {"PDG": -11, "mother": 0}],
]
HITS = [[{"cell": 10}, {"cell": 11}], [], [{"cell": 30}, {"cell": 31}, {"cell": 32}]]
STRIPS = [[{"strip": 0.5}], [{"strip": 1.5}], []]
TO = [("Hits", 1, 3), ("Strips", 0, 1), ("Hits", 0, 3)], [], [("Hits", 2, 1), ("Hits", 0, 2)]
LINKS = [
    [{"from": {"index": hit, "collection": name}, "to": particle} for name, hit, particle in event]
    for event in TO
]


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.yaml"
    path.write_text(MODEL)
    return path


@pytest.fixture
def writer_options(model):
    return {"model": model}


@pytest.fixture
def events(write):
    data = {"Particles": PARTICLES, "Hits": HITS, "Strips": STRIPS, "Links": LINKS}
    return write(data)


def family(particles):
    """Return each particle with its mother and its daughters."""
    return [
        list(zip(*columns, strict=True))
        for columns in zip(
            particles.PDG.tolist(),
            particles.mother.PDG.tolist(),
            particles.daughters.PDG.tolist(),
            strict=True,
        )
    ]


def links(arrays):
    """Return the two ends of each link."""
    ends = arrays.Links["from"], arrays.Links["to"]
    hits = kaon.follow(ends[0])
    return [
        [(hit.get("cell", hit.get("strip")), pdg) for hit, pdg in zip(*event, strict=True)]
        for event in zip(hits.tolist(), ends[1].PDG.tolist(), strict=True)
    ]


def test_a_selection_with_all_that_it_refers_to(events, write):
    particles = events.arrays().Particles
    chosen = particles[particles.PDG != 2212][1:]
    assert family(chosen) == [[], [(23, None, [-11, 11]), (11, 23, []), (-11, 23, [])]]
    assert family(write({"Particles": chosen}).arrays().Particles) == family(chosen)


def test_references_to_unwritten_objects_are_an_error(events, write):
    particles = events.arrays().Particles
    chosen = particles[particles.PDG != 2212]
    with pytest.raises(ValueError, match="'Particles.mother' refers, in entry 0 .* number 0 of"):
        write({"Particles": chosen})
    with pytest.raises(ValueError, match="`lost_references` must be error or none, not 'drop'"):
        write({"Particles": chosen}, lost_references="drop")


def test_references_to_unwritten_objects_can_become_empty(events, write):
    particles = events.arrays().Particles
    chosen = particles[particles.PDG != 24]
    assert family(write({"Particles": chosen}, lost_references="none").arrays().Particles) == [
        [(2212, None, [6, None]), (6, 2212, [None, 5]), (5, 6, [])],
        [],
        [(23, None, [-11, 11]), (11, 23, []), (-11, 23, [])],
    ]


@pytest.mark.parametrize(
    "reorder",
    [
        lambda p: p[ak.argsort(p.PDG, axis=1)],
        lambda p: p[:, ::-1],
        lambda p: p[[2, 0]],
        lambda p: ak.concatenate([p[2:], p[:2]]),
        lambda p: ak.concatenate([p[p.PDG > 11], p[p.PDG <= 11]], axis=1),
        lambda p: ak.where(np.array([True, False, False]), p, p[:, ::-1]),
        lambda p: ak.to_packed(p[:, ::-1]),
        lambda p: ak.with_field(p[:, ::-1], p.PDG[:, ::-1], "PDG"),
        lambda p: pickle.loads(pickle.dumps(p[:, ::-1])),
        lambda p: ak.from_iter(p[:, ::-1].tolist()),
        lambda p: ak.mask(p, ak.num(p) > 0),
    ],
)
def test_relations_lead_to_the_same_objects_after_any_selection(events, write, reorder):
    particles = events.arrays().Particles
    expected = {
        pdg: (pdg, mother, daughters) for pdg, mother, daughters in sum(family(particles), [])
    }
    changed = reorder(particles)
    written = write({"Particles": changed}).arrays().Particles
    assert ak.drop_none(written.PDG).tolist() == ak.drop_none(changed.PDG).tolist()
    assert sum(family(ak.drop_none(written)), []) == [
        expected[pdg] for pdg in ak.flatten(changed.PDG).tolist()
    ]


def test_relations_across_collections_and_links(events, write):
    arrays = events.arrays()
    expected = [[(11, 5), (0.5, 6), (10, 5)], [], [(32, 11), (30, -11)]]
    assert links(arrays) == expected
    arrays["Hits"] = arrays.Hits[:, ::-1]
    arrays["Particles"] = arrays.Particles[ak.argsort(arrays.Particles.PDG)]
    arrays["Links"] = arrays.Links[:, ::-1]
    written = write(arrays[::-1]).arrays()
    assert links(written) == [event[::-1] for event in expected[::-1]]
    assert sorted(sum(family(written.Particles), [])) == sorted(
        sum(family(events.arrays().Particles), [])
    )


def test_objects_in_another_collection(events, write):
    arrays = events.arrays()
    tops = arrays.Particles[arrays.Particles.PDG == 6]
    others = arrays.Particles[arrays.Particles.PDG != 6]
    written = write({"Tops": tops, "Others": others}).arrays()
    assert family(written.Tops) == [[(6, 2212, [24, 5])], [], []]
    assert written.Tops.mother.collection.tolist() == [["Others"], [], []]
    assert written.Others.daughters.collection.tolist()[0] == [["Tops", "Others"], [], []]
    # An object that is also in its own collection is found there.
    written = write({"Tops": tops, "Particles": arrays.Particles}).arrays()
    assert written.Tops.daughters.collection.tolist() == [[["Particles"] * 2], [], []]
    assert family(written.Particles) == family(arrays.Particles)


def test_objects_of_several_events_in_one(events, write):
    particles = events.arrays().Particles
    joined = ak.concatenate([particles[:1], particles[2:]], axis=1)
    assert family(write({"Particles": joined}).arrays().Particles) == family(joined)
    assert len(joined[0]) == 7


def test_objects_of_several_files(write, events):
    other = [[{"PDG": 100}, {"PDG": 101, "mother": 0}], [{"PDG": 110}], [{"PDG": 120}]]
    others = write({"Particles": other}).arrays().Particles
    particles = events.arrays().Particles
    for joined in (
        ak.concatenate([others, particles]),
        ak.concatenate([others, particles], axis=1),
        ak.where(np.array([True, False, False]), others, particles),
    ):
        written = write({"Particles": joined}).arrays().Particles
        assert family(written) == family(joined)
    assert family(written)[0] == [(100, None, []), (101, 100, [])]
    hits = events.arrays(["Links", "Hits", "Strips"])
    with pytest.raises(ValueError, match="'Links.to' refers, in entry 0 of those given, to an obj"):
        write({"Particles": others, **{name: hits[name] for name in hits.fields}})


def test_pieces_of_a_file(events, write):
    pieces = [a for a in events.iterate(step_size=1)]
    written = write(*pieces[::-1]).arrays()
    assert family(written.Particles) == family(events.arrays().Particles)[::-1]
    assert family(write(ak.concatenate(pieces)).arrays().Particles) == family(
        ak.concatenate(pieces).Particles
    )


def test_subsets(tmp_path, model, write):
    demo = kaon.load_model(model)
    with kaon.create(tmp_path / "subset.kaon", model=model) as out:
        event = kaon.Frame()
        event["Particles"] = particles = kaon.Collection(demo.Particle)
        made = [particles.create(PDG=pdg) for pdg in (1, 2, 3)]
        event["Some"] = kaon.Collection(demo.Particle, [made[2], made[0]], is_subset=True)
        out["events"].write(event)
    arrays = kaon.open(tmp_path / "subset.kaon")["events"].arrays()
    arrays["Particles"] = arrays.Particles[:, ::-1]
    assert arrays.Some.object.PDG.tolist() == arrays.Some.PDG.tolist() == [[3, 1]]
    with kaon.create(
        tmp_path / "again.kaon", model=model, types={"Some": "kaon::Subset<Particle>"}
    ) as out:
        out["events"].extend(arrays)
    again = kaon.open(tmp_path / "again.kaon")["events"].arrays()
    assert again.Some.object.PDG.tolist() == [[3, 1]]
    assert again.Some.object.index.tolist() == [[0, 2]]


def test_objects_of_which_the_origin_is_not_known(events, write):
    arrays = events.arrays()
    without = arrays.Particles[["PDG", "mother", "daughters"]]
    with pytest.raises(ValueError, match="needs their field '_self'"):
        write({"Particles": without})
    with pytest.raises(ValueError, match="needs their field '_self'"):
        write({"Particles": without}, lost_references="none")
    for relation in ("mother", "daughters"):
        without[relation] = without[relation][["index", "collection"]]
    assert family(write({"Particles": without}).arrays().Particles) == family(arrays.Particles)


def test_new_objects_among_those_that_were_read(events, write):
    particles = events.arrays().Particles
    added = {"PDG": [[7], [], [8]], "mother": [[None], [], [None]], "_self": [[None], [], [None]]}
    fields = {name: ak.concatenate([new, particles[name]], axis=1) for name, new in added.items()}
    joined = ak.zip(fields, depth_limit=2)
    written = write({"Particles": joined}).arrays().Particles
    assert written.PDG.tolist()[0] == [7, 2212, 6, 24, 5]
    assert written.mother.PDG.tolist() == [[None, None, 2212, 6, 6], [], [None, None, 23, 23]]


def test_without_relations_only_requested_columns_are_read(events):
    assert events.arrays("Particles.PDG").Particles.fields == ["PDG"]
    assert events.arrays(["Particles.PDG", "Hits"]).Hits.fields == ["cell"]
    assert events.arrays("Particles.mother.index").Particles.fields == ["mother"]
    arrays = events.arrays(["Links", "Hits.cell"])
    assert arrays.Hits.fields == ["cell", "_self"]
    own = arrays.Hits._self
    assert own[["entry", "index", "collection"]].tolist()[0] == [
        {"entry": 0, "index": 0, "collection": "Hits"},
        {"entry": 0, "index": 1, "collection": "Hits"},
    ]
    assert own.cell.tolist() == arrays.Hits.cell.tolist()
