"""Who may import whom, what importing costs, and that a chapter has one name everywhere."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import rankspec
from rankspec.analysis.check.report import check
from rankspec.metrics.catalogue import BOUNDS, METRICS, SESSION_METRICS

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "pyref" / "rankspec"
CHAPTERS = [
    "gain", "dcg", "length", "relevance", "precision", "cascade", "utility", "users", "ties",
    "bounds", "session", "numerics", "randomness", "comparison", "agreement", "axioms", "diversity",
]  # fmt: skip
WITHOUT_KERNEL = {"agreement", "axioms", "comparison", "diversity"}
"""Chapters that the reference alone computes."""

OLDER_NAMES = {"ties": "expectation"}
"""What a chapter was called: its vectors keep that name, and so do the tests of its laws."""


BLOCKS = (ast.stmt, ast.ExceptHandler, ast.match_case)


@cache
def imports_of(path: Path) -> set[str]:
    """The modules that a file imports, those of the package as `.name` or `..name`."""
    found = set()
    statements: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    for node in statements:  # which grows; expressions, most of a tree, hold no import
        statements += (x for x in ast.iter_child_nodes(node) if isinstance(x, BLOCKS))
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            dots = "." * node.level
            found |= {dots + (node.module or alias.name) for alias in node.names}
    return found


def importers_of(*modules: str) -> set[str]:
    """The names of the files of the package that import one of its modules: `.name`, `..name`."""
    last = "|".join(module.rpartition(".")[2] for module in modules)
    # Spares the parsing of most files.
    may = re.compile(rf"from \.+ import (\(|.*\b({last})\b)|\.({last}) import")
    return {
        path.name
        for path, text in texts().items()
        if may.search(text) and imports_of(path) & set(modules)
    }


@cache
def texts() -> dict[Path, str]:
    """The text of each file of the package."""
    return {path: path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py"))}


def test_the_reference_imports_the_standard_library_and_itself():
    for path in (PACKAGE / "reference").rglob("*.py"):
        above = "." * len(path.relative_to(PACKAGE).parts)
        for name in imports_of(path):
            outside = name.startswith(above) or name.split(".")[0] == "rankspec"
            assert not outside, f"{path.name} imports {name}"
            if not name.startswith("."):
                assert name.split(".")[0] in sys.stdlib_module_names, f"{path.name}: {name}"


def linted(package: Path) -> subprocess.CompletedProcess[str]:
    """What import-linter says of the rooms of a package, by the contracts of pyproject.toml."""
    pytest.importorskip(
        "importlinter", reason='import-linter is not installed: pip install ".[dev]"'
    )
    code = (
        f"import sys; sys.path.insert(0, {str(package.parent)!r})\n"
        "from importlinter.cli import lint_imports as lint\n"
        f"sys.exit(lint(config_filename={str(ROOT / 'pyproject.toml')!r}, no_cache=True))"
    )
    return subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )


def test_the_rooms_import_only_what_stands_above_them():
    done = linted(PACKAGE)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_an_import_that_climbs_breaks_the_contract(tmp_path):
    """One within a function, and one for types alone: both count."""
    sources = tmp_path / "rankspec"
    shutil.copytree(PACKAGE, sources, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    for path, line in (
        ("reference/dcg.py", "def climbs():\n    from ..api import rankings\n"),
        (
            "text.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .cli import main\n",
        ),
        ("formats/limits.py", "from . import streams\n"),
    ):
        with (sources / path).open("a", encoding="utf-8") as file:
            file.write(f"\n\n{line}")
    done = linted(sources)
    assert done.returncode == 1
    assert "rankspec.reference is not allowed to import rankspec.api" in done.stdout
    assert "rankspec.text is not allowed to import rankspec.cli" in done.stdout
    assert "No cycles are allowed in rankspec.formats" in done.stdout


def test_only_the_binding_knows_the_compiled_module():
    assert importers_of("._core", ".._core") == {"core.py"}
    assert importers_of("._dicts", ".._dicts") == {"dicts.py"}
    assert importers_of("._one_list", ".._one_list") == {"core.py"}
    core = importers_of(".core", "..compute.core", ".views", ".by_core", "..compute.by_core")
    assert core <= {
        "arithmetic.py",
        "at_once.py",
        "backends.py",
        "by_core.py",
        "views.py",
        "rankings.py",
        "joined.py",
        "rows.py",
        "scored.py",
        "arrow.py",  # for the string views of Arrow, where it is there
        "blocks.py",
        "arrays.py",
        "pools.py",
        "randomness.py",
        "session_inputs.py",
    }


def test_what_computes_knows_no_metric():
    for path in (PACKAGE / "compute").glob("*.py"):
        outside = {name for name in imports_of(path) if name.startswith("..")}
        rooms = {name.split(".")[2] for name in outside}
        rooms_before = {"errors", "later", "records", "reference", "typed"}
        assert rooms <= rooms_before | {"_core", "_one_list"}, path.name


def test_the_chapters_meet_the_core_only_as_data():
    """They say what the core is called with, and call it not."""
    data = {"call", "computable", "gain", "arithmetic"}
    for path in (PACKAGE / "metrics").glob("*.py"):
        used = {name for name in imports_of(path) if name.startswith("..compute.")}
        assert {name.removeprefix("..compute.") for name in used} <= data, path.name


def loaded_after(statement: str, *, cwd: Path | None = None) -> set[str]:
    """The modules that a fresh interpreter has loaded after a statement."""
    code = f"{statement}\nimport sys; print(*sys.modules)"
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=cwd
    )
    return set(done.stdout.split())


def test_importing_the_package_loads_next_to_nothing():
    loaded = loaded_after("import rankspec")
    assert not loaded & {"numpy", "rankspec._core", "rankspec.api", "sympy", "argparse"}


@pytest.mark.parametrize("named", ["import rankspec as rs", "from rankspec import compat"])
def test_a_module_of_compat_is_loaded_when_it_is_named(named):
    """As rs.compat.groups and compat.groups, without an import of its own."""
    of = "rs.compat" if named.endswith("rs") else "compat"
    ours = {f"rankspec.compat.{path.stem}" for path in (PACKAGE / "compat").glob("[!_]*.py")}
    assert ours
    assert not loaded_after(f"{named}; {of}") & (ours | {"numpy"})
    loaded = loaded_after(f"{named}; {of}.pytrec_eval.RelevanceEvaluator")
    assert loaded & ours == {"rankspec.compat.pytrec_eval"}


def test_each_module_of_compat_can_be_named():
    from rankspec import compat

    modules = {path.stem for path in (PACKAGE / "compat").glob("[!_]*.py")}
    needing = {"ir_measures", "torch"}  # which they import
    assert modules - needing <= set(dir(compat)) <= modules
    for name in set(dir(compat)):
        assert getattr(compat, name).__name__ == f"rankspec.compat.{name}"
    with pytest.raises(AttributeError, match=r"'rankspec\.compat' has no attribute 'ranx'"):
        compat.ranx  # noqa: B018


STARTED = (
    "import sys; from rankspec.cli.main import main; "
    "sys.stdout = sys.stderr; main({}); sys.stdout = sys.__stdout__"
)
HEAVY = {"numpy", "rankspec._core", "rankspec.api", "rankspec.metrics.measure", "rankspec.papers"}
HEAVY |= {"rankspec.evaluation.evaluate", "rankspec.plots", "rich", "shtab", "sympy", "json"}


@pytest.mark.parametrize("words", [["--version"], ["--help"], [], ["session"], ["-q"]])
def test_what_asks_for_no_command_is_answered_at_once(words):
    """No argparse, no typing, no regular expressions: next to Python itself, nothing."""
    loaded = loaded_after(STARTED.format(words))
    ours = {name for name in loaded if name.startswith("rankspec.")}
    rooms = {"rankspec.later", "rankspec.text", "rankspec.cli"}
    assert ours == rooms | {f"rankspec.cli.{name}" for name in ("main", "commands", "output")}
    assert not loaded & {"argparse", "typing", "re", "dataclasses", "importlib"}


def test_no_command_is_said_before_any_is_loaded():
    loaded = loaded_after(STARTED.format(["evla"]))
    ours = {name for name in loaded if name.startswith("rankspec.")}
    rooms = {"errors", "later", "text", "typed", "cli"}
    assert ours == {f"rankspec.{room}" for room in rooms} | {
        f"rankspec.cli.{name}" for name in ("main", "commands", "output")
    }


@pytest.mark.parametrize(
    "words",
    [
        ["eval", "--help"],
        ["check", "--help"],
        ["explain", "-h"],
        ["eval"],
        ["example"],
        ["classify", "--help"],
        ["reproduce", "--help"],
    ],
)
def test_the_help_on_a_command_is_printed_before_measures_are_loaded(words):
    """Neither metrics nor the grammar of their names, and nothing that evaluates."""
    loaded = loaded_after(STARTED.format(words))
    assert not loaded & HEAVY
    assert {name for name in loaded if name.startswith("rankspec.metrics.")} <= {
        "rankspec.metrics.defaults"
    }


@pytest.mark.slow
def test_only_a_plot_loads_matplotlib():
    """Neither the package's module of plots nor the papers weigh on another command."""
    loaded = loaded_after("from rankspec.cli.main import main; main(['measures'])")
    assert not loaded & {"matplotlib", "rankspec.plots", "rankspec.papers"}
    loaded = loaded_after("from rankspec.cli.main import main; main(['plot']); main(['reproduce'])")
    assert {"rankspec.plots", "rankspec.papers"} < loaded
    assert "matplotlib" not in loaded
    loaded = loaded_after("from rankspec.cli.main import main; main(['plot', 'compare'])")
    assert "rankspec.plots.of_comparison" in loaded
    assert not loaded & {"matplotlib", "scipy"}


