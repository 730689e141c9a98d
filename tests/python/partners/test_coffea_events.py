"""NanoEvents of files that kaon reads, compared with those that coffea makes from ROOT files."""

import warnings

import awkward as ak
import pytest
from shared_files import shared_file

import kaon

with warnings.catch_warnings():  # from packages that coffea imports
    warnings.simplefilter("ignore")
    nanoevents = pytest.importorskip("coffea.nanoevents")
    coffea_processor = pytest.importorskip("coffea.processor")

NANO = "root/real/nanoAOD_2015_CMS_Open_Data_ttbar.root"
EDM4HEP = "podio/edm4hep_50.ttree.root"

pytestmark = pytest.mark.filterwarnings("ignore::Warning")  # coffea's warnings


@pytest.fixture(params=["as it is", "converted"])
def stored(request, tmp_path):
    """Return a function that gives a file unchanged, or converted to kaon's format."""

    def path(name):
        file = shared_file(name)
        if request.param == "as it is":
            return file
        kaon.convert(file, tmp_path / "converted.kaon")
        return tmp_path / "converted.kaon"

    return path


def expected(file, category, schema):
    return nanoevents.NanoEventsFactory.from_root(
        {str(file): category}, schemaclass=schema, mode="virtual"
    ).events()


def test_nanoaod_equals_the_events_of_coffea(stored):
    events = kaon.coffea.nano_events(f"{stored(NANO)}:Events")
    there = expected(shared_file(NANO), "Events", nanoevents.NanoAODSchema)
    assert {*events.fields} == {*there.fields}
    for name in ("Muon", "Jet", "GenPart", "MET", "HLT", "run", "event", "LHEPdfWeight"):
        assert {*events[name].fields} == {*there[name].fields}
        for field in events[name].fields:
            assert ak.array_equal(
                events[name][field], there[name][field], equal_nan=True, check_parameters=False
            ), f"{name}.{field}"
    assert events.run.tolist() == there.run.tolist()
    assert events.Jet.matched_gen.pt.tolist() == there.Jet.matched_gen.pt.tolist()


def test_edm4hep_equals_the_events_of_coffea(stored):
    stored_file = stored(EDM4HEP)
    events = kaon.coffea.nano_events(f"{stored_file}:events", nanoevents.EDM4HEPSchema)
    there = expected(shared_file(EDM4HEP), "events", nanoevents.EDM4HEPSchema)
    assert {*there.fields} - {*events.fields} == {
        f"GP{kind}{what}"  # parameters
        for kind in ("Int", "Float", "Double", "String")
        for what in ("Keys", "Values")
    }
    compared = 0
    for name in events.fields:
        assert {*events[name].fields} == {*there[name].fields}
        for field in events[name].fields:
            if "collectionID" in field or (name, field) == ("EmptyTracks", "trackStates"):
                continue  # kaon numbers collections itself; coffea cannot read these states
            ours, theirs = events[name][field], there[name][field]
            if field.startswith("Link_"):
                ours, theirs = ours.index_Global, theirs.index_Global
            if field.endswith("_index"):  # podio has several negative numbers
                ours, theirs = (ak.where(index < 0, -1, index) for index in (ours, theirs))
            assert ak.array_equal(ours, theirs, equal_nan=True, check_parameters=False), (
                f"{name}.{field}"
            )
            compared += 1
    assert compared > 150
    tables = kaon.open(stored_file)["events"].tables
    (number,) = {*ak.flatten(events.MCParticles.daughters_idx_MCParticles_collectionID, None)}
    assert tables[int(number)] == "MCParticles"
    daughters = events.MCParticles.Map_Relation("daughters", "MCParticles").PDG
    assert (
        daughters.tolist()
        == there.MCParticles.Map_Relation("daughters", "MCParticles").PDG.tolist()
    )


def test_columns_are_read_when_they_are_touched(runs, folder, monkeypatch):
    log = []
    arrays = kaon.Category.arrays

    def logged(self, *arguments, **options):
        if options.get("virtual"):
            options["access_log"] = log
        return arrays(self, *arguments, **options)

    monkeypatch.setattr(kaon.Category, "arrays", logged)
    events = kaon.coffea.nano_events(f"{folder}/a.kaon:events", entry_start=100, entry_stop=300)
    assert len(events) == 200 and log == []
    direct = kaon.open(f"{folder}/a.kaon:events").arrays(entry_start=100, entry_stop=300)
    assert events.Muon.pt.tolist() == direct.Muon.pt.tolist()
    assert {accessed.name for accessed in log} == {"Muon", "Muon.pt"}


def test_vectors_have_the_methods_of_coffea(folder):
    muons = kaon.coffea.nano_events(f"{folder}/a.kaon:events").Muon
    pairs = ak.combinations(muons, 2, fields=["first", "second"])
    direct = kaon.open(f"{folder}/a.kaon:events").arrays().Muon
    assert ak.sum((muons + muons).pt) == pytest.approx(2 * ak.sum(direct.pt))
    assert ak.all(pairs.first.delta_r(pairs.second) >= 0)


class Spectrum(coffea_processor.ProcessorABC):
    def process(self, events):
        dataset = events.metadata["dataset"]
        return {dataset: {"events": len(events), "muons": int(ak.sum(ak.num(events.Muon)))}}

    def postprocess(self, accumulator):
        return accumulator


