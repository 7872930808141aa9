"""Makes all that a release is made of, in a folder. It uploads nothing and tags nothing.

    pip install -e ".[release,docs]" && python tools/release.py 0.2.0 FOLDER [--pythons FOLDER]

The version must be that of pyproject.toml, CITATION.cff and the package, CHANGELOG.md must have it
with a date, and git must have all that is in the tree: the command says what is not so, and makes
nothing then.

==============================  ==================================================================
rankspec-0.2.0.tar.gz           the sources, the same bytes each time
*.whl, untested/*.whl           the wheels, as tools/wheels.py makes and tries them
rankspec-vectors-0.2.0.zip      the test vectors
site-0.2.0.tar.gz               the site, as 0.2.0/, with the list of all releases and a first page
                                that leads to this one: unpacked over those of earlier releases, it
                                is one site of them all. RANKSPEC_SITE, where it is set, is the
                                address of the folder, which sitemaps and links' pictures need
notes.md                        what CHANGELOG.md says of this version
SHA256SUMS                      the hash of each; `sha256sum -c SHA256SUMS` compares
==============================  ==================================================================
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import os
import re
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

import wheels
from wheels import ROOT, run


def contradictions(version: str, tree: Path = ROOT) -> Iterator[str]:
    """What stands against a release of a tree as a version, a sentence each."""
    for name, pattern in (
        ("pyproject.toml", r'^version = "(.*)"$'),
        ("pyref/rankspec/__init__.py", r'^__version__ = "(.*)"$'),
        ("CITATION.cff", r'^version: "(.*)"$'),
    ):
        found = re.search(pattern, (tree / name).read_text("utf-8"), re.MULTILINE)
        if found is None or found[1] != version:
            has = f"has version {found[1]}" if found else "has no version"
            yield f"{name} {has}, not {version}"
    heading = re.search(
        rf"^## {re.escape(version)} \((.*)\)$",
        (tree / "CHANGELOG.md").read_text("utf-8"),
        re.MULTILINE,
    )
    if heading is None:
        yield f'CHANGELOG.md has no heading "## {version} (YYYY-MM-DD)"'
    elif not re.fullmatch(r"\d{4}-\d\d-\d\d", heading[1]):
        yield f'CHANGELOG.md has "{heading[1]}" as the date of {version}; a date is YYYY-MM-DD'
    if changed := run("git", "status", "--porcelain", cwd=tree).splitlines():
        names = ", ".join(line[3:] for line in changed[:5])
        more = f" and {len(changed) - 5} more" if len(changed) > 5 else ""
        yield f"git does not have the tree as it is: {names}{more}"
    if run("git", "tag", "--list", f"v{version}", cwd=tree).strip():
        head, tagged = (
            run("git", "rev-parse", f"{x}^{{commit}}", cwd=tree) for x in ("HEAD", f"v{version}")
        )
        if head != tagged:
            yield f"the tag v{version} is of another commit: {version} was released"


def notes(version: str, changelog: str) -> str:
    """What the changelog says of a version."""
    _, _, behind = changelog.partition(f"\n## {version} (")
    return behind.partition("\n")[2].partition("\n## ")[0].strip() + "\n"


def archive(folder: Path, name: str, to: Path) -> None:
    """A folder as a .tar.gz that depends on its files alone: sorted, of one date, of nobody."""
    date, tar = int(wheels.epoch()), io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.PAX_FORMAT) as files:
        for path in sorted(path for path in folder.rglob("*") if not path.is_dir()):
            entry = files.gettarinfo(str(path), f"{name}/{path.relative_to(folder).as_posix()}")
            entry.mtime, entry.mode = date, 0o755 if entry.mode & 0o100 else 0o644
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = ""
            with path.open("rb") as content:
                files.addfile(entry, content if entry.isreg() else None)
    to.write_bytes(gzip.compress(tar.getvalue(), mtime=date))


def sdist(version: str, to: Path) -> None:
    """The sources, as setuptools collects them."""
    name = f"rankspec-{version}"
    with tempfile.TemporaryDirectory() as folder:
        tree, made = Path(folder, "tree"), Path(folder, "made")
        wheels.copy_of_sources(tree)
        code = f"from setuptools.build_meta import build_sdist as b; b({str(made)!r})"
        run(sys.executable, "-c", code, cwd=tree)
        with tarfile.open(made / f"{name}.tar.gz") as files:
            files.extractall(made, filter="data")
        archive(made / name, name, to / f"{name}.tar.gz")


def site(version: str, changelog: str, to: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        chosen = {"NO_MKDOCS_2_WARNING": "1", "SOURCE_DATE_EPOCH": wheels.epoch()}
        chosen["RANKSPEC_VERSIONS"] = "mike"  # whose list of versions the theme reads
        if address := os.environ.get("RANKSPEC_SITE"):
            chosen["RANKSPEC_SITE"] = f"{address.rstrip('/')}/{version}/"
        command = ["-m", "mkdocs", "build", "--strict", "--site-dir", f"{folder}/{version}"]
        run(sys.executable, *command, cwd=ROOT, env={**os.environ, **chosen})
        for name, text in above_versions(released(changelog)).items():
            Path(folder, name).write_text(text, "utf-8")
        archive(Path(folder), f"site-{version}", to / f"site-{version}.tar.gz")


def released(changelog: str) -> list[str]:
    """The versions that have a date, the newest first, as the changelog has them."""
    return re.findall(r"^## (\S+) \(\d{4}-\d\d-\d\d\)$", changelog, re.MULTILINE)


def above_versions(versions: list[str]) -> dict[str, str]:
    """The files above the folders of versions: the list that the theme reads, and a first page that
    leads to the newest.
    """
    newest = versions[0]
    listed = [{"version": x, "title": x, "aliases": ["latest"] * (x == newest)} for x in versions]
    page = (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>rankspec</title>\n'
        f'<meta http-equiv="refresh" content="0; url={newest}/">\n'
        f'<p><a href="{newest}/">rankspec {newest}</a></p>\n</html>\n'
    )
    return {"versions.json": json.dumps(listed, indent=1) + "\n", "index.html": page}


def sums(folder: Path) -> str:
    """The hashes of all files of a folder, as sha256sum writes them."""
    paths = sorted(x for x in folder.rglob("*") if x.is_file() and x.name != "SHA256SUMS")
    return "".join(
        f"{hashlib.sha256(x.read_bytes()).hexdigest()}  {x.relative_to(folder).as_posix()}\n"
        for x in paths
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("version")
    parser.add_argument(
        "folder", type=Path, help="where all goes; it must be empty, or not be there"
    )
    parser.add_argument("--pythons", type=Path, help="the folder that tools/pythons.sh made")
    args = parser.parse_args()
    against = list(contradictions(args.version))
    if args.folder.exists() and any(args.folder.iterdir()):
        against.append(f"{args.folder} is not empty")
    if against:
        raise SystemExit("\n".join(f"release: {sentence}" for sentence in against))
    args.folder.mkdir(parents=True, exist_ok=True)
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    (args.folder / "notes.md").write_text(notes(args.version, text), encoding="utf-8")
    vectors = args.folder / f"rankspec-vectors-{args.version}.zip"
    print(run(sys.executable, ROOT / "tools/vectors.py", "--archive", vectors), end="", flush=True)
    sdist(args.version, args.folder)
    site(args.version, text, args.folder)
    wheels.make(list(wheels.TARGETS), args.folder, args.pythons)
    (args.folder / "SHA256SUMS").write_text(sums(args.folder), encoding="ascii")
    print(sums(args.folder), end="")


if __name__ == "__main__":
    main()
