# Copyright Spack Project Developers. See COPYRIGHT file for details.
#
# SPDX-License-Identifier: (Apache-2.0 OR MIT)

import os

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Kaon(CMakePackage):
    """Event-data engine for particle and nuclear physics: reads and writes
    .kaon, ROOT, HIPO, LCIO, podio, and HDF5 files."""

    # The checkout that has this file; a release has the address of its archive instead.
    git = "file://" + os.path.abspath(os.path.join(os.path.dirname(__file__), "../../../.."))

    tags = ["hep"]

    license("Apache-2.0")

    version("main", branch="main")

    variant("hdf5", default=True, description="Read and write HDF5 files")
    variant("http", default=True, description="Read files of web servers")

    depends_on("c", type="build")
    depends_on("cxx", type="build")

    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("python@3.10:", type="build")
    depends_on("py-pyyaml", type="build")

    depends_on("boost@1.70:")
    depends_on("highway@1:")
    depends_on("libdeflate")
    depends_on("lz4")
    depends_on("nlohmann-json@3.10:")
    depends_on("tbb")
    depends_on("xxhash@0.8:")
    depends_on("xz@5.6:")
    depends_on("zstd")
    depends_on("hdf5@1.10: ~mpi", when="+hdf5")
    depends_on("c-blosc", when="+hdf5")
    depends_on("curl", when="+http")

    # The model generator of kaon_add_datamodel().
    depends_on("py-kaon", type="run")

    requires("^intel-tbb@2021.1.1:", "^intel-oneapi-tbb", policy="one_of")
    conflicts("%gcc@:11", msg="kaon needs C++20 of GCC 12 or newer")
    conflicts("%clang@:15", msg="kaon needs C++20 of Clang 16 or newer")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("KAON_BUILD_BENCH", False),
            self.define("KAON_BUILD_EXAMPLES", False),
            self.define("KAON_BUILD_JAVA", False),
            self.define("KAON_BUILD_PYTHON", False),
            self.define("KAON_BUILD_ROOT", False),
            self.define("KAON_BUILD_TESTS", False),
            self.define("KAON_FETCH_LZMA", False),
            self.define("KAON_HDF5", "REQUIRED" if self.spec.satisfies("+hdf5") else "OFF"),
            self.define_from_variant("KAON_HTTP", "http"),
        ]
