"""Imports point down only; what must start fast loads nothing heavy; no file is long."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.support.project import ROOT, environment

PACKAGE = ROOT / "guardgate"
#: From the ground up. A module may import from its own row and from the rows above it in this table, which lie below.
#: A new module at the top of the package has to be put into a row; in a package it has the row of the package.
LAYERS: Mapping[str, tuple[str, ...]] = {
    "ground": ("", "errors", "confusables", "normalize", "source", "shipped", "stats", "clusters", "differences"),
    "records": ("record", "scan", "model", "backends.base"),
    "texts": (
        *("attacks", "criteria", "family", "errortext", "rawoutput", "unusable", "trouble", "trouble_tongues"),
        *("refusal", "redact", "framing", "tongue"),
        *("intake", "lookup", "tags", "targets", "transforms", "backends.template"),
    ),
    "files as data": ("empty", "keys", "explain", "salvage", "schema", "constraints"),
    "checks": ("checks",),
    "judging": ("judging", "fitness", "judged"),
    "core": (
        *(
            "decider",
            "delivery",
            "plan",
            "inuse",
            "verdict",
            "summary",
            "foreign_answers",
            "unplayed",
            "merging",
            "gate",
            "codec",
            "loaded",
            "anchors",
            "narrowing",
            "planning",
        ),
        "softening",
        *("marks", "promote", "calibration", "concordance", "changes", "grid", "comparison"),
    ),
    "files": (
        "reader",
        "entries",
        "adapting",
        "lending",
        "load",
        "results",
        "counting",
        "floors",
        "git",
        "scanning",
        "suppress",
        "filekind",
    ),
    "lint and reports": ("lint", "report", "drafting"),
    "backends": ("backends", "github"),
    "playing": ("budget", "pace", "limits", "stopping", "jury", "engine", "restored", "calibrate"),
    "runs": (
        "opening",
        "blinded",
        "estimate",
        "recording",
        "calibrating",
        "resume",
        "join",
        "live",
        "rejudge",
        "recount",
        "anchoring",
        "reviewing",
        "refit",
        "baseline",
    ),
    "commands": ("cli", "ci"),
    "door": ("__main__",),
}
ROW = {f"guardgate.{name}".rstrip("."): row for row, names in enumerate(LAYERS.values()) for name in names}
LONGEST = 350


def modules() -> dict[str, Path]:
    """Every module of the package, by its name."""
    found = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        parts = ("guardgate", *file.relative_to(PACKAGE).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


MODULES = modules()


def imported(name: str) -> Iterator[tuple[str, int]]:
    """The modules of the package that a module imports anywhere, also in a function, with the line."""
    package = name if MODULES[name].name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(MODULES[name].read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names if alias.name.startswith("guardgate"))
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            if base.partition(".")[0] == "guardgate":
                for alias in node.names:
                    one = f"{base}.{alias.name}"
                    yield (one if one in MODULES else base), node.lineno


def row(name: str) -> int | None:
    """The row of a module: its own, or that of the package that it is in."""
    while name not in ROW and "." in name:
        name = name.rpartition(".")[0]
        if name == "guardgate":
            return None
    return ROW.get(name)


def test_every_module_has_its_row() -> None:
    assert [name for name in MODULES if row(name) is None] == []


def test_every_row_names_modules_that_exist() -> None:
    assert [name for name in ROW if name not in MODULES] == []


@pytest.mark.parametrize("name", MODULES)
def test_imports_point_down(name: str) -> None:
    own = row(name)
    assert own is not None
    up = [f"{MODULES[name].name}:{line} imports {one}" for one, line in imported(name) if (row(one) or 0) > own]
    assert up == []


def test_no_module_imports_itself_by_a_detour() -> None:
    graph = {name: {one for one, _ in imported(name) if one != name} for name in MODULES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_what_runs_inside_the_app_needs_nothing_but_python() -> None:
    """The app's interpreter has its own packages, and not ours."""
    folder = PACKAGE / "backends" / "inside"
    own = {file.stem for file in folder.glob("*.py")}
    for file in folder.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            for name in names:
                assert name.partition(".")[0] in sys.stdlib_module_names | own, f"{file.name} imports {name}"


def loaded(code: str) -> set[str]:
    """The packages from outside the standard library, and not our own, that this code loads."""
    show = "import sys; print(*{name.partition('.')[0] for name in sys.modules})"
    found = [_printed(f"{before}\n{show}").splitlines()[-1].split() for before in ("", code)]
    ours = {"guardgate", "cython_runtime", *found[0], *sys.stdlib_module_names}
    return {name for name in found[1] if name not in ours and not name.startswith("_")}


def _printed(code: str) -> str:
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, encoding="utf-8", check=True)
    return done.stdout


def test_the_bot_s_loader_needs_yaml_and_pydantic_alone() -> None:
    of_pydantic = {"pydantic_core", "annotated_types", "typing_extensions", "typing_inspection"}
    assert loaded("import guardgate.constraints") - of_pydantic == {"yaml", "pydantic"}


def test_the_version_needs_click_alone() -> None:
    assert loaded("from guardgate.cli import run_command_line; run_command_line(['--version'])") == {"click"}


@pytest.mark.parametrize("command", ["check", "run", "gate", "report"])
def test_help_loads_no_client_and_no_provider(command: str) -> None:
    names = loaded(f"from guardgate.cli import run_command_line; run_command_line([{command!r}, '--help'])")
    assert not names & {"litellm", "aiohttp", "httpx", "langchain_core", "langgraph", "jsonschema"}


@pytest.mark.parametrize("name", MODULES)
def test_no_file_is_long(name: str) -> None:
    assert len(MODULES[name].read_text("utf-8").splitlines()) <= LONGEST
