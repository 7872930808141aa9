"""Which tests run and how thoroughly: the lanes, as CONTRIBUTING.md tells them.

fast     the default: all but what is marked slow, with few examples
slow     what is marked slow, with few examples, and in full what the fast lane takes in part
all      everything, with more examples
rest     what no earlier run has run in full, by the file RANKSPEC_RAN (tests/ran.py)
long     what is marked long, and the tests of Hypothesis, with many examples by a new seed, in any
         order, so that --for SECONDS may end it
"""

from __future__ import annotations

import gc
import os
import random
import shlex
import sys
import time
from collections.abc import Generator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from . import ran
from .each import LANE, is_thinned

# Else each worker compiles all tests anew, with their assertions rewritten, in some 18 s, and each
# process that a test starts compiles the package, in 0.4 s. What is kept is in __pycache__.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("few", max_examples=5, derandomize=True, **_COMMON)
settings.register_profile("all", max_examples=30, derandomize=True, **_COMMON)
# Some 10^5 examples in tests/differential alone.
settings.register_profile("long", max_examples=700, database=None, print_blob=True, **_COMMON)
settings.register_profile("sanitized", max_examples=4, derandomize=True, **_COMMON)
settings.load_profile("all")

PROFILES = {"fast": "few", "slow": "few", "rest": "few", "all": "all", "long": "long"}
"""The profile of each lane."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("rankspec")
    group.addoption("--lane", choices=PROFILES, default="fast", help="which tests; default: fast")
    group.addoption("--case", default="", metavar="TEXT", help="only cases with TEXT in the name")
    group.addoption(
        "--for", type=float, metavar="SECONDS", dest="seconds", help="begin no test after that time"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    option = config.option
    LANE.fast, LANE.case = option.lane == "fast", option.case
    option.hypothesis_profile = option.hypothesis_profile or PROFILES[option.lane]
    if ran.FILE:
        config.pluginmanager.register(ran.Account(config, ran.FILE))
    elif option.lane == "rest":
        raise pytest.UsageError("--lane rest needs a file of what ran before: RANKSPEC_RAN=FILE")
    if option.lane == "long" and option.hypothesis_seed is None:
        of_controller = getattr(config, "workerinput", {}).get("seed")
        option.hypothesis_seed = of_controller or str(random.SystemRandom().randrange(2**32))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    node.workerinput["seed"] = node.config.option.hypothesis_seed


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """None, that is a worker for each processor, but for single files: 0."""
    alone = all(name.partition("::")[0].endswith(".py") for name in config.args)
    return 0 if alone else None


# Which tests


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    lane = config.option.lane
    named = _named(config)
    done = ran.names() if lane == "rest" else set()
    _mark_browsers_slow(items)
    slow = _marked(items, "slow")
    of_fast = {x for x in items if x.get_closest_marker("slow") and x not in slow}
    long = _marked(items, "long") - of_fast
    config.stash[ran.LONG] = {item.nodeid for item in long}

    def is_wanted(item: pytest.Item) -> bool:
        if lane == "all" or item.nodeid.startswith(named):
            return True
        if lane == "long":
            return item in long or (_has_examples(item) and "[broken-" not in item.nodeid)
        if item in long:
            return False
        if lane == "rest":
            return item.nodeid not in done
        return item in slow or is_thinned(item) if lane == "slow" else item not in slow

    wanted = [item for item in items if is_wanted(item)]
    config.hook.pytest_deselected(items=[item for item in items if not is_wanted(item)])
    if lane == "long":
        random.Random(config.option.hypothesis_seed).shuffle(wanted)
    for item in wanted:
        if lane == "fast" and is_thinned(item):
            item.user_properties.append(ran.IN_PART)
    items[:] = wanted


def _mark_browsers_slow(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


def _marked(items: list[pytest.Item], mark: str) -> set[pytest.Item]:
    """Those with a mark; of the items of one function all but as many as the mark says, evenly.

    None is left that has a mark of its own without "but", as by the reference in tests/laws.
    """
    by_function: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker(mark):
            by_function.setdefault(item.nodeid.partition("[")[0], []).append(item)
    marked = {item for those in by_function.values() for item in those}
    for those in by_function.values():
        left = [x for x in those if all("but" in m.kwargs for m in x.iter_markers(mark))]
        kept = min(len(left), left[0].get_closest_marker(mark).kwargs["but"]) if left else 0
        marked -= {left[i * len(left) // kept] for i in range(kept)}
    return marked


def _named(config: pytest.Config) -> tuple[str, ...]:
    """The node ids that the command line gives; these tests run in every lane."""
    names = []
    for argument in config.args:
        path, colons, test = argument.partition("::")
        if colons:
            file = (config.invocation_params.dir / path).resolve()
            names.append(f"{file.relative_to(config.rootpath).as_posix()}::{test}")
    return tuple(names)


def _has_examples(item: pytest.Item) -> bool:
    test = getattr(item, "obj", None)
    return getattr(test, "is_hypothesis_test", False) or getattr(test, "is_law", False)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Of what is collected, which all lives on, no garbage is sought: half of the time."""
    gc.disable()
    try:
        _import_from_the_end(session.config)
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def _import_from_the_end(config: pytest.Config) -> None:
    """In every other worker, import the tests, the last first, if all are asked for.

    Workers begin together. Where no bytecode is kept, each would compile every test; so one
    compiles what another then reads.
    """
    worker = getattr(config, "workerinput", {}).get("workerid", "gw0")
    if int(worker.removeprefix("gw")) % 2 == 0 or config.args != config.getini("testpaths"):
        return
    for path in sorted(Path(__file__).parent.rglob("test_*.py"), reverse=True):
        name = ".".join(path.relative_to(config.rootpath).with_suffix("").parts)
        with suppress(Exception, pytest.skip.Exception):  # collection has the words for it
            import_module(name)


# Until when


BEGUN = pytest.StashKey[float]()


def pytest_collection_finish(session: pytest.Session) -> None:
    session.config.stash[BEGUN] = time.monotonic()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    seconds = item.config.option.seconds
    late = seconds is not None and time.monotonic() > item.config.stash[BEGUN] + seconds
    return True if late else None


# The summary


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    tell = terminalreporter.write_line
    stats = terminalreporter.stats
    if config.option.lane == "fast":
        tell("the fast lane; --lane all runs every test, in full")
    if config.option.lane == "long":
        seed = config.option.hypothesis_seed
        tell(f"seed {seed}: {sum(len(stats.get(x, [])) for x in ('passed', 'failed'))} tests")
        # With the same files: Hypothesis tries numbers that stand in the modules that are loaded.
        given = shlex.join([*config.invocation_params.args, f"--hypothesis-seed={seed}"])
        for report in stats.get("failed", []):
            name = report.nodeid.partition("[")[0].rpartition("::")[2]
            tell(f"once more: {sys.executable} -m pytest {given} --for 9999 -k {name}")
