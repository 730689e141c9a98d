"""Reads one file with one library: `corpus_readers.py READER FILE ENTRIES`.

`corpus.py` runs this in a process of its own, because libraries crash and hang. Each line of the
output is JSON: a file or category that is refused, or a column with its digest or the reason why
it is left out. Columns are digested at once, so that a crash loses only those behind it.
"""

from __future__ import annotations

import hashlib
import json
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np


def report(**found: Any) -> None:
    print(json.dumps(found), flush=True)


def digest(values: Any, counts: Any = None) -> dict[str, Any]:
    """Return the digest of numbers: exact, and as float64, which is all that ROOT's Draw gives."""
    flat = np.asarray(values).reshape(-1)
    if flat.dtype.kind == "u" and flat.size and flat.max() >= 2**63:
        exact = flat.astype(np.uint64)
    elif flat.dtype.kind in "biu":
        exact = flat.astype(np.int64)
    else:
        exact = flat.astype(np.float64)
    real = flat.astype(np.float64)
    for floats in (exact, real):
        if floats.dtype.kind == "f":
            floats[np.isnan(floats)] = np.nan
            floats += 0.0  # -0 becomes 0
    lengths = b"" if counts is None else np.asarray(counts, np.int64).tobytes()
    return {
        "values": int(flat.size),
        "exact": hashlib.blake2b(exact.tobytes() + lengths, digest_size=8).hexdigest(),
        "real": hashlib.blake2b(real.tobytes(), digest_size=8).hexdigest(),
    }


def leaves(array: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Return the numbers and texts in an Awkward array, by path."""
    import awkward as ak

    fields = ak.fields(array)
    if not fields:
        yield path, array
    for field in fields:
        yield from leaves(array[field], f"{path}.{field}" if path else field)


def digest_array(array: Any) -> dict[str, Any]:
    import awkward as ak

    plain = ak.without_parameters(array)
    counts = ak.to_numpy(ak.flatten(ak.num(plain, axis=1), axis=None)) if plain.ndim > 1 else None
    return digest(ak.to_numpy(ak.flatten(plain, axis=None)), counts)


def report_columns(category: str, name: str, read: Callable[[], Any]) -> None:
    """Report the columns of an array, or why it cannot be read."""
    try:
        for path, values in leaves(read(), name):
            report(category=category, column=path, **digest_array(values))
    except Exception as error:
        report(category=category, column=name, left_out=reason_of(error))


def reason_of(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:600]


def read_kaon(path: str, entries: int) -> None:
    import kaon

    file = kaon.open(path)
    for name in file.keys():
        try:
            category = file[name]
            arrays = category.arrays(entry_stop=min(entries, len(category)))
        except Exception as error:
            report(category=name, refused=reason_of(error))
            continue
        is_frames = "podio" in file.metadata  # other readers see the tables that these consist of
        report(category=name, entries=len(category), is_frames=is_frames)
        for column, _, reason in category.unreadable:
            report(category=name, column=column, left_out=reason)
        for field in arrays.fields:
            report_columns(name, field, partial(arrays.__getitem__, field))


def read_uproot(path: str, entries: int) -> None:
    import uproot

    file = uproot.open(path)
    for name, kind in file.classnames(cycle=False).items():
        if not kind.startswith(("TTree", "TNtuple", "ROOT::RNTuple")):
            continue
        try:
            tree = file[name]
            branches = dict(tree.iteritems(recursive=True))
        except Exception as error:
            report(category=name, refused=reason_of(error))
            continue
        report(category=name, entries=tree.num_entries)
        for branch_name, branch in branches.items():
            if getattr(branch, "branches", None):
                continue
            report_columns(
                name, branch_name, lambda branch=branch: branch.array(entry_stop=entries)
            )


def read_root(path: str, entries: int) -> None:
    import ROOT

    ROOT.gROOT.SetBatch(True)
    ROOT.gErrorIgnoreLevel = ROOT.kFatal
    file = ROOT.TFile.Open(path)
    if not file or file.IsZombie():
        return report(refused="ROOT: cannot open it")

    def visit(folder: Any, prefix: str) -> None:
        for name in dict.fromkeys(key.GetName() for key in folder.GetListOfKeys()):
            key = folder.GetKey(name)
            kind = ROOT.TClass.GetClass(key.GetClassName())
            if kind and kind.InheritsFrom("TDirectory"):
                visit(key.ReadObj(), f"{prefix}{name}/")
            elif kind and kind.InheritsFrom("TTree"):
                draw_leaves(f"{prefix}{name}", key.ReadObj())

    def draw_leaves(name: str, tree: Any) -> None:
        if not tree:
            return report(category=name, refused="ROOT: cannot read it")
        report(category=name, entries=tree.GetEntries())
        tree.SetEstimate(-1)
        for leaf in tree.GetListOfLeaves():
            full = leaf.GetFullName().Data() if leaf.GetBranch() else leaf.GetName()
            try:
                count = tree.Draw(full, "", "goff", entries)
                values = np.array([tree.GetV1()[i] for i in range(max(count, 0))])
            except Exception as error:
                report(category=name, column=full, left_out=reason_of(error))
                continue
            if count < 0:
                report(category=name, column=full, left_out="ROOT: cannot draw it")
            else:
                report(category=name, column=full, **digest(values))

    visit(file, "")


def read_pyarrow(path: str, entries: int) -> None:
    import awkward as ak
    from pyarrow import feather, parquet

    table = (parquet if path.endswith((".parquet", ".parq")) else feather).read_table(path)
    report(category="", entries=table.num_rows)
    for name in table.column_names:
        column = table[name].slice(0, entries).combine_chunks()
        report_columns("", name, lambda column=column: ak.from_arrow(column))


def read_h5py(path: str, entries: int) -> None:
    import h5py

    def visit(name: str, item: Any) -> None:
        if not isinstance(item, h5py.Dataset) or item.ndim == 0:
            return
        try:
            values = item[:entries]
            for field in values.dtype.names or [None]:
                part = values if field is None else values[field]
                full = name if field is None else f"{name}/{field}"
                if part.dtype.kind in "biuf":
                    report(category="", column=full, **digest(part))
        except Exception as error:
            report(category="", column=name, left_out=reason_of(error))

    with h5py.File(path) as file:
        report(category="", entries=0)
        file.visititems(visit)


READERS: dict[str, Callable[[str, int], None]] = {
    "kaon": read_kaon,
    "uproot": read_uproot,
    "root": read_root,
    "pyarrow": read_pyarrow,
    "h5py": read_h5py,
}


def main() -> None:
    reader, path, entries = sys.argv[1:]
    warnings.simplefilter("ignore")
    try:
        READERS[reader](path, int(entries))
    except Exception as error:
        report(refused=reason_of(error))


if __name__ == "__main__":
    main()
