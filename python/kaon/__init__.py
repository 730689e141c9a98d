"""Event data of particle physics: read and write ``.kaon`` files as arrays.

>>> import kaon
>>> events = kaon.open("events.kaon")["events"]
>>> events.arrays(["MCParticles.PDG", "MCParticles.momentum"], entry_stop=1000)
"""

import kaon.forks  # noqa: F401, registers functions to call before forks
from kaon.public_names import public_names

_attribute, __dir__, __all__ = public_names(__name__)


def __getattr__(name: str) -> object:
    if name not in __dir__() and not name.startswith("_"):
        from kaon.moved_names import moved

        if (value := moved(name)) is not None:
            return value
        from kaon.other_names import OF_MODULE, fail

        if name in OF_MODULE:
            fail(kaon, "kaon has", name, OF_MODULE)
    return _attribute(name)
