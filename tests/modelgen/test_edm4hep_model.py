"""EDM4hep's model."""

from pathlib import Path

import pytest
from shared_files import shared_file

from kaon.modelgen import generate, load_model


@pytest.fixture
def edm4hep() -> Path:
    return shared_file("models/edm4hep.yaml")


def test_all_of_it_can_be_used(edm4hep, tmp_path):
    model = load_model(edm4hep)
    assert (len(model.components), len(model.datatypes)) == (10, 19)
    assert (len(model.interfaces), len(model.links)) == (1, 7)
    track_state = next(c for c in model.components if c.name == "edm4hep::TrackState")
    omega = next(member for member in track_state.members if member.name == "omega")
    assert (omega.unit, omega.comment) == ("1/mm", "is the signed curvature of the track")
    assert len(generate(edm4hep, tmp_path)) == 10 + 4 * 19 + 1 + 3 * 7 + 3
