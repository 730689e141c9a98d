"""The names of podio's Python package, for scripts written for podio.

>>> import kaon.podio as podio
>>> for event in podio.root_io.Reader("events.root").get("events"):
...     for particle in event.get("MCParticles"):
...         print(particle.getPDG(), particle.getMomentum().x)

Objects have podio's functions, such as ``getPDG()``, beside their attributes.
"""

from kaon.podio import reading, root_io, sio_io, version
from kaon.podio.frame import Frame
from kaon.podio.version import __version__

__all__ = ["Frame", "__version__", "reading", "root_io", "sio_io", "version"]
