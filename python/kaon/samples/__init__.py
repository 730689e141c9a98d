"""Files with events of random numbers, to try kaon and to follow its tutorials."""

from kaon.public_names import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
