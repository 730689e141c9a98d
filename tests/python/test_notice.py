"""The file NOTICE names all software that kaon's wheels carry from others, and no other."""

import re
import subprocess
from pathlib import Path

import pytest

from kaon import _core

ROOT = Path(__file__).parents[2]
NAMED = set(re.findall(r"^(\S+) \(.*\), https://", (ROOT / "NOTICE").read_text(), flags=re.M))

# The projects of headers from others. Compilers, their libraries and the system are separate.
PROJECTS = {
    "H5FDdevelop.h": {"hdf5"},
    "boost": {"boost"},
    "hdf5.h": {"hdf5"},
    "hwy": {"libhwy"},
    "libdeflate.h": {"libdeflate"},
    "lz4.h": {"liblz4"},
    "lzma.h": {"liblzma"},
    "nanobind": {"nanobind", "robin-map"},
    "nlohmann": {"nlohmann-json"},
    "oneapi": {"libtbb"},
    "xxhash.h": {"xxhash"},
    "zstd.h": {"libzstd"},
}
# Wheels are built without these, and with a static libhdf5.
NOT_CARRIED = {"blosc.h", "libblosc", "curl", "libcurl", "libhdf5", "libhdf5_serial"}
SYSTEM = {"fcntl.h", "glob.h", "immintrin.h", "locale.h", "poll.h", "pthread.h", "sanitizer"}
SYSTEM |= {"sys", "unistd.h", "xlocale.h"}
OTHERS = [("include", "kaon", "c"), ("include", "kaon", "root")]  # for libraries beside the wheel
TOOLCHAIN = {"libc", "libm", "libgcc_s", "libstdc++", "ld-linux-x86-64", "ld-linux-aarch64"}


def test_headers_of_others_are_named():
    included = set()
    for folder in ("include/kaon", "src/kaon", "python/src"):
        for source in (ROOT / folder).rglob("*.[hc]*"):
            if source.relative_to(ROOT).parts[:3] in OTHERS:
                continue
            text = source.read_text()
            headers = re.findall(r"^#include <([^>]*[/.][^>]*)>", text, flags=re.M)
            included |= {header.split("/")[0] for header in headers}
    assert included - SYSTEM - NOT_CARRIED - {"kaon"} == set(PROJECTS)
    assert set().union(*PROJECTS.values()) == NAMED


def test_linked_libraries_are_named():
    shown = subprocess.run(["readelf", "-d", _core.__file__], capture_output=True, text=True)
    libraries = set(re.findall(r"\(NEEDED\).*\[([^\]]+?)\.so", shown.stdout))
    linked = libraries - TOOLCHAIN - NOT_CARRIED
    assert "liblz4" in linked
    assert linked <= NAMED


@pytest.mark.parametrize(
    "licence", ["Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "HDF5", "MIT"]
)
def test_licences_have_their_text(licence):
    text = (ROOT / "NOTICE").read_text()
    assert re.search(rf"^\S+ \(.*{licence}.*\), https://", text, flags=re.M)
    assert re.search(rf"^-+\n{licence}", text, flags=re.M)