def test_one_list_needs_no_numpy():
    loaded = loaded_after("import rankspec; rankspec.ndcg([3, 2], scores=[1, 2], k=1)")
    assert "rankspec._core" in loaded
    assert "numpy" not in loaded
    assert "numpy" not in loaded_after("import rankspec; rankspec.nsdcg([[3, 2], [1]], k=1)")


@pytest.mark.parametrize("asked", ["ndcg([3, 2, 3, 0, 1])", "nDCG(k=10).of([3, 2, 3, 0, 1])"])
def test_the_first_value_of_one_list_loads_one_chapter(asked):
    """Neither other metrics, nor how measures are written, nor what Python takes long to load."""
    loaded = loaded_after(f"import rankspec as rs; rs.{asked}")
    assert {"rankspec._core", "rankspec.metrics.dcg"} <= loaded
    chapters = {f"rankspec.metrics.{name}" for name in (*CHAPTERS, "session", "diversity")}
    assert loaded & chapters <= {"rankspec.metrics.dcg", "rankspec.metrics.axioms"}
    assert not loaded & {f"rankspec.metrics.{name}" for name in ("catalogue", "grammar")}
    assert not any(name.startswith("rankspec.reference") for name in loaded)
    heavy = {"argparse", "ast", "cffi", "dataclasses", "hashlib", "inspect", "numpy", "threading"}
    assert not loaded & (heavy | {"decimal", "enum", "fractions", "re", "typing"})


