"""Settings of all tests in Python."""

from hypothesis import settings

# How long an example takes says more of the machine, and of what else runs on it, than of kaon.
settings.register_profile("kaon", deadline=None)
settings.load_profile("kaon")
