# SPDX-License-Identifier: BSD-3-Clause
"""spack.py HOST ROOT: what Spack's recipe tells Meson configures this tree, for the MPI that is first
on the path, as in Spack's builds. Of Spack itself only the few names are here that the recipe uses."""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import types

host, root = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
RECIPE = root / "packaging/spack/spack_repo/mpix/packages/mpix/package.py"
directives = []


def directive(name):
    return lambda *words, **options: directives.append((name, words, options))


class MesonPackage:
    def __init__(self, spec):
        self.spec = spec


class Spec(dict):
    """What was asked for, and the specs of dependencies."""

    def __init__(self, *chosen, **dependencies):
        super().__init__(dependencies)
        self.chosen = chosen

    def satisfies(self, choice):
        return choice in self.chosen


class Environment(dict):
    def set(self, name, value):
        self[name] = str(value)


def module(name, **members):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(members)


def load():
    names = "license version variant depends_on requires conflicts".split()
    module("spack")
    module("spack.package", **{name: directive(name) for name in names})
    for name in ("spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
        module(name)
    module("spack_repo.builtin.build_systems.meson", MesonPackage=MesonPackage)
    spec = importlib.util.spec_from_file_location("package", RECIPE)
    recipe = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(recipe)
    return recipe.Mpix


def write_wrappers(folder):
    """As an MPI's own prefix has them: without a host in their names."""
    for name in ("mpicc", "mpifort"):
        wrapper = folder / name
        wrapper.write_text('#!/bin/sh\n'
                           f'echo asked >>"{folder}/log.{name}"\nexec {name}.{host} "$@"\n')
        wrapper.chmod(0o755)


sys.dont_write_bytecode = True
Mpix = load()
needed = {words[0].split("@")[0] for name, words, _ in directives if name == "depends_on"}
assert needed >= {"c", "cxx", "meson", "boost", "hwloc", "mpi"}, needed
assert any(host in word for name, words, _ in directives if name == "requires" for word in words)
assert Mpix.git == root.as_uri(), Mpix.git

mpi, boost = types.SimpleNamespace(name=host), types.SimpleNamespace(prefix="/usr")
assert "-Dfortran=disabled" in Mpix(Spec("~fortran", mpi=mpi, boost=boost)).meson_args()
package = Mpix(Spec("+fortran", mpi=mpi, boost=boost))
build, run = Environment(), Environment()
package.setup_build_environment(build)
package.setup_run_environment(run)
assert run == {"MPIX_HOST_MPI": host}, run

with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)
    write_wrappers(work)
    # Spack's own arguments: the folder of libraries is absolute.
    prefix = work / "prefix"
    subprocess.run(["meson", "setup", work / "build", root, f"-Dprefix={prefix}",
                    f"-Dlibdir={prefix}/lib", "-Dbuildtype=release", "-Dwrap_mode=nodownload",
                    *package.meson_args()], check=True,
                   env=os.environ | build | {"PATH": f"{work}:{os.environ['PATH']}"})
    for name in ("mpicc", "mpifort"):
        assert (work / f"log.{name}").exists(), f"another {name} was taken"
    said = subprocess.run(["meson", "introspect", "--installed", work / "build"], check=True,
                          capture_output=True).stdout
    installed = set(json.loads(said).values())
    for name in (f"lib/mpix/{host}/libmpix.so", f"lib/mpix/{host}/libmpix_fortran.so",
                 f"bin/mpix-info.{host}", "bin/mpixcc"):
        assert str(prefix / name) in installed, installed