def test_dicts_are_evaluated_without_what_takes_long_to_load():
    asked = "{'q': {'a': 1}}, {'q': {'a': 1.0}}, ['nDCG@10', 'AP']"
    loaded = loaded_after(f"import rankspec as rs; rs.evaluate({asked})")
    assert {"rankspec._dicts", "rankspec.metrics.precision"} <= loaded
    heavy = {"ast", "csv", "dataclasses", "decimal", "fractions", "inspect", "numpy", "typing"}
    ours = {"metrics.catalogue", "metrics.grammar", "reference.numerics", "formats.sessions"}
    assert not loaded & (heavy | {f"rankspec.{name}" for name in ours})


@pytest.mark.slow
def test_nothing_that_is_loaded_later_is_used_while_modules_are_loaded():
    """It would wait for a lock that another thread has, with a lock of Python's (RS-CONV-29)."""
    code = """
import importlib, pkgutil
import rankspec
from rankspec import later
def used(module, name):
    raise SystemExit(f"while modules are loaded: {module._home}.{name}")
type(later.dcg).__getattr__ = used
others = ("__main__", "compat", "plots", "pytest_plugin", "symbolic")
for module in pkgutil.walk_packages(rankspec.__path__, "rankspec.", onerror=lambda _: None):
    if module.name.split(".")[1] not in others:
        importlib.import_module(module.name)
"""
    assert {"rankspec.metrics.catalogue", "rankspec.papers"} <= loaded_after(code)


