"""The kinds of torture. Each module has NAME, CASE, and run(chance, folder) for one round.

``run`` makes random cases in an empty folder and returns their number. It raises AssertionError if
kaon breaks a promise of docs/trust.md.
"""

from __future__ import annotations

from . import changes, cuts, damages, kills, power, sealed, servers, soak

ALL = {kind.NAME: kind for kind in (damages, sealed, cuts, kills, power, changes, servers, soak)}
