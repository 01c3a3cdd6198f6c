# SPDX-License-Identifier: Apache-2.0
"""A recipe for Spack. Not run by the project's tests: see packaging/README.md."""

from spack.package import *  # noqa: F403


class Tilewright(CMakePackage):  # noqa: F405
    """The best mapping of a tensor operation onto an accelerator, proved best."""

    # git = "the address of your copy of the sources"
    version("main", branch="main")  # noqa: F405

    depends_on("cxx", type="build")  # noqa: F405
    depends_on("cmake@3.25:", type="build")  # noqa: F405
    depends_on("cli11", type="build")  # noqa: F405
    depends_on("nlohmann-json", type="build")  # noqa: F405
    depends_on("fmt")  # noqa: F405
    depends_on("intel-oneapi-tbb")  # noqa: F405
    depends_on("onnx")  # noqa: F405
    depends_on("protobuf")  # noqa: F405
    depends_on("sqlite")  # noqa: F405
    depends_on("yaml-cpp")  # noqa: F405
    depends_on("zlib-api")  # noqa: F405

    def cmake_args(self):
        off = ("TILEWRIGHT_TESTS", "TILEWRIGHT_BENCH", "TILEWRIGHT_EXPERIMENTS")
        return [self.define("TILEWRIGHT_INSTALL", True)] + [self.define(name, False) for name in off]
