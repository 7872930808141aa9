"""Identifies a black box: finds the definition that it computes."""

from __future__ import annotations

import importlib
import importlib.util
import shutil
import sys
from collections.abc import Callable, Sequence
from os.path import isfile
from pathlib import Path
from typing import Any

from ...errors import InputError, quoted, shown
from .asked import Asked
from .child import Box, Load, positive_seconds
from .forms import Form, command_words, form, program_of_files
from .inputs import Domain, Input, domain
from .outcomes import Outcome
from .report import Identification, declared_of
from .search import search

SECONDS = 10.0


def identify(
    fn: Callable[..., Any],
    form: str | None = None,
    *,
    timeout: float = SECONDS,
    isolated: bool = True,
    **declared: Any,
) -> Identification:
    """Find the definition that a function computes, only from its answers.

    fn: the function; form: how it is called, "scores" (the default), "lists" or "trec"
    timeout: the seconds that a call may take; isolated: whether fn runs in its own process
    declared: limits of its inputs: cutoff="required", binary=True, ... (RS-IDF-2)

    A function may have a dict ``declared`` and a ``form`` of its own.

    Raises InputError for an unknown form or declaration. Spec: RS-IDF-1.
    """
    if not callable(fn):
        raise InputError(f"fn: expected a function, got {shown(fn)}")
    return identified(lambda: fn, form, declared, timeout, isolated)


def identify_python(
    name: str, form_name: str | None, declared: dict[str, Any], timeout: float = SECONDS
) -> Identification:
    """The same of "package.module:function" or "file.py:function", imported in the child."""
    return identified(loader(name), form_name, declared, timeout, True)


def identify_program(
    template: str, declared: dict[str, Any], timeout: float = SECONDS
) -> Identification:
    """The same of a program that takes TREC files: a command with {qrels}, {run} and {k}."""
    function = program_of_files(template, timeout, several=declared.get("several") is True)
    program = command_words(template)[0]
    if shutil.which(program) is None:
        raise InputError(f"{program}: cannot be run: no such file, or not executable")
    if "{k}" not in template:
        declared = {"cutoff": "never"} | declared
    else:
        declared = {"cutoff": "required"} | declared
    return identified(lambda: function, "trec", declared, 2 * timeout, False)


def identified(
    load: Load,
    form_name: str | None,
    declared: dict[str, Any],
    timeout: float,
    isolated: bool,
    world: Sequence[Input] | None = None,
) -> Identification:
    """The definition of a function that is loaded where it is called; see identify().

    world: the inputs on which the members of the class are held against each other
    """
    timeout = positive_seconds(timeout)
    if form_name is not None:
        domain(form(form_name).domain, declared)  # before anything is loaded
    box = Box(load, timeout, isolated)
    try:
        facts = box.facts()
        if "error" in facts:
            raise InputError(f"the function cannot be loaded: {facts['error']}")
        chosen = form(form_name or facts["form"] or "scores")
        of = domain(chosen.domain, {**facts["declared"], **declared})
        asked = Asked(_questions(box, chosen, of))
        found = search(asked, of, world)
        return Identification(
            facts["name"],
            facts["version"],
            chosen.name,
            declared_of(of, chosen.domain),
            of,
            found,
            asked,
            box.calls,
        )
    finally:
        box.close()


def _questions(box: Box, of: Form, said: Domain) -> Callable[[Input | Sequence[Input]], Outcome]:
    def ask(x: Input | Sequence[Input]) -> Outcome:
        return box(*of.arguments(x, said))

    return ask


def loader(name: str) -> Load:
    """What loads a function by "package.module:function" or "file.py:function"."""
    module, colon, function = name.rpartition(":")
    is_other_file = not module.endswith(".py") and ("/" in module or _is_file(module))
    if not colon or not module or not function or is_other_file:
        raise InputError(
            f"{quoted(name)} names no function; expected package.module:function or "
            "FILE.py:function"
        )
    if module.endswith(".py") and not _is_file(module):
        raise InputError(f"{module}: cannot be read: No such file or directory")

    def load() -> Callable[..., Any]:
        found: Any = _module(module)
        for part in function.split("."):
            found = getattr(found, part)
        if not callable(found):
            raise TypeError(f"{name} is no function")
        return found  # type: ignore[no-any-return]

    return load


def _is_file(name: str) -> bool:
    return isfile(name)  # noqa: PTH113 - Path has an OSError for a name that is too long


def _module(name: str) -> Any:
    if not name.endswith(".py"):
        sys.path.insert(0, str(Path.cwd()))
        return importlib.import_module(name)
    path = Path(name).resolve()
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{name} is no module")
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
