"""Tries a wheel in an empty root file system: `try-wheel.py WHEEL ROOT`.

ROOT is the folder of this file system. It has only Python, the wheel with its dependencies, and the
system's libraries that its manylinux tag allows. chroot needs root, or sudo.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

NEWEST_GLIBC = 39
"""Wheels need glibc 2.39 or older, because CI builds them on Ubuntu 24.04."""

GLIBC = ["libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1", "libpthread.so.0", "libutil.so.1"]
ALLOWED = [
    *GLIBC,
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
    "libgcc_s.so.1",
    "libstdc++.so.6",
]
"""Libraries of the system that manylinux policies let wheels use, because every system has them."""

TRIAL = Path(__file__).parent / "wheel-trial.py"


def check_names(wheel: Path) -> None:
    """Check the wheel's tag, and that its NOTICE names all libraries inside."""
    tag = re.search(r"-manylinux_2_(\d+)_[^-]+\.whl$", wheel.name)
    if tag is None or int(tag[1]) > NEWEST_GLIBC:
        sys.exit(f"{wheel}: its tag must be manylinux_2_{NEWEST_GLIBC} or older")
    with zipfile.ZipFile(wheel) as files:
        names = [name for name in files.namelist() if name.endswith("/licenses/NOTICE")]
        text = "".join(files.read(name).decode() for name in names)
        libraries = [Path(name).name for name in files.namelist() if ".libs/lib" in name]
    for library in libraries:
        name = re.match(r"[a-z0-9]+", library)[0]
        if f"\n{name} (" not in text:
            sys.exit(f"{wheel}: has {library}, which NOTICE does not name")
    print(f"{wheel.name}: glibc 2.{tag[1]}, with {', '.join(sorted(libraries))}")


def needed(binary: Path) -> dict[str, Path]:
    """Return the paths of the libraries that a program or library needs, by name."""
    text = subprocess.run(["ldd", binary], check=True, capture_output=True, text=True).stdout
    if "not found" in text:
        sys.exit(f"{binary}: {text}")
    paths = re.findall(r"(/\S+) \(0x", text)
    return {Path(path).name: Path(path) for path in paths}


def copy(path: Path, root: Path) -> None:
    """Copy a file to the same path below `root`."""
    target = root / path.relative_to("/")
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)


def install(wheel: Path, root: Path) -> None:
    """Install the wheel and its dependencies, and the system's libraries that they need."""
    site = root / "site"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, "--target", site, wheel], check=True)
    (core,) = (site / "kaon").glob("_core*.so")
    libraries = needed(core)
    for name, path in libraries.items():
        if site in path.parents:
            continue
        if name not in ALLOWED:
            sys.exit(f"{wheel}: needs {path}, which other systems may not have")
        copy(path, root)
    for name in GLIBC:  # wheels of other projects need these
        copy(libraries["libc.so.6"].with_name(name), root)


def copy_python(root: Path) -> Path:
    """Copy Python, without the libraries that the wheel contains; return its path."""
    python = Path(sys.executable).resolve()
    library = Path(sysconfig.get_path("stdlib"))
    left_out = shutil.ignore_patterns("site-packages", "dist-packages", "test", "config-*", "*.a")
    shutil.copytree(library, root / library.relative_to("/"), ignore=left_out)
    brought = {re.match(r"[a-z0-9]+", each.name)[0] for each in (root / "site/kaon.libs").iterdir()}
    for binary in (python, *library.glob("lib-dynload/*.so")):
        for name, path in needed(binary).items():
            if name.split(".")[0] not in brought:
                copy(path, root)
    copy(python, root)
    return python


def main() -> None:
    """Create the root file system, and use the wheel in it."""
    wheel, root = Path(sys.argv[1]), Path(sys.argv[2]).resolve()
    check_names(wheel)
    (root / "tmp").mkdir(parents=True)
    install(wheel, root)
    python = copy_python(root)
    shutil.copy(Path(__file__).parent.parent / "examples/ttbar/ttbar.yaml", root)
    shutil.copy(TRIAL, root / "trial.py")
    as_root = [] if os.geteuid() == 0 else ["sudo"]
    user = f"--userspec={os.getuid()}:{os.getgid()}"
    home = f"PYTHONHOME={sys.base_prefix}"
    variables = ["env", "-i", home, "PYTHONPATH=/site", "PYTHONDONTWRITEBYTECODE=1"]
    chroot = [*as_root, *variables, shutil.which("chroot"), user, root]
    subprocess.run([*chroot, python, "/trial.py", "/ttbar.yaml"], check=True)
    subprocess.run([*chroot, python, "/site/bin/kaon", "--version"], check=True)


if __name__ == "__main__":
    main()
