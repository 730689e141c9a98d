"""Use kaon where nothing is installed but Python and its wheel: `wheel-trial.py MODEL [hdf5]`.

MODEL is a data model. With hdf5, the wheel must read and write HDF5 files. See also try-wheel.py.
"""

import sys
import tempfile

import kaon
from kaon.command.cli import main

muons = [[{"pt": 41.0, "charge": 1}, {"pt": 12.5, "charge": -1}], [], [{"pt": 33.0, "charge": 1}]]
folder = tempfile.mkdtemp()
paths = {codec: f"{folder}/{codec}.kaon" for codec in ("none", "lz4", "zstd", "zlib", "lzma")}
for codec, path in paths.items():
    with kaon.create(path, codec=codec, cluster_entries=100) as out:
        out["events"].extend({"Muon": muons * 1000})
    assert kaon.open(path)["events"].arrays().Muon.tolist() == muons * 1000, path
assert main(["verify", *paths.values()]) == 0
assert main(["show", paths["lzma"]]) == 0
assert main(["generate", sys.argv[1], "-o", f"{folder}/classes"]) == 0
if "hdf5" in sys.argv[2:]:
    kaon.convert(paths["zlib"], f"{folder}/muons.h5")
    assert kaon.open(f"{folder}/muons.h5")["events"].arrays().Muon.tolist() == muons * 1000
