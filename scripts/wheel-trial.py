"""Use kaon where nothing is installed but Python and its wheel: see try-wheel.py."""

import kaon
from kaon.command.cli import main

muons = [[{"pt": 41.0, "charge": 1}, {"pt": 12.5, "charge": -1}], [], [{"pt": 33.0, "charge": 1}]]
paths = [f"/tmp/{codec}.kaon" for codec in ("none", "lz4", "zstd", "zlib", "lzma")]
for path in paths:
    with kaon.create(path, codec=path[5:-5], cluster_entries=100) as out:
        out["events"].extend({"Muon": muons * 1000})
    assert kaon.open(path)["events"].arrays().Muon.tolist() == muons * 1000, path
assert main(["verify", *paths]) == 0
assert main(["show", paths[-1]]) == 0
assert main(["generate", "/ttbar.yaml", "-o", "/tmp/classes"]) == 0
