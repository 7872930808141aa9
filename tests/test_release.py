"""What tools/release.py refuses, and what it writes."""

from __future__ import annotations

import json
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from .each import each

ROOT = Path(__file__).resolve().parents[1]
CHANGELOG = """\
# Changelog

## 1.1.0 (2026-02-03)

- New.
- Newer.

## 1.0.0 (2026-01-01)

- Old.
"""


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "tools")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    import release

    return release


def git(tree: Path, *words: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *words], cwd=tree, check=True, capture_output=True)  # noqa: S603, S607


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository that 1.1.0 can be released of."""
    tree = tmp_path / "tree"
    package = tree / "pyref" / "rankspec"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('__version__ = "1.1.0"\n')
    (tree / "pyproject.toml").write_text('[project]\nversion = "1.1.0"\n')
    (tree / "CITATION.cff").write_text('version: "1.1.0"\n')
    (tree / "CHANGELOG.md").write_text(CHANGELOG)
    git(tree, "init", "-q")
    git(tree, "add", "-A")
    git(tree, "commit", "-q", "-m", "All")
    return tree


def replaced(name: str, old: str, new: str) -> Callable[[Path], None]:
    def change(tree: Path) -> None:
        text = (tree / name).read_text()
        assert old in text
        (tree / name).write_text(text.replace(old, new))
        git(tree, "commit", "-q", "-a", "-m", "Change")

    return change


def tagged_before(tree: Path) -> None:
    git(tree, "tag", "v1.1.0")
    git(tree, "commit", "-q", "--allow-empty", "-m", "More")


def test_nothing_stands_against_a_release(release: ModuleType, tree: Path) -> None:
    assert list(release.contradictions("1.1.0", tree)) == []
    git(tree, "tag", "v1.1.0")
    assert list(release.contradictions("1.1.0", tree)) == []


@each(
    "change, says",
    [
        (
            replaced("pyproject.toml", "1.1.0", "1.0.0"),
            "pyproject.toml has version 1.0.0, not 1.1.0",
        ),
        (replaced("pyproject.toml", "version", "v"), "pyproject.toml has no version, not 1.1.0"),
        (
            replaced("pyref/rankspec/__init__.py", "1.1.0", "1.1"),
            "pyref/rankspec/__init__.py has version 1.1, not 1.1.0",
        ),
        (replaced("CITATION.cff", "1.1.0", "1.0.0"), "CITATION.cff has version 1.0.0, not 1.1.0"),
        (
            replaced("CHANGELOG.md", "## 1.1.0 (2026-02-03)\n", ""),
            'CHANGELOG.md has no heading "## 1.1.0 (YYYY-MM-DD)"',
        ),
        (
            replaced("CHANGELOG.md", "2026-02-03", "unreleased"),
            'CHANGELOG.md has "unreleased" as the date of 1.1.0; a date is YYYY-MM-DD',
        ),
        (
            lambda tree: (tree / "new.py").touch(),
            "git does not have the tree as it is: new.py",
        ),
        (
            lambda tree: [(tree / f"{i}.py").touch() for i in range(7)],
            "git does not have the tree as it is: 0.py, 1.py, 2.py, 3.py, 4.py and 2 more",
        ),
        (
            lambda tree: (tree / "CHANGELOG.md").write_text(CHANGELOG + "\n"),
            "git does not have the tree as it is: CHANGELOG.md",
        ),
        (tagged_before, "the tag v1.1.0 is of another commit: 1.1.0 was released"),
    ],
    fast=3,
)
def test_what_stands_against_a_release_is_said(
    release: ModuleType, tmp_path_factory: pytest.TempPathFactory, tree: Path, change, says: str
) -> None:
    own = tmp_path_factory.mktemp("own") / "tree"  # the cases share a tree otherwise
    subprocess.run(["git", "clone", "-q", str(tree), str(own)], check=True)  # noqa: S603, S607
    change(own)
    assert list(release.contradictions("1.1.0", own)) == [says]


def test_the_command_makes_nothing_where_something_stands_against_it(
    release: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "there").touch()
    monkeypatch.setattr("sys.argv", ["release", "9.9.9", str(tmp_path)])
    with pytest.raises(SystemExit, match=r"(?s)pyproject.toml has version.*is not empty"):
        release.main()
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


def test_the_notes_are_the_part_of_the_changelog(release: ModuleType) -> None:
    assert release.notes("1.1.0", CHANGELOG) == "- New.\n- Newer.\n"
    assert release.notes("1.0.0", CHANGELOG) == "- Old.\n"


def test_an_archive_depends_on_its_files_alone(release: ModuleType, tmp_path: Path) -> None:
    made = []
    for i, names in enumerate((("a", "b/c"), ("b/c", "a"))):
        folder = tmp_path / str(i)
        for name in names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(name)
        release.archive(folder, "x-1", tmp_path / f"{i}.tar.gz")
        made.append((tmp_path / f"{i}.tar.gz").read_bytes())
    assert made[0] == made[1]
    with tarfile.open(tmp_path / "0.tar.gz") as files:
        assert files.getnames() == ["x-1/a", "x-1/b/c"]
        assert {entry.mtime for entry in files} == {1700000000}


def test_the_hashes_are_as_sha256sum_has_them(release: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "untested").mkdir()
    (tmp_path / "untested" / "b").write_bytes(b"")
    (tmp_path / "a").write_bytes(b"abc")
    (tmp_path / "SHA256SUMS").touch()
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert release.sums(tmp_path) == f"{abc}  a\n{empty}  untested/b\n"


def test_sites_of_several_releases_stand_side_by_side(release: ModuleType) -> None:
    """The list is in the form that mike writes, which the theme reads."""
    changelog = CHANGELOG.replace("# Changelog\n", "# Changelog\n\n## 1.2.0 (unreleased)\n\n- x\n")
    assert release.released(changelog) == ["1.1.0", "1.0.0"]
    files = release.above_versions(["1.1.0", "1.0.0"])
    assert json.loads(files["versions.json"]) == [
        {"version": "1.1.0", "title": "1.1.0", "aliases": ["latest"]},
        {"version": "1.0.0", "title": "1.0.0", "aliases": []},
    ]
    assert 'url=1.1.0/"' in files["index.html"]
