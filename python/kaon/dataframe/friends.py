"""Friends of a dataset: categories of other files with more about the same events."""

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
    """What C++ is told of friends.

    Attributes
    ----------
    partners
        What stands before the names of columns, and a category with its name.
    """

    partners: list[tuple[str, _core.Category, str]]
    keys: list[str]
    is_empty_without_partner: bool


def to_core(
    friends: Friends | None, keys: Sequence[str] | str, without_partner: WithoutPartner
) -> CoreFriends:
    """Open friends, see `kaon.dataset`, which says what is raised, too."""
    names = [keys] if isinstance(keys, str) else list(keys)
    if names and not friends:
        raise UsageError("`keys` are for `friends`, of which there are none")
    if without_partner not in ("error", "empty"):
        raise UsageError(f"without_partner is 'error' or 'empty', not {without_partner!r}")
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
            "friends are categories by name, such as {'calibration': 'calibration.kaon:events'}, "
            f"not {friends!r}"
        )
    return list((friends or {}).items())
