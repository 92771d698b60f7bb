"""docs/performance.md: every benchmark has its row, with the bounds that the script checks."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.docs.pages import ROOT, table

SCRIPTS = ROOT / "benchmarks"


def bounds() -> dict[str, dict[str, float]]:
    """What each script hands to `say`: its name and its bounds. A name of a number is looked up in the script."""
    found = {}
    for path in sorted(SCRIPTS.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        numbers = {
            node.targets[0].id: ast.literal_eval(node.value)
            for node in tree.body
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and isinstance(node.value, ast.Constant)
        }
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            if isinstance(call.func, ast.Name) and call.func.id == "say" and isinstance(call.args[1], ast.Dict):
                pairs = zip(call.args[1].keys, call.args[1].values, strict=True)
                found[str(_value(call.args[0], numbers))] = {
                    str(_value(key, numbers)): float(str(_value(value, numbers))) for key, value in pairs
                }
    return found


def _value(node: ast.expr | None, numbers: dict[str, object]) -> object:
    if isinstance(node, ast.Name):
        return numbers[node.id]
    assert node is not None
    return ast.literal_eval(node)


def test_every_benchmark_has_a_row_with_its_bounds() -> None:
    rows = {row[0].strip("`"): row[1] for row in table("docs/performance.md", "benchmark")}
    written = {
        name: "; ".join(f"{key} ≤ {most:g}" for key, most in limits.items())
        for name, limits in sorted(bounds().items())
    }
    assert dict(sorted(rows.items())) == written


def test_a_script_is_called_as_what_it_measures() -> None:
    assert {name for name in bounds() if not (SCRIPTS / f"{name}.py").is_file()} == set()
    assert len(bounds()) >= 5


def test_every_row_says_whether_its_bounds_are_kept() -> None:
    assert {row[3] == "yes" or "**not yet**" in row[3] for row in table("docs/performance.md", "benchmark")} == {True}


def test_the_paths_that_benchmarks_name_are_there() -> None:
    for name in ("server.py", "bare_client.py", "measure.py", "project.py"):
        assert Path(SCRIPTS / name).is_file()
