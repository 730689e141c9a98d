"""Four-momenta of objects whose members have names of their own."""

from __future__ import annotations

from kaon import _core
from kaon.errors import UsageError

_COMPONENTS = ("px", "py", "pz", "pt", "eta", "phi", "E", "mass")
_MOMENTA = ({"px", "py", "pz"}, {"pt", "eta", "phi"})


def momenta(name: str, **components: str) -> dict[str, str]:
    """Return definitions that make objects with four-momenta from columns of any names.

    Pass them to `Dataframe.define`, or as ``aliases=`` of `Category.arrays` and its kin.

    >>> jets = kaon.momenta(
    ...     "Jet", pt="jet_PT", eta="jet_ETA", phi="jet_PHI", mass="jet_M"
    ... )
    >>> events.arrays("sum(Jet).mass", aliases=jets)
    >>> kaon.dataset("*.root").define(jets).filter("(Jet[0] + Jet[1]).mass > 100")

    Parameters
    ----------
    name
        The name of the objects in expressions.
    components
        ``px``, ``py`` and ``pz``, or ``pt``, ``eta`` and ``phi``; and ``E`` or ``mass``. The values
        are expressions: lists of one length in each entry, or single numbers.

    Raises
    ------
    UsageError
        If the components make no four-momentum.
    """
    for component in components:
        if component not in _COMPONENTS:
            hint = _core.suggestion(component, list(_COMPONENTS))
            raise UsageError(f"'{component}' is no component of four-momenta{hint}")
    is_direction = any(components.keys() >= form for form in _MOMENTA)
    if not is_direction or not components.keys() & {"E", "mass"}:
        raise UsageError(
            f"momenta('{name}') needs px, py and pz, or pt, eta and phi; and E or mass; "
            f"not {', '.join(components) or 'nothing'}"
        )
    return {f"{name}.{component}": text for component, text in components.items()}
