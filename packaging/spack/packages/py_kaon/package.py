# Copyright Spack Project Developers. See COPYRIGHT file for details.
#
# SPDX-License-Identifier: (Apache-2.0 OR MIT)

import os

from spack_repo.builtin.build_systems.python import PythonPackage

from spack.package import *


class PyKaon(PythonPackage):
    """Event-data engine for particle and nuclear physics: the Python package,
    with its command."""

    # The checkout that has this file; a release has the address of its archive instead.
    git = "file://" + os.path.abspath(os.path.join(os.path.dirname(__file__), "../../../.."))

    tags = ["hep"]

    license("Apache-2.0")

    version("main", branch="main")

    depends_on("c", type="build")
    depends_on("cxx", type="build")

    depends_on("python@3.10:", type=("build", "link", "run"))
    depends_on("py-scikit-build-core@0.10:", type="build")
    depends_on("py-nanobind@2:", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")

    depends_on("py-awkward@2.8:", type=("build", "run"))
    depends_on("py-hist", type=("build", "run"))
    depends_on("py-jinja2", type=("build", "run"))
    depends_on("py-numpy", type=("build", "run"))
    depends_on("py-pyyaml", type=("build", "run"))
    depends_on("py-rich", type=("build", "run"))
    depends_on("py-vector", type=("build", "run"))

    depends_on("boost@1.70:")
    depends_on("c-blosc")
    depends_on("hdf5@1.10: ~mpi")
    depends_on("highway@1:")
    depends_on("libdeflate")
    depends_on("lz4")
    depends_on("nlohmann-json@3.10:")
    depends_on("tbb")
    depends_on("xxhash@0.8:")
    depends_on("xz@5.6:")
    depends_on("zstd")

    requires("^intel-tbb@2021.1.1:", "^intel-oneapi-tbb", policy="one_of")
    conflicts("%gcc@:11", msg="kaon needs C++20 of GCC 12 or newer")
    conflicts("%clang@:15", msg="kaon needs C++20 of Clang 16 or newer")

    def config_settings(self, spec, prefix):
        return {"cmake.define.KAON_FETCH_LZMA": "OFF", "cmake.define.KAON_HDF5": "REQUIRED"}
