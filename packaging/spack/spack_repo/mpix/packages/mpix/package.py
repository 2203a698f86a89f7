# SPDX-License-Identifier: BSD-3-Clause
"""mpix for Spack 1.0 and later, built from the tree that this recipe lies in."""
import pathlib

from spack.package import *
from spack_repo.builtin.build_systems.meson import MesonPackage


class Mpix(MesonPackage):
    """Planned persistent MPI communication: persistent and partitioned collectives, channels, and
    plain collectives on demand run on plans, in front of Open MPI or MPICH."""

    git = pathlib.Path(__file__).resolve().parents[6].as_uri()

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("fortran", default=True, description="Build the modules mpix and mpix_f08")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("python@3.9:", type="build")
    depends_on("meson@1.0:", type="build")
    depends_on("boost@1.74:", type="build")
    depends_on("hwloc@2.8:")
    depends_on("mpi")

    requires("platform=linux")
    requires("^[virtuals=mpi] openmpi@4.1:5", "^[virtuals=mpi] mpich@4.0:4", policy="one_of",
             msg="mpix stands before Open MPI 4.1 to 5 or MPICH 4")
    conflicts("%gcc@:11", msg="C++20 as of g++ 12")

    @property
    def host(self):
        return self.spec["mpi"].name

    def meson_args(self):
        modules = "enabled" if self.spec.satisfies("+fortran") else "disabled"
        return [f"-Dmpi={self.host}", f"-Dfortran={modules}", "-Dtests=false", "-Dexamples=false"]

    def setup_build_environment(self, env):
        env.set("BOOST_ROOT", self.spec["boost"].prefix)  # where Meson looks

    def setup_run_environment(self, env):
        env.set("MPIX_HOST_MPI", self.host)  # mpixcc and CMake need not find out

    def setup_dependent_build_environment(self, env, dependent_spec):
        self.setup_run_environment(env)

    def test_info(self):
        """The library comes up before its host."""
        which(self.prefix.bin.join("mpix-info"), required=True)()
