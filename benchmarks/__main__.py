"""All benchmarks that have peers, one after the other, and one picture of them.

    python benchmarks [NAME ...] [-o all.svg]

NAME: of a program in this folder, without .py; by default all of PROGRAMS. Each says what it
measures, and prints its own table; what is not installed is left out, by name. rankspec runs on one
thread where the program does not say otherwise. Before the first and after the last stands how long
the machine takes for a loop in Python: two figures that differ much say that others used it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from noted import ROWS

HERE = Path(__file__).parent
PROGRAMS = ("arrays", "one_list", "ragged", "dicts", "frames", "start", "trec")
LOOPS = 5_000_000


def main() -> None:
    parser = argparse.ArgumentParser(prog="python benchmarks", description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*", metavar="NAME", help=", ".join(PROGRAMS))
    parser.add_argument("-o", dest="picture", metavar="FILE", help="a picture of all tables")
    given = parser.parse_args()
    for name in given.programs:
        if not (HERE / f"{name}.py").is_file():
            parser.error(f"there is no {HERE / name}.py")
    print(machine(), flush=True)
    tables, failed = run(given.programs or list(PROGRAMS))
    print(f"\nafter the last: {state()}")
    if given.picture and tables:
        draw(tables, given.picture)
        print(f"written: {given.picture}")
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


def machine() -> str:
    """What the figures are of, and what else the machine does."""
    cpus, python = os.cpu_count(), platform.python_version()
    return f"{processor()}, {cpus} processors, Python {python}; before the first: {state()}"


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((x.split(":")[1].strip() for x in lines if x.startswith("model name")), "unknown")


def state() -> str:
    begin = time.process_time()
    for _ in range(LOOPS):
        pass
    loop = (time.process_time() - begin) / LOOPS * 1e9
    return f"{loop:.1f} ns a turn of an empty loop, load {os.getloadavg()[0]:.1f}"


def run(names: list[str]) -> tuple[list[dict[str, Any]], list[str]]:
    """The tables of the programs, and which programs failed."""
    failed = []
    with tempfile.NamedTemporaryFile("r", suffix=".jsonl") as rows:
        environment = {"RANKSPEC_THREADS": "1", **os.environ, ROWS: rows.name}
        for name in names:
            print(f"\n== {name}.py", flush=True)
            command = [sys.executable, HERE / f"{name}.py"]
            done = subprocess.run(command, check=False, env=environment)
            if done.returncode:
                failed.append(name)
        return [json.loads(line) for line in rows], failed


def draw(tables: list[dict[str, Any]], file: str) -> None:
    """A panel for each table: bars on a logarithmic axis, the shortest above."""
    import matplotlib as mpl

    mpl.use("agg")
    import matplotlib.pyplot as plt

    heights = [len(table["rows"]) + 1.6 for table in tables]
    figure, axes = plt.subplots(
        len(tables),
        figsize=(8, 0.27 * sum(heights)),
        squeeze=False,
        layout="constrained",
        gridspec_kw={"height_ratios": heights},
    )
    for ax, table in zip(axes[:, 0], tables, strict=True):
        rows = sorted(table["rows"].items(), key=lambda row: row[1], reverse=True)
        names, figures = zip(*rows, strict=True)
        ours = [
            name.startswith(("rankspec", "rs.", "measure.", "import rankspec")) for name in names
        ]
        bars = ax.barh(names, figures, color=["#00695c" if own else "#b0bec5" for own in ours])
        ax.bar_label(
            bars,
            labels=[f"{x:.3g}" if x < 1000 else f"{x:,.0f}" for x in figures],
            padding=3,
            fontsize=8,
        )
        ax.set_xscale("log")
        ax.set_xlim(min(figures) / 2, max(figures) * 3)
        ax.set_title(f"{table['title']}, {table['unit']}", fontsize=9, loc="left")
        ax.tick_params(labelsize=8)
        ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(file)


if __name__ == "__main__":
    main()
