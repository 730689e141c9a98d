"""Opening files for writing: new files, and existing ones to append to."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from kaon.error_texts import with_plain_type_errors
from kaon.errors import UsageError
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
    goal: str = WriterOptions.goal,
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
    sync: str = WriterOptions.sync,
) -> WritableFile:
    """Create a file, best in a ``with`` statement.

    >>> with kaon.create("out.kaon", model="model.yaml") as out:
    ...     out["events"].extend({"MCParticles": particles, "weight": weights})

    The file appears at `path` when it is finished. Until then, and if an exception ends the
    ``with`` statement, an existing file there stays unchanged.

    Parameters
    ----------
    path
        The path of the new file.
    model
        The data model of the collections: a YAML file, its content as dictionaries, or a
        ``kaon.modelgen.Model``. The results of `load_model` and `File.model` work, too, and so do
        `File.models` of a file with one model, and each of its models.
    overwrite
        Whether to replace an existing file.
    upstream
        Models with types that the YAML file uses, as ``NAME:FILE.yaml``; see `load_model`.
    codec, level
        "zstd", "lz4", "zlib", "lzma" or "none", and its effort, in every format alike; "zstd:9"
        sets both. Levels for smaller files are higher: -7 to 22 for zstd, 1 to 12 for zlib, 0 to 9
        for lzma. Those of lz4 are lower: from 65537, the fastest, down to 1. The default is 1.
    layout
        The layout of all collections. "split" is a column for each member, and "row" a column of
        whole structs. "member" is a column for each member, with all columns of an event together.
        The default is the model's layout, or else "split".
    storage
        The storage of single collections, by name. It overrides `layout`, which overrides the
        model.

        - ``layout``: as above.
        - ``group``: collections of a group are stored together event by event, unless they are
          split.
        - ``precision``, by member: the number of mantissa bits to keep, or a range
          ``{"low": 0, "high": 100, "step": 0.1}``, or with ``"bits"`` instead of the step. Records
          and numbers without a datatype have only a precision, plain numbers by the member "".
    encodings
        Forced encodings by column, such as ``{"MCParticles.PDG": "dictionary"}``, optionally with a
        step before, such as "packed:delta". Other columns get encodings by trial.
    goal
        The aim of these trials. "size" means the fewest bytes. "speed" means the least time to
        decode, as if reading from a fast disk. "balance" is the same for a busy disk.
    cluster_bytes, cluster_entries
        The largest size of a cluster, in decoded bytes and in entries. 0 bytes mean 16 MiB, or 4
        KiB a column if there are very many; 0 entries mean any number. Larger calls of
        `WritableCategory.extend` are cut.
    page_bytes
        The decoded bytes of a page's largest column, or of all its columns if the columns of an
        event are stored together.
    memory_budget
        The memory of entries and clusters that are not in the file yet, in bytes or as "100 MB",
        for all categories and columns. 0 means 64 MiB, or four times `cluster_bytes` if that is
        more. If it is short, clusters get smaller. Arrays being written are not counted.
    tags
        Values that can be read without the rest of the events.
    keys
        Integer values that find events.
    types
        The datatypes of collections by name, if members or record names do not determine them.
        With "float32", for example, lists of numbers become a collection instead of a parameter.
        "record" marks records without a datatype of the model.
    missing_members
        The treatment of members that are missing or None in arrays and have no default in the
        model: "error", or "default", which makes them zero.
    lost_references
        The treatment of references that were read, to objects that are not written in the same
        entry: "error", or "none", which makes them empty. In a relation to many, empty references
        stay in the list.
    format
        "kaon", "rntuple", "ttree", "hipo", "lcio", "podio-sio", "hdf5", or "podio" for podio's
        RNTuples. By default the path's suffix sets the format: an RNTuple for ``.root``.
    sync
        When bytes become durable, so that they survive a loss of power. "finish": when the file is
        finished. "cluster": also each cluster, as soon as it is written. "flush": also at each
        `WritableFile.flush`. "never": the system decides. "cluster" and "flush" need a ``.kaon``
        file, because files of other formats cannot be read before they are finished.

    Raises
    ------
    ModelError
        If the YAML file has mistakes.
    UsageError
        If a model in another form has mistakes, or an option is invalid.
    MissingFileError
        If the folder does not exist; it is a FileNotFoundError.
    ExistingFileError
        If the file exists and `overwrite` is false; it is a FileExistsError.
    FileError
        If the file cannot be created, or another writer is writing it; it is an OSError.
    UnknownNameError
        If a codec, layout, encoding, goal, option of storage or datatype is unknown.
    """
    options = WriterOptions(
        codec,
        level,
        layout,
        storage or {},
        encodings or {},
        goal,
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
        sync,
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
    """Open a file to append entries, best in a ``with`` statement.

    The existing data stay unchanged and readable. If an exception ends the ``with`` statement, the
    file is restored. If the last writer was killed, the file is finished first, with an
    `IncompleteFileWarning` that names the entries it has. If sound data follow behind damage, they
    replace the file, which is kept as ``PATH.damaged``.

    ROOT files get new categories, objects such as histograms, and columns of their trees
    (`WritableCategory.add_columns`). Their categories get no further entries.

    >>> with kaon.append("analysis.root") as out:
    ...     out["cuts/mass"] = histogram
    ...     out["Events"].add_columns({"score": scores})

    Parameters
    ----------
    path
        The path of the existing file.
    model, upstream
        As in `create`; by default the model in the file.
    options
        Other options of `create`. Existing collections keep their layout, group and precision. The
        format of new categories of ROOT files is "rntuple" or "ttree".

    Raises
    ------
    UsageError
        If the file has several models and none is given; if nothing can be appended to files of its
        format; and in the cases of `create`.
    MissingFileError
        If the file does not exist; it is a FileNotFoundError.
    """
    description = _description(model, upstream)
    writer_options = WriterOptions.named(**options)
    return WritableFile(system_path(path), description, writer_options, append=True)


def _description(model: AnyModel | None, upstream: Iterable[str]) -> Model | None:
    if model is None:
        if tuple(upstream):
            raise UsageError("`upstream` needs the YAML file of a model: give `model`, too")
        return None
    from kaon.model.datamodel import model_description

    return model_description(model, upstream)
