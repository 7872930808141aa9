"""What is built, and what answers, with and without a C compiler."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

import rankspec
from rankspec.compute.core import lib

ROOT = Path(__file__).parent.parent
EXAMPLE = Path(rankspec.__file__).parent / "example"
FILES = [str(EXAMPLE / name) for name in ("qrels.txt", "plain.run", "rich.run")]
TABLE = """\
run        nDCG@10      AP    P@10      RR
plain.run   0.8352  0.7352  0.2333  1.0000
rich.run    0.4406  0.2500  0.0667  0.6667

3 queries, ties: id-descending
"""
REMEDIES = ("apt install build-essential python3-dev", "dnf install gcc python3-devel",
            "xcode-select --install", 'pip install .', "thousand times slower")  # fmt: skip
WITHOUT = "import sys; sys.modules['rankspec._core'] = None\n"


def python(code, **environment):
    """What a process of its own prints, and its standard error."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.mark.slow
def test_the_reference_answers_where_there_is_no_core():
    """By default, with one warning a process, which stands at the caller's line."""
    calls = (
        "rs.ndcg([3, 2, 3], k=2)",
        "rs.ndcg([0, 2, 1], scores=[1, 1, 2])",
        "rs.recall([1, 0], judged=[1, 1]), rs.UL2(rs.DCG()).of([1, 0])",
        "rs.nsdcg([[1], [0]], judged=[1, 1], ids=[[1], [2]]), rs.sdcg_vector([[1], [2]]).tolist()",
        "rs.relevance([3, 1, 2]).tolist()",
        "rs.evaluate({'q': {'a': 1}}, {'q': {'a': 1.0}}, 'AP')['AP']",
        "rs.evaluate_sessions({'s': {'a': 1}}, {'s': [['a']]}, 'sDCG')['sDCG']",
        f"rs.evaluate_letor({str(EXAMPLE / 'letor.txt')!r}, 'AP', feature=1)['AP']",
    )
    code = "import rankspec as rs\n" + "".join(f"print({call})\n" for call in calls)
    with_core, nothing = python(code)
    assert not nothing
    without, warning = python(WITHOUT + code)
    assert without == with_core
    assert warning.count("CoreMissingWarning") == 1
    assert warning.startswith("<string>:3: CoreMissingWarning: the C core of rankspec cannot be")
    assert all(remedy in warning for remedy in REMEDIES)


def test_the_core_that_is_asked_for_by_name_is_not_replaced():
    code = (
        "import rankspec as rs\n"
        "for call in (rs.ndcg, rs.DCG().of, lambda r, **b: rs.ndcg(r, scores=[1], **b),\n"
        "             lambda r, **b: rs.sdcg([r], **b), lambda r, **b: rs.relevance(r, **b),\n"
        "             lambda r, **b: rs.evaluate({'q': {'a': 1}}, {'q': {'a': 1}}, 'AP', **b)):\n"
        "    try:\n        call([1], backend='c')\n"
        "    except rs.CoreMissing as error:\n        print(error)\n"
    )
    printed, warned = python(WITHOUT + code)
    assert not warned
    assert len(printed.splitlines()) == 6
    assert all(remedy in printed for remedy in REMEDIES[:4])
    strict = "import warnings; warnings.simplefilter('error')\n"
    code = (
        "import rankspec as rs\nfor _ in range(2):\n    try:\n        rs.ndcg([1])\n"
        "    except rs.CoreMissingWarning:\n        print('each time')\n"
    )
    assert python(WITHOUT + strict + code)[0] == "each time\n" * 2