def test_every_metric_is_found_in_its_chapter_alone():
    """By its name and by its function, as in the catalogue."""
    from rankspec.metrics import chapters
    from rankspec.metrics.catalogue import METRICS, SESSION_METRICS

    for metric in (*METRICS, *SESSION_METRICS):
        assert chapters.metric(metric.name) is chapters.metric(metric.function) is metric


def test_the_reference_works_from_a_bare_checkout(tmp_path):
    """No compiled core, no numpy: as in a checkout that nobody has built."""
    statement = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'pyref')!r})\n"
        "sys.modules['numpy'] = sys.modules['rankspec._core'] = None\n"
        "import rankspec as rs\n"
        "assert rs.ndcg([3, 2, 3], backend='reference') == rs.certify.ndcg([3, 2, 3]).value\n"
        "own = [[3, 2], [3]]\n"
        "assert rs.nsdcg(own, backend='reference') == rs.certify.nsdcg(own).value\n"
        "import warnings; warnings.simplefilter('ignore', rs.CoreMissingWarning)\n"
        "assert rs.ndcg([3, 2, 3]) == rs.certify.ndcg([3, 2, 3]).value\n"
        "try:\n    rs.ndcg([3, 2, 3], backend='c')\n"
        "except rs.CoreMissing as error:\n    assert 'pip install' in str(error)\n"
        "else:\n    raise AssertionError('no error')\n"
    )
    loaded_after(statement, cwd=tmp_path)


def test_a_run_is_checked_without_the_core():
    """The same report, from the reference."""
    example = PACKAGE / "example"
    files = str(example / "qrels.txt"), str(example / "plain.run")
    statement = (
        "import sys; sys.modules['rankspec._core'] = None\n"
        "from rankspec.analysis.check.report import check\n"
        f"report = check(*{files!r})\n"
        f"assert report.to_dict() == {check(*files).to_dict()!r}\n"
    )
    loaded_after(statement)


def test_the_tests_load_the_package_that_is_installed():
    """No test that is collected puts the sources, which may have no core, before it."""
    sources = PACKAGE.parent
    assert str(sources) not in sys.path or sources in Path(rankspec.__file__).parents


