"""Reads files with one library: `corpus_readers.py READER ENTRIES SECONDS`.

`corpus.py` writes the arguments of a reader to its standard input, a line of JSON for each file.
Each file is read in a process of its own, because libraries crash, hang, and remember classes of
other files. Each line of the output is JSON. It states a file or category that is refused, or a
column with its digest or the reason why it is left out. The last line of a file tells how its
process ended. Columns are digested at once, so a crash loses only the later ones.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import resource
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from math import prod
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
    if not fields and not has_empty_records(array):
        yield path, array
    for field in fields:
        yield from leaves(array[field], f"{path}.{field}" if path else field)


def has_empty_records(array: Any) -> bool:
    """Return whether an array has only records without members, as uproot reads some classes."""
    import awkward as ak

    layout = ak.to_layout(array)
    while layout.is_list or layout.is_option or layout.is_indexed:
        layout = layout.content
    return bool(layout.is_record)


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
    report_histograms({name: each.read for name, each in file.objects.items()})


OBJECTS = "(objects)"
"""Stands for a category in reports of objects that are not categories."""


def report_histograms(readers: Mapping[str, Callable[[], Any]]) -> None:
    """Report the bins of histograms and profiles, and why other objects cannot be read."""
    if readers:
        report(category=OBJECTS, entries=len(readers))
    for name, read in readers.items():
        try:
            value = read()
            if hasattr(value, "axes") and callable(getattr(value, "values", None)):
                bins = np.asarray(value.values(), np.float64)
                report(category=OBJECTS, column=name, **digest(bins))
        except Exception as error:
            report(category=OBJECTS, column=name, left_out=reason_of(error))


def read_uproot(path: str, entries: int) -> None:
    import uproot

    file = uproot.open(path)
    kinds = file.classnames(cycle=False)
    objects = [name for name, kind in kinds.items() if kind.startswith(("TH", "TProfile"))]
    report_histograms({name: partial(file.__getitem__, name) for name in objects})
    for name, kind in kinds.items():
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


def root_names(column: str) -> list[str]:
    """Return the names that ROOT may have for a column of uproot, without lengths of arrays."""
    parts = re.sub(r"\[.*?\]", "", column).split("/")
    whole = [
        part
        for part, after in zip(parts, [*parts[1:], ""], strict=True)
        if not after.startswith(f"{part}.")
    ]
    return [".".join(part.rstrip(".") for part in whole[first:]) for first in range(len(whole))]


def read_root(path: str, entries: int, further: Sequence[tuple[str, str]] = ()) -> None:
    """Read all leaves of trees, and further columns by category and name."""
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
        names = [
            leaf.GetFullName().Data() if leaf.GetBranch() else leaf.GetName()
            for leaf in tree.GetListOfLeaves()
        ]
        wanted = [way for own, each in further if own == name for way in root_names(each)]
        for column in dict.fromkeys([*wanted, *names]):  # ROOT may crash in others
            try:
                values = drawn(tree, column)
            except Exception as error:
                report(category=name, column=column, left_out=reason_of(error))
                continue
            report(category=name, column=column, **digest(values))

    def drawn(tree: Any, column: str) -> Any:
        """Return the numbers of a column, or the bytes of its texts, for all entries."""
        formula = ROOT.TTreeFormula("column", column, tree)
        if formula.GetNdim() == 0:
            raise ValueError("ROOT: cannot draw it")
        if not formula.IsString():
            count = tree.Draw(column, "", "goff", entries)
            if count > tree.GetEstimate():  # ROOT has kept only the last of these values
                tree.SetEstimate(count)
                count = tree.Draw(column, "", "goff", entries)
            return np.frombuffer(tree.GetV1(), np.float64, count) if count > 0 else []
        texts = []
        for entry in range(min(entries, tree.GetEntries())):
            tree.LoadTree(entry)
            texts += [formula.EvalStringInstance(i) for i in range(formula.GetNdata())]
        return np.frombuffer("".join(texts).encode(errors="surrogateescape"), np.uint8)

    visit(file, "")


def read_oxihipo(path: str, entries: int) -> None:
    import oxihipo

    file = oxihipo.open(path)
    report(category="events", entries=file.num_entries)
    for bank in file.keys():
        [(_, offsets, columns)] = file.read_columns([(bank, [])])
        rows = offsets[min(entries, file.num_entries)]
        lengths = np.diff(offsets[: entries + 1])
        for name, values, _ in columns:
            shape = np.asarray(values)[:rows]
            report(category="events", column=f"{bank}.{name}", **digest(shape, lengths))


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
                    counts = None if part.ndim == 1 else [prod(part.shape[1:])] * len(part)
                    report(category="", column=full, **digest(part, counts))
        except Exception as error:
            report(category="", column=name, left_out=reason_of(error))

    with h5py.File(path) as file:
        report(category="", entries=0)
        file.visititems(visit)


MODULES = {
    "kaon": ["kaon", "awkward"],
    "uproot": ["uproot", "awkward"],
    "root": ["ROOT"],
    "pyarrow": ["pyarrow.feather", "pyarrow.parquet", "awkward"],
    "h5py": ["h5py"],
    "oxihipo": ["oxihipo"],
}
"""The modules that each reader uses."""

READERS: dict[str, Callable[..., None]] = {
    "kaon": read_kaon,
    "uproot": read_uproot,
    "root": read_root,
    "pyarrow": read_pyarrow,
    "h5py": read_h5py,
    "oxihipo": read_oxihipo,
}


MOST_BYTES = 8 << 30
"""The memory of a process that reads a file, so that no file exhausts the machine."""


def read_in_child(reader: str, arguments: list[Any], seconds: float) -> int:
    """Read a file in a process of its own; return the signal that ended it, or 0."""
    child = os.fork()
    if child:
        return signal_that_ends(child, seconds)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    try:
        READERS[reader](*arguments)
    except Exception as error:
        report(refused=reason_of(error))
    os._exit(0)


def signal_that_ends(child: int, seconds: float) -> int:
    """Wait for a child; end it after some seconds, also if it ignores signals, as ROOT does."""
    is_late = signal.sigtimedwait([signal.SIGCHLD], seconds) is None
    if is_late:
        os.kill(child, signal.SIGKILL)
    ended_by = os.WTERMSIG(os.waitpid(child, 0)[1])
    signal.sigtimedwait([signal.SIGCHLD], 0)  # takes the signal of a killed child
    return signal.SIGALRM if is_late else ended_by


def main() -> None:
    reader, entries, seconds = sys.argv[1:]
    warnings.simplefilter("ignore")
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    for module in MODULES[reader]:  # once for all files
        import_module(module)
    for line in sys.stdin:
        path, *further = json.loads(line)
        ended_by = read_in_child(reader, [path, int(entries), *further], float(seconds))
        if ended_by == signal.SIGALRM:
            report(end=f"timeout: more than {seconds} s")
        else:
            report(end=f"crash: signal {ended_by}" if ended_by else None)


if __name__ == "__main__":
    main()