def test_the_command_line_warns_in_a_line_where_there_is_no_core():
    run = "from rankspec.cli.main import main\n"
    printed, warned = python(f"{WITHOUT}{run}main({['eval', *FILES]})")
    assert printed == TABLE
    assert warned.startswith("rankspec: warning: the C core of rankspec cannot be loaded: ")
    assert warned.count("\n") == 1
    assert all(remedy in warned for remedy in REMEDIES)
    printed, warned = python(f"{WITHOUT}{run}print(main({['eval', *FILES, '--backend', 'c']}))")
    assert (printed, warned.count("\n")) == ("2\n", 1)
    assert warned.startswith("rankspec: error: the C core of rankspec cannot be loaded: ")
    assert not python(f"{WITHOUT}{run}main({['eval', *FILES, '--backend', 'reference']})")[1]


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The sources without what a build left."""
    folder = tmp_path_factory.mktemp("tree") / "a folder"
    left_out = (".git", ".venv", "build", "__pycache__", ".*_cache", ".hypothesis")
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*left_out, "*.so", "*.egg-info"))
    return folder


def built(tree, kind, to, before="", **environment):
    """A wheel or an sdist as pip has it built, and what the build says last."""
    code = f"{before}from setuptools.build_meta import build_{kind} as b; print(b({str(to)!r}))"
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=tree,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return to / done.stdout.splitlines()[-1], done.stderr.splitlines()[-1:]


@pytest.mark.slow
def test_without_a_compiler_the_package_is_built_without_the_core(tree, tmp_path):
    wheel, last = built(tree, "wheel", tmp_path, CC="/bin/false")
    assert wheel.name == f"rankspec-{rankspec.__version__}-py3-none-any.whl"  # and no abi3
    assert last[0].startswith("rankspec: the C core was not built; the error is above. ")
    assert all(remedy in last[0] for remedy in REMEDIES)
    with zipfile.ZipFile(wheel) as files:
        assert not [name for name in files.namelist() if name.endswith(".so")]
        for path in (ROOT / "spec/vectors").iterdir():
            assert files.read(f"rankspec/vectors/{path.name}") == path.read_bytes()
        files.extractall(tmp_path / "installed")  # noqa: S202 - it was built here
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'installed')!r})\n"
        "import rankspec; assert 'installed' in rankspec.__file__\n"
        "assert len(rankspec.vectors('all')) > 1000\n"
        f"from rankspec.cli.main import main; main({['eval', *FILES]})"
    )
    printed, warned = python(code)
    assert printed == TABLE
    assert warned.startswith("rankspec: warning: the C core of rankspec cannot be loaded: No mod")


@pytest.mark.slow
def test_a_python_without_the_lock_has_a_wheel_of_its_own(tree, tmp_path):
    """As a build for one goes. Its stable ABI came with 3.15, and _dicts rests on the lock."""
    before = "import sysconfig; sysconfig.get_config_vars()['Py_GIL_DISABLED'] = 1\n"
    wheel, _ = built(tree, "wheel", tmp_path, before, CFLAGS="-O0 -DRS_NO_CLONES")
    of = "cp{}{}".format(*sys.version_info)
    assert wheel.name.startswith(f"rankspec-{rankspec.__version__}-{of}-{of}")
    with zipfile.ZipFile(wheel) as files:
        modules = [name for name in files.namelist() if name.endswith(".so")]
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    assert modules == [f"rankspec/_core{suffix}"]


@pytest.mark.slow
def test_an_sdist_holds_all_that_git_does(tree, tmp_path):
    """So that it builds, and its tests run."""
    listed = subprocess.run(
        ["git", "ls-files"], capture_output=True, text=True, check=False, cwd=ROOT  # noqa: S607
    ).stdout.splitlines()  # fmt: skip
    if not listed:
        pytest.skip("this is no clone: git has no list of the files")
    sdist, _ = built(tree, "sdist", tmp_path)
    with tarfile.open(sdist) as files:
        held = {name.partition("/")[2] for name in files.getnames()}
    assert not [name for name in listed if name not in held and (ROOT / name).exists()]


def test_the_core_has_no_symbols_but_those_that_are_needed():
    """Those for a debugger were two thirds of it."""
    if sys.platform != "linux":
        pytest.skip("the linker of this system has no option for it")
    import rankspec._core as core

    assert lib.rs_longest_session is not None
    assert b".symtab" not in Path(core.__file__).read_bytes()
