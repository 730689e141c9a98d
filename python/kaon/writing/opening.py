"""Opening files to write: new ones, and those that get further entries."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from kaon.errors import UsageError, with_plain_type_errors
from kaon.files.paths import free_path, system_path
from kaon.writing.options import WriterOptions
from kaon.writing.writable import WritableFile

if TYPE_CHECKING:
    from kaon.model.datamodel import AnyModel
    from kaon.modelgen.model import Model
    from kaon.writing.options import LostReferences, MissingMembers


@with_plain_type_errors
def create(
    path: str | os.PathLike[str],
    model: AnyModel | None = None,
    *,
    overwrite: bool = False,
    upstream: Iterable[str] = (),
    codec: str = WriterOptions.codec,
    level: int | None = WriterOptions.level,
    layout: str | None = None,
    storage: Mapping[str, Mapping[str, Any]] | None = None,
    encodings: Mapping[str, str] | None = None,
    favour: str = WriterOptions.favour,
    cluster_bytes: int = WriterOptions.cluster_bytes,
    cluster_entries: int = WriterOptions.cluster_entries,
    page_bytes: int = WriterOptions.page_bytes,
    memory_budget: int | str = WriterOptions.memory_budget,
    tags: Iterable[str] = (),
    keys: Iterable[str] = (),
    types: Mapping[str, str] | None = None,
    missing_members: MissingMembers = WriterOptions.missing_members,
    lost_references: LostReferences = WriterOptions.lost_references,
    format: str = WriterOptions.format,
) -> WritableFile:
    """Create a file, best in a ``with`` statement.

    >>> with kaon.create("out.kaon", model="model.yaml") as out:
    ...     out["events"].extend({"MCParticles": particles, "weight": weights})

    The file appears at `path` when it is finished; until then, and if an exception ends the
    ``with`` statement, whatever is to be overwritten there stays as it is.

    Parameters
    ----------
    path
        Where to.
    model
        The data model that collections need: a YAML file, what would stand in one as dictionaries,
        what `load_model` or `File.model` returns, `File.models` of a file with one, one of several,
        or a ``kaon.modelgen.Model``.
    overwrite
        Whether a file that is there is to be replaced.
    upstream
        Models whose types that of the YAML file uses, as ``NAME:FILE.yaml``; see `load_model`.
    codec, level
        "zstd", "lz4", "zlib", "lzma" or "none", and how hard it tries, in every format alike: for
        smaller files from -7 up to 22, 1 to 12 with zlib, 0 to 9 with lzma; with lz4 the other way
        round, from 65537, the fastest, down to 1; by default 1. "zstd:9" says both.
    layout
        Of all collections: "split", a column for each member; "row", a column of whole structs;
        "member", a column for each member, all columns of an event together. By default as the
        model says, or else "split".
    storage
        Of single collections, by name: a ``layout``; a ``group``, whose collections lie together
        event by event unless they are split; and by member the ``precision``, which is how many
        bits of the mantissa are kept, or a range: ``{"low": 0, "high": 100, "step": 0.1}``, or
        ``"bits"`` in place of the step. It goes before `layout`, and that before the model. Records
        and numbers of no datatype have a precision, too, bare ones by the member "".
    encodings
        Forced encodings by column, such as ``{"MCParticles.PDG": "dictionary"}``, also with what
        they do to numbers before, such as "packed:delta"; others are found by trial.
    favour
        What counts more in that: "size", the bytes alone; "speed", the time to decode them, as from
        a fast disk; "balance", as from a busy one.
    cluster_bytes, cluster_entries
        How much of the data, decoded, and how many entries a cluster has at most. 0 bytes stand
        for 16 MiB, but 4 KiB a column if there are very many; 0 entries for any number. Entries of
        one call of `WritableCategory.extend` that are more are cut.
    page_bytes
        The decoded bytes of a page's largest column, or of all its columns where those of an event
        lie together.
    memory_budget
        Bytes, or "100 MB", that entries and clusters take before they are in the file, whatever the
        number of categories and columns. 0 stands for 64 MiB, or four times `cluster_bytes` if that
        is more. Where it is short, clusters get smaller. Arrays that are being written are not
        among it.
    tags
        Values that are read by the million without touching the events.
    keys
        Values, whole numbers, by which events are found.
    types
        The datatypes of collections by name, where their members or record names do not tell; such
        as "float32" for those of bare numbers, which are parameters otherwise. "record" is for
        records of no datatype of the model.
    missing_members
        What becomes of members that arrays lack, or where they have None, and for which the model
        has no default: "error", or "default", which makes them zero.
    lost_references
        What becomes of references that were read, to objects that are not written in the same
        entry: "error", or "none", which lets them lead nowhere; in a relation to many, they stay in
        the list.
    format
        "kaon", "rntuple", "ttree", "hipo", "lcio", "podio-sio", "hdf5", or "podio" for RNTuples as
        podio writes them; else what the path's suffix says: an RNTuple for ``.root``.

    Raises
    ------
    ModelError
        If the YAML file has mistakes.
    UsageError
        If another model has, or an option makes no sense.
    MissingFileError
        If there is no such folder; it is a FileNotFoundError.
    ExistingFileError
        If there is a file, and it is not to be overwritten; it is a FileExistsError.
    FileError
        If the file cannot be created, or another writer is at work on it; it is an OSError.
    UnknownNameError
        If there is no such codec, layout, encoding, favour, option of storage or datatype.
    """
    options = WriterOptions(
        codec,
        level,
        layout,
        storage or {},
        encodings or {},
        favour,
        cluster_bytes,
        cluster_entries,
        page_bytes,
        memory_budget,
        tags,
        keys,
        types or {},
        missing_members,
        lost_references,
        format,
    )
    return WritableFile(free_path(path, overwrite), _description(model, upstream), options)


@with_plain_type_errors
def append(
    path: str | os.PathLike[str],
    model: AnyModel | None = None,
    *,
    upstream: Iterable[str] = (),
    **options: Any,
) -> WritableFile:
    """Open a file to write further entries behind those that it has, best in a ``with`` statement.

    What the file has stays as it is, and readable, whatever happens. If an exception ends the
    ``with`` statement, the file is again what it was before. A file whose last writer was killed is
    finished first, with an `IncompleteFileWarning` that says which entries it has.

    Parameters
    ----------
    path
        A file that is there.
    model, upstream
        As in `create`; by default the model that the file carries.
    options
        The others of `create`. What the file has already keeps its layout, group and precision.

    Raises
    ------
    UsageError
        If the file is damaged, or carries several models and none is given; and as `create`.
    MissingFileError
        If there is no such file; it is a FileNotFoundError.
    """
    description = _description(model, upstream)
    writer_options = WriterOptions.named(**options)
    return WritableFile(system_path(path), description, writer_options, append=True)


def _description(model: AnyModel | None, upstream: Iterable[str]) -> Model | None:
    if model is None:
        if tuple(upstream):
            raise UsageError("`upstream` is for the YAML file of a model: there is none")
        return None
    from kaon.model.datamodel import model_description

    return model_description(model, upstream)
