"""The data models that a file carries."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from kaon import _core
from kaon.errors import CorruptFileError, DamagedModelWarning, UnknownNameError
from kaon.modelgen.mistakes import printable

if TYPE_CHECKING:
    from kaon.model.datamodel import DataModel
    from kaon.model.objects import Object
    from kaon.modelgen.model import Member, Model

T = TypeVar("T")


def _stored_members(entries: Mapping[str, Any]) -> Mapping[str, Sequence[Member]]:
    from kaon.modelgen.stored_models import model_of_json

    return model_of_json(entries).stored().members()


@dataclass(frozen=True)
class _FileTexts:
    """The name of a file and the texts of its models, for other processes."""

    name: str
    documents: Mapping[str, str]

    def document(self, name: str) -> str:
        return self.documents[name]


class Models(Mapping[str, "DataModel"]):
    """The data models that a file carries, by name; pickled by value."""

    def __init__(self, file: _core.File | _FileTexts) -> None:
        self._file = file
        self._loaded: dict[str, DataModel] = {}
        self._readable: list[Mapping[str, Sequence[Member]]] | None = None
        self._warned: set[str] = set()

    @property
    def file_name(self) -> str:
        """The name of the file."""
        return self._file.name

    def __getitem__(self, name: str) -> DataModel:
        """Return a model.

        Raises
        ------
        UnknownNameError
            If the model does not exist.
        """
        if name not in self._loaded:
            from kaon.model.datamodel import DataModel

            self._loaded[name] = self._made(name, DataModel)
        return self._loaded[name]

    def description(self, name: str) -> Model:
        """Return a model in the form of its YAML file; raise as the classes do."""
        from kaon.modelgen.stored_models import model_of_json

        return self._made(name, model_of_json)

    def _made(self, name: str, make: Callable[[Mapping[str, Any]], T]) -> T:
        entries = self.entries(name)
        try:
            return make(entries)
        except ValueError as error:
            message = f"{self._file.name}: the model '{name}' cannot be used: {error}"
            raise CorruptFileError(message) from None

    def __iter__(self) -> Iterator[str]:
        documents = self._file.documents
        return (name.removeprefix("model:") for name in documents if name.startswith("model:"))

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        texts = {f"model:{name}": self._file.document(f"model:{name}") for name in self}
        return Models, (_FileTexts(self._file.name, texts),), {"_loaded": self._loaded}

    def __repr__(self) -> str:
        return printable(f"<Models of '{self._file.name}': {', '.join(self) or 'none'}>")

    def _repr_html_(self) -> str:
        from kaon.cards import card

        cards = "".join(model._repr_html_() for model in self.values())
        return cards or card(f"models of {self._file.name}", ["none"])

    def entries(self, name: str) -> dict[str, Any]:
        """Return a model in the form in which the file has it.

        Raises
        ------
        UnknownNameError
            If the model does not exist.
        CorruptFileError
            If its text is not a model.
        """
        if name not in self:
            hint = _core.suggestion(name, list(self))
            raise UnknownNameError(f"{self._file.name}: carries no model '{name}'{hint}")
        where = f"{self._file.name}: the model '{name}'"
        try:
            entries = json.loads(self._file.document(f"model:{name}"))
        except (ValueError, RecursionError) as error:
            raise CorruptFileError(f"{where} is not JSON that kaon reads: {error}") from None
        if not isinstance(entries, dict):
            raise CorruptFileError(f"{where} cannot be used: expected entries by name")
        return entries

    def warn(self, message: str) -> None:
        """Warn about a damaged model, once for each fault."""
        if message not in self._warned:
            self._warned.add(message)
            warnings.warn(message, DamagedModelWarning, stacklevel=2)

    def __contains__(self, name: object) -> bool:
        return name in list(iter(self))

    def datatype(self, name: str) -> type[Object]:
        """Return the class of a datatype that one of the models has, or that every model has.

        Raises
        ------
        UnknownNameError
            If no model has the datatype.
        """
        from kaon.model.standard import standard_datatype

        for model in self.values():
            if name in model._datatypes:
                return model[name]
        if standard_datatype(name) and len(self):
            return next(iter(self.values()))[name]
        raise UnknownNameError(f"{self._file.name}: carries no model with a datatype '{name}'")

    def stored_members(self, type_: str) -> Sequence[Member]:
        """Return the members of a datatype or component in the form of files; empty if unknown.

        Unreadable models are left out with a warning, because columns can be read without models.
        """
        if self._readable is None:
            self._readable = []
            for name in self:
                try:
                    self._readable.append(self._made(name, _stored_members))
                except CorruptFileError as error:
                    self.warn(f"{error}: arrays of arrays are read as flat ones")
        return next(filter(None, (members.get(type_) for members in self._readable)), ())