def test_every_public_name_can_be_had():
    for name in rankspec.__all__:
        assert getattr(rankspec, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        _ = rankspec.nope


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_has_one_name_everywhere(chapter):
    older = OLDER_NAMES.get(chapter, chapter)
    assert (ROOT / "spec" / f"{chapter}.md").exists()
    assert (PACKAGE / "reference" / f"{chapter}.py").exists()
    assert (ROOT / "csrc" / f"{chapter}.c").exists() != (chapter in WITHOUT_KERNEL)
    assert (ROOT / "spec" / "vectors" / f"{older}.json").exists()
    assert (ROOT / "tests" / "laws" / f"test_{older}.py").exists()


def test_the_proofs_of_the_core_have_the_names_of_its_files():
    """spec/core/dcg.md is about csrc/dcg.c; canonical forms are the reference's."""
    for path in (ROOT / "spec" / "core").glob("*.md"):
        if path.stem not in ("index", "canonical"):
            assert (ROOT / "csrc" / f"{path.stem}.c").exists()


@pytest.mark.parametrize(
    "chapter", ["gain", "dcg", "length", "relevance", "precision", "session", "randomness"]
)
def test_the_same_functions_stand_in_the_same_order(chapter):
    """A function of the reference that C has too has the same place among the others."""
    tree = ast.parse((PACKAGE / "reference" / f"{chapter}.py").read_text(encoding="utf-8"))
    reference = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    source = (ROOT / "csrc" / f"{chapter}.c").read_text(encoding="utf-8")
    defined = re.findall(r"^(?:[\w*]+ )+\*?(?:rs_)?(\w+)\([^;]*?\)\n\{", source, re.MULTILINE)
    stems = [re.sub(r"_(small|wide)$", "", name) for name in defined]
    first = {name: stems.index(name) for name in reference if name in stems}
    assert len(first) >= 2, (reference, stems)
    assert list(first.values()) == sorted(first.values()), first


@pytest.mark.parametrize("written", ["tables", "functions"])
def test_what_is_written_by_a_tool_is_what_it_would_write(written):
    subprocess.run(  # noqa: S603
        [sys.executable, str(ROOT / "tools" / f"{written}.py"), "--check"], check=True
    )


METRIC_NAMES = {x for m in (*METRICS, *SESSION_METRICS) for x in (m.name, m.function)}
METRIC_NAMES |= {bound.name for bound in BOUNDS}
OTHER_WORDS = {"F", "P", "R", "U", "expected", "gap", "judged", "precision", "recall", "unjudged"}
OTHER_WORDS |= {"variance"}
"""The names of metrics that mean something else, too."""

OF_A_METRIC = {"name", "function", "bound", "total_name", "parameters"}
KNOW_METRICS = {"metrics", "reference", "papers", "api", "__init__", "certify", "symbolic"}
"""The rooms and modules that know one metric from another."""

EXCEPTIONS = {
    "analysis/check/ranges.py": ({"names"}, "the measures whose ranges are shown"),
    "analysis/fixed_labels.py": ({"names"}, "the two metrics that are compared"),
    "analysis/query_types.py": ({"names"}, "the bounds that classes are made of"),
    "analysis/relevance.py": ({"names"}, "the metric whose relevance is shown"),
    "compat/ir_measures.py": ({"names"}, "the measures whose definitions are those of another"),
    "compat/pytrec_eval.py": ({"names"}, "the names of another, and their cut-offs there"),
    "compat/sklearn.py": ({"names"}, "the metrics that its functions are"),
    "later.py": ({"names"}, "the chapters of the reference, one of which has a metric's name"),
    "evaluation/listings.py": ({"kinds"}, "what JSON says of a metric"),
    "evaluation/measures.py": ({"kinds"}, "the error that names what takes sessions"),
    "evaluation/profiles.py": (
        {"names", "asks"},
        "what a program does otherwise with some of them",
    ),
    "evaluation/sessions/averages.py": ({"names"}, "the vectors that curves are made of"),
    "evaluation/sessions/evaluate.py": ({"kinds"}, "the error that names what is of sessions"),
    "plots/of_bounds.py": ({"names"}, "what is drawn"),
    "plots/of_comparison.py": ({"names"}, "what is drawn"),
    "plots/of_karmaker_2022.py": ({"names"}, "what is drawn"),
    "plots/of_length.py": ({"names"}, "what is drawn"),
    "plots/of_session.py": ({"names"}, "what is drawn"),
}
"""Other modules that name metrics, or ask which one they have; and why."""


class Metrics(ast.NodeVisitor):
    """Where code names metrics, and where it asks which one it has: (line, which of these, code).

    It asks where it compares what a metric is called with anything, or looks something up by that;
    where it compares what a metric has, its parameters, say, with a name; and where it has a table
    by names of metrics. It asks of which kind a metric is where it asks whether that is of
    sessions, or whether it is of another.
    """

    def __init__(self) -> None:
        self.found: list[tuple[int, str, str]] = []

    def note(self, node, kind, code=""):
        self.found.append((node.lineno, kind, code or ast.unparse(node)))

    def note_if_called(self, node, *asked):
        if any(map(is_called, asked)):
            self.note(node, "asks")

    def visit_Compare(self, node):
        words = {x.value for x in constants(node)}
        of = {x.attr for x in ast.walk(node) if isinstance(x, ast.Attribute)}
        if (
            any(map(is_called, [node.left, *node.comparators]))
            or (of & OF_A_METRIC and words & METRIC_NAMES)
            or ("parameters" in of and any(isinstance(word, str) for word in words))
        ):
            self.note(node, "asks")
        self.generic_visit(node)

    def visit_Subscript(self, node):
        self.note_if_called(node, node.slice)
        self.generic_visit(node)

    def visit_Match(self, node):
        self.note_if_called(node, node.subject)
        self.generic_visit(node)

    def visit_Call(self, node):
        if getattr(node.func, "attr", "") == "get":
            self.note_if_called(node, *node.args[:1])
        self.generic_visit(node)

    def visit_Dict(self, node):
        keys = {x.value for x in node.keys if isinstance(x, ast.Constant)}
        if len(keys & METRIC_NAMES) > 1:
            self.note(node, "asks")
        self.generic_visit(node)

    def visit_Attribute(self, node):
        if node.attr == "of_sessions":
            self.note(node, "kinds")
        self.generic_visit(node)

    def visit_Constant(self, node):
        if isinstance(node.value, str) and node.value in METRIC_NAMES - OTHER_WORDS:
            self.note(node, "names", node.value)

    def visit_ImportFrom(self, node):
        if (node.module or "").endswith("catalogue"):
            for imported in node.names:
                if imported.name in METRIC_NAMES:
                    self.note(node, "names", imported.name)


def constants(node):
    return (x for x in ast.walk(node) if isinstance(x, ast.Constant))


def is_called(node):
    """Whether an expression is what a metric is called: metric.function, measure.metric.name."""
    if not isinstance(node, ast.Attribute):
        return False
    return node.attr in ("function", "bound") or (
        node.attr == "name" and name_of(node.value) in ("metric", "root", "bound")
    )


def name_of(node):
    """What a variable or a field is called."""
    return getattr(node, "attr", None) or getattr(node, "id", None)


def metrics_in(code):
    """Where code names metrics, asks which it has, or of which kind: {"names": [...], ...}."""
    visitor = Metrics()
    visitor.visit(ast.parse(code))
    places = {}
    for line, kind, what in visitor.found:
        places.setdefault(kind, []).append((line, what))
    return places


def test_nothing_outside_asks_which_metric_it_has():
    """What must be known of a metric is a field of it; and no exception is there for nothing."""
    excepted = {name: kinds for name, (kinds, _) in EXCEPTIONS.items()}
    for path, text in texts().items():
        where = path.relative_to(PACKAGE)
        if where.parts[0].removesuffix(".py") not in KNOW_METRICS:
            places = metrics_in(text)
            assert set(places) == excepted.pop(where.as_posix(), set()), (where, places)
    assert not excepted


@pytest.mark.parametrize(
    "code",
    [
        'measure.metric.function == "ndcg"',
        "measure.metric.name == 'RR'",
        'metric.name not in ("SP", "AP")',
        "m.function in ('ndcg', 'dcg')",
        "m.function.upper() == 'NDCG' or first(m.name) == 'AP'",
        "metric.bound != 'WLB'",
        "metric.bound in ANY_ORDER",
        "inner.name == 'P'",
        "quotient.total_name == 'DCG'",
        "'q' in metric.parameters",
        "_CORE[metric.root.function]",
        "SPECS.get(metric.name)",
        "match metric.name:\n    case _: pass",
        "{'nDCG': 1, 'AP': 2}",
        "{'P': 1, 'R': 2}",
    ],
)
def test_a_question_is_found(code):
    assert [line for line, _ in metrics_in(code)["asks"]] == [1]


@pytest.mark.parametrize("code", ["if measure.metric.of_sessions: pass", "x.of_sessions is None"])
def test_a_question_of_kind_is_found(code):
    assert [line for line, _ in metrics_in(code)["kinds"]] == [1]


def test_a_name_is_found():
    named = 'of = "nDCG"\nfrom ..metrics.catalogue import METRICS, P, RLB\nTABLE = {"lndcg": 1}'
    found = metrics_in(named)
    assert found == {"names": [(1, "nDCG"), (2, "P"), (2, "RLB"), (3, "lndcg")]}


@pytest.mark.parametrize(
    "code",
    ['ties = "expected"\nP = TypeVar("P")', 'print("nDCG@10")', 'x.name == "trec"', "{'P': 1}"],
)
def test_other_words_are_not(code):
    assert metrics_in(code) == {}
