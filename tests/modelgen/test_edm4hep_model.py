"""EDM4hep's model, the field's own."""

import os
from pathlib import Path

import pytest

from kaon.modelgen import ModelError, generate, load_model

DATA = Path(os.environ.get("KAON_TEST_DATA", Path(__file__).parents[3] / "shared"))


@pytest.fixture
def edm4hep() -> Path:
    path = DATA / "data" / "models" / "edm4hep.yaml"
    if not path.is_file():
        pytest.skip(f"EDM4hep's model is not at {path}; KAON_TEST_DATA says where test data are")
    return path


def test_only_what_comes_later_is_missing(edm4hep):
    with pytest.raises(ModelError) as caught:
        load_model(edm4hep)
    later = "is not supported by this version of kaon"
    assert [mistake.message for mistake in caught.value.mistakes] == [
        f"datatype 'edm4hep::Track': the interface 'edm4hep::TrackerHit' {later}",
        f"'interfaces' {later}",
        f"'links' {later}",
    ]


def test_the_rest_can_be_used(edm4hep, tmp_path):
    text = edm4hep.read_text(encoding="utf-8").partition("\ninterfaces:")[0] + "\n"
    path = tmp_path / "edm4hep.yaml"
    path.write_text(text.replace("::TrackerHit t", "::TrackerHit3D t"), encoding="utf-8")
    model = load_model(path)
    assert (len(model.components), len(model.datatypes)) == (10, 19)
    track_state = next(c for c in model.components if c.name == "edm4hep::TrackState")
    omega = next(member for member in track_state.members if member.name == "omega")
    assert (omega.unit, omega.comment) == ("1/mm", "is the signed curvature of the track")
    assert len(generate(path, tmp_path)) == 10 + 4 * 19 + 2
