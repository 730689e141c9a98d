"""The generator, which does not use the C++ module, suggests the same names as C++."""

from hypothesis import given
from hypothesis import strategies as st

from kaon import _core
from kaon.modelgen.mistakes import did_you_mean

names = st.text("abAé:_", max_size=6) | st.sampled_from(
    ["edm4hep::Track", "Track", "other::Track", "Tracks", "MCParticle", "mcparticle", "MCPraticle"]
)


@given(names, st.lists(names, max_size=5))
def test_suggestions_are_those_of_cpp(word, known):
    assert did_you_mean(word, known) == _core.suggestion(word, known)
