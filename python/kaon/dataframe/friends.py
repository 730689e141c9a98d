"""Friends of a dataset: categories of other files with further columns of the same events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from kaon.errors import UsageError, WrongTypeError
from kaon.files.category import Category
from kaon.files.chain import open_category

if TYPE_CHECKING:
    from kaon import _core
    from kaon.files.paths import StrPath

Friends: TypeAlias = "Mapping[str, StrPath | Category]"
WithoutPartner: TypeAlias = Literal["error", "empty"]


class CoreFriends(NamedTuple):
    """Friends in the form that C++ takes.

    Attributes
    ----------
    partners
        The prefix of the columns, the category, and the name of the category.
    """

    partners: list[tuple[str, _core.Category, str]]
    keys: list[str]
    is_empty_without_partner: bool


def to_core(
    friends: Friends | None, keys: Sequence[str] | str, without_partner: WithoutPartner
) -> CoreFriends:
    """Open friends; see `kaon.dataset` for the parameters and errors."""
    names = [keys] if isinstance(keys, str) else list(keys)
    if names and not friends:
        raise UsageError("`keys` join `friends`, but no friends are given")
    if without_partner not in ("error", "empty"):
        raise UsageError(f"without_partner must be 'error' or 'empty', not {without_partner!r}")
    partners = []
    for name, friend in _items(friends):
        category = friend if isinstance(friend, Category) else open_category(friend)
        partners.append((name, category._core, category.name))
    return CoreFriends(partners, names, without_partner == "empty")


def _items(friends: Any) -> list[tuple[str, StrPath | Category]]:
    if not isinstance(friends, Mapping | None) or not all(
        name and isinstance(name, str) for name in friends or {}
    ):
        raise WrongTypeError(
            "give friends as categories by name, such as {'calibration': "
            f"'calibration.kaon:events'}}, not {friends!r}"
        )
    return list((friends or {}).items())