@pytest.fixture
def executors():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield [
            None,
            coffea_processor.IterativeExecutor(status=False),
            coffea_processor.FuturesExecutor(workers=2, status=False),
            coffea_processor.DaskExecutor(client=client, status=False),
            client,
        ]


def test_processors_of_coffea_run_with_its_executors(folder, everything, executors):
    processor = kaon.processor(Spectrum().process, schema=nanoevents.NanoAODSchema)
    muons = ak.num(everything.Muon)
    samples = {"signal": f"{folder}/a.kaon:events", "rest": f"{folder}/[bc].kaon:events"}
    for executor in executors:
        result = processor.run(samples, executor, step_size=500)
        assert result["signal"]["signal"] == {"events": 2000, "muons": ak.sum(muons[:2000])}
        assert result["rest"]["rest"] == {"events": 6000, "muons": ak.sum(muons[2000:])}


FCC_MODEL = """
schema_version: 1
options: { getSyntax: true }
components:
  edm4hep::Vector3f:
    Members: [float x, float y, float z]
datatypes:
  edm4hep::MCParticle:
    Description: "of a generator"
    Author: "tests"
    Members:
      - int32_t PDG // of it
      - float charge // of it
      - double mass // of it
      - edm4hep::Vector3f momentum // of it
    OneToManyRelations:
      - edm4hep::MCParticle parents   // what it came from
      - edm4hep::MCParticle daughters // what it became
  edm4hep::ReconstructedParticle:
    Description: "measured"
    Author: "tests"
    Members:
      - float energy // of it
      - float charge // of it
      - float mass // of it
      - edm4hep::Vector3f momentum // of it
  edm4hep::MCRecoParticleAssociation:
    Description: "which is which"
    Author: "tests"
    Members:
      - float weight // of it
    OneToOneRelations:
      - edm4hep::ReconstructedParticle rec // measured
      - edm4hep::MCParticle sim            // generated
"""


@pytest.fixture
def fcc_file(tmp_path):
    """Return a file in the form that FCC used before EDM4hep 1."""
    (tmp_path / "fcc.yaml").write_text(FCC_MODEL)
    model = kaon.load_model(tmp_path / "fcc.yaml")
    with kaon.create(tmp_path / "fcc.kaon", model=model) as out:
        for number in range(1, 4):
            event = kaon.Frame()
            generated = kaon.Collection(model.MCParticle)
            measured = kaon.Collection(model.ReconstructedParticle)
            joined = kaon.Collection(model.MCRecoParticleAssociation)
            z = generated.create(PDG=23, mass=91.2)
            for sign in (-1, 1)[:number]:
                muon = generated.create(PDG=-13 * sign, charge=sign, momentum=(number, 0, sign))
                z.daughters.append(muon)
                muon.parents.append(z)
                of = {"charge": sign, "momentum": (number, 0, sign), "energy": number + 1}
                joined.create(rec=measured.create(**of), sim=muon)
            event["Particle"], event["ReconstructedParticles"] = generated, measured
            event["MCRecoAssociations"] = joined
            for name, few in {"Muon": [*measured][-1:], "Electron": []}.items():
                event[name] = kaon.Collection(model.ReconstructedParticle, few, is_subset=True)
            out["events"].write(event)
    return f"{tmp_path}/fcc.kaon:events"


def test_relations_have_numbers_in_files_for_fcc(fcc_file):
    events = kaon.coffea.nano_events(fcc_file, nanoevents.FCC.get_schema("pre-edm4hep1"))
    direct = kaon.open(fcc_file).arrays()
    particles = events.Particle
    assert particles.PDG.tolist() == direct.Particle.PDG.tolist()
    assert particles.get_daughters.PDG.tolist() == direct.Particle.daughters.PDG.tolist()
    assert particles.get_parents.PDG.tolist() == direct.Particle.parents.PDG.tolist()
    assert ak.all(abs(particles.pt - abs(particles.px)) < 1e-6)
    measured = events.ReconstructedParticles
    assert measured.match_gen.PDG.tolist() == [[13], [13, -13], [13, -13]]
    assert measured.match_muons.charge.tolist() == [[-1], [1], [1]]
    assert measured.match_electrons.charge.tolist() == [[], [], []]
    assert events.MCRecoAssociations.reco_mc_index.tolist()[1] == [[0, 1], [1, 2]]


def test_collections_that_a_schema_lacks_are_an_error(folder):
    with pytest.raises(kaon.errors.UsageError, match="FCCSchema needs 'MCRecoAssociations#1"):
        kaon.coffea.nano_events(f"{folder}/a.kaon:events", nanoevents.FCCSchema)


def test_unknown_schemas_are_errors(folder):
    for schema in ("NanoAODSchema", int, nanoevents):
        with pytest.raises(
            kaon.errors.WrongTypeError, match="the schema must be a class of coffea, such as Nano"
        ):
            kaon.coffea.nano_events(f"{folder}/a.kaon:events", schema)


@pytest.mark.parametrize("name", ["Delphes", "PDUNE", "PHYSLITE", "TreeMaker"])
def test_schemas_that_need_names_of_branches_are_refused(tmp_path, name):
    with kaon.create(tmp_path / "a.root", format="ttree") as out:
        out["Events"].extend({"Jet": [[{"pt": 1.0}]]})
    schema = getattr(nanoevents, f"{name}Schema")
    with pytest.raises(kaon.errors.UsageError, match=f"{name}Schema needs .*from_root"):
        kaon.coffea.nano_events(f"{tmp_path}/a.root:Events", schema)
