"""Settings of all tests in Python."""

from hypothesis import settings

# Durations of examples depend on the machine and its load more than on kaon.
settings.register_profile("kaon", deadline=None)
settings.load_profile("kaon")
