"""Files as ROOT's RDataFrame."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from kaon.errors import UsageError
from kaon.files.chain import listed_paths, open_category
from kaon.files.paths import StrPath, split_path

# Python gets messages only from exceptions whose class ROOT's interpreter knows. If kaon's header
# is available, it defines the class, because a program may include the header, too.
_ERROR = """
#if __has_include(<kaon/base/Error.h>)
#include <kaon/base/Error.h>
#else
#include <stdexcept>
namespace kaon {
class Error : public std::runtime_error {
  using std::runtime_error::runtime_error;
  unsigned char kind = 0;
};
}
#endif
"""

# Declarations of the header kaon/root/DataSource.h, which may be missing on this machine.
_DATAFRAME = """
#ifndef KAON_ROOT_DATAFRAME
#define KAON_ROOT_DATAFRAME
#include <ROOT/RDF/RDatasetSpec.hxx>
#include <ROOT/RDataFrame.hxx>
#include <string>
#include <vector>
namespace kaon::root {
ROOT::RDataFrame dataFrame(const std::vector<std::string>& paths, const std::string& category);
ROOT::RDataFrame dataFrame(const ROOT::RDF::Experimental::RDatasetSpec& specification);
}
#endif
"""


def root_dataframe(files: StrPath | Iterable[StrPath] | Any) -> Any:
    """Return the entries of files, one after another, as ROOT's RDataFrame.

    >>> kaon.root_dataframe("events.kaon:events").Filter("#Muon > 1").Histo1D("Muon.pt")

    Columns have the names of `Category.keys`; ``#Muon`` is the number of objects. Values are read
    when the event loop needs them, in as many threads as ``ROOT.EnableImplicitMT()`` allows.

    Parameters
    ----------
    files
        A path and category, such as "events.kaon:events", or several with the same category.
        Patterns, such as "run*.kaon:events", stand for all matching files, sorted by name.
        Or a ``ROOT.RDF.Experimental.RDatasetSpec``, whose trees are categories. Its samples are
        available in ``DefinePerSample``; a friend's columns are called "friend.column".

    Returns
    -------
    ROOT.RDataFrame
        The dataframe. All files must have the columns that are used, unless
        ``DefaultValueFor``, ``FilterAvailable`` or ``FilterMissing`` names them.

    Raises
    ------
    ImportError
        If ROOT is missing, or kaon's library for it, which CMake builds if it finds ROOT.
    MissingFileError
        If a file does not exist.
    UnknownNameError
        If a file lacks the category.
    UsageError
        If there are no files, or files have different categories, or none is named and a file has
        several.
    """
    if type(files).__name__ == "RDatasetSpec":
        return _root_with_kaon().kaon.root.dataFrame(files)
    paths = listed_paths(files)
    categories = [open_category(path).name for path in paths]
    if len(set(categories)) != 1:
        named = ", ".join(f"'{name}'" for name in dict.fromkeys(categories)) or "no file"
        raise UsageError(f"an RDataFrame needs files with the same category, not {named}")
    root = _root_with_kaon()
    names = root.std.vector["std::string"]([split_path(path)[0] for path in paths])
    return root.kaon.root.dataFrame(names, categories[0])


def _root_with_kaon() -> Any:
    """Return the module ROOT with kaon's library for it loaded."""
    try:
        root = import_module("ROOT")
    except ImportError as error:
        raise ImportError(
            f"an RDataFrame needs ROOT, which this Python cannot import: {error}"
        ) from error
    beside = Path(__file__).parents[1] / "libkaon_root.so"
    library = str(beside) if beside.exists() else "libkaon_root"
    if not root.gSystem.DynamicPathName(library, True):
        raise ImportError(
            "kaon's library for ROOT, libkaon_root.so, is missing: build kaon with a CMake that "
            "finds ROOT, and add the library's folder to LD_LIBRARY_PATH"
        )
    if root.gSystem.Load(library) < 0:
        raise ImportError(f"{library}: cannot be loaded into this ROOT; is it built for another?")
    if not root.gInterpreter.CheckClassInfo("kaon::Error", False):
        root.gInterpreter.Declare(_ERROR)
    root.gInterpreter.Declare(_DATAFRAME)
    return root
