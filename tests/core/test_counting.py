"""A file counted in several processes is the file counted in one: real processes, on files that are cut anywhere."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from guardgate import counting
from guardgate.codec import attempt_to, case_line, plan_head
from guardgate.counting import Part, counted, fold
from guardgate.errors import Refused
from guardgate.model.constraints import Criterion
from guardgate.plan import Cell
from guardgate.results import FORMAT, Results, open_results
from guardgate.summary import Summary
from tests.core.making import BAD, GOOD, attempt, case, plan, rule

CHECKS: dict[str, Any] = {"not_regex": {"any": ["otter"]}, "canary": {"values": ["HERON-7700"]}}
JUDGED: dict[str, Any] = {"judge": {"required_scores": {"kind_words": 0.5}}}
OF = plan(
    [rule("R1"), rule("R2", 0.5, CHECKS), rule("R3", **JUDGED)],
    [case("c1"), case("c2", "R2"), case("c3", "R3")],
    [Cell(0, "one", params={"temperature": 0}), Cell(1, "two")],
    repeats=12,
    criteria={"kind_words": Criterion.model_validate({"ask": "The words are kind.", "kind": "requires"})},
)
SAYS = (GOOD, BAD, "", "It is 48 45 52 4f 4e 2d 37 37 30 30.", "Fünf Ötter – “ötter”", f"{GOOD}\n" * 20)
END = {"t": "end", "reason": None}


def lines(count: int = len(OF)) -> list[str]:
    """A whole file, its attempts in an order of their own."""
    head = {"t": "run", "format": FORMAT, **plan_head(OF)}
    numbers = sorted(range(count), key=lambda n: n * 7919 % 101)
    attempts = [attempt_to(attempt(OF, n, SAYS[n % len(SAYS)])) for n in numbers]
    return [json.dumps(line) + "\n" for line in (head, *map(case_line, OF.cases), *attempts, END)]


def put(folder: Path, some: list[str]) -> Results:
    path = folder / "results.jsonl"
    path.write_text("".join(some), encoding="utf-8", newline="\n")
    return open_results(path)


def same(one: Summary, other: Summary) -> None:
    assert one.grid is not None
    assert other.grid is not None
    assert vars(one.grid) == vars(other.grid)
    for name in (field.name for field in fields(one) if field.name not in ("grid", "plan")):
        assert getattr(one, name) == getattr(other, name), name
        if isinstance(getattr(one, name), dict):
            assert list(getattr(one, name)) == list(getattr(other, name)), f"{name} in the same order"


@pytest.mark.parametrize("processes", [2, 3])
def test_several_processes_count_what_one_counts(tmp_path: Path, processes: int) -> None:
    results = put(tmp_path, lines())
    moved = replace(results.plan, rules=(*results.plan.rules[:1], *OF.rules[1:]))
    for of in (results.plan, moved):
        assert of.deciders, "what is worked out of a plan cannot be sent"
        same(counted(results, of, processes).done(END), counted(results, of, 1).done(END))


def test_each_line_is_in_one_part_wherever_the_file_is_cut(tmp_path: Path) -> None:
    results = put(tmp_path, lines(4))
    size = results.path.stat().st_size
    whole = [one.n for one in results.attempts()]
    for cut in range(size - 2500, size + 1):
        parts = [one.n for start, stop in ((0, cut), (cut, None)) for one in results.attempts(start, stop)]
        assert parts == whole, cut


def damaged(some: list[str]) -> list[str]:
    return [*some[:-3], some[-3].replace('"ms": 0', '"ms": "0"', 1), *some[-2:]]


def doubled(some: list[str]) -> list[str]:
    return [*some[:-2], some[5], *some[-2:]]


def unknown(some: list[str]) -> list[str]:
    return [*some[:-2], '{"t": "something"}\n', *some[-2:]]


@pytest.mark.parametrize("edit", [damaged, doubled, unknown])
def test_what_is_wrong_in_another_part_is_named_as_by_one(tmp_path: Path, edit: Any) -> None:
    results = put(tmp_path, edit(lines()))
    reasons = []
    for processes in (1, 3):
        with pytest.raises(Refused) as refused:
            counted(results, results.plan, processes)
        reasons.append(str(refused.value))
    assert reasons[0] == reasons[1]


def test_a_process_that_died_is_no_smaller_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = put(tmp_path, lines())
    monkeypatch.setattr(counting, "_WORK", "import os, sys; sys.stdin.buffer.read(); os._exit(9)")
    with pytest.raises(Refused, match="a process that ended with 9 before it had counted its part"):
        counted(results, results.plan, 2)


def test_a_process_that_says_too_little_is_no_smaller_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half an answer, with exit code 0, counts nothing."""
    results = put(tmp_path, lines())
    half = "import sys; sys.stdout.buffer.write(b'\\x80\\x05K'); sys.exit(0)"
    monkeypatch.setattr(counting, "_WORK", half)
    with pytest.raises(Refused, match="before it had counted its part"):
        counted(results, results.plan, 2)


def test_where_no_process_can_be_started_one_counts_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = put(tmp_path, lines())
    monkeypatch.setattr(sys, "executable", str(tmp_path / "none"))
    same(counted(results, results.plan, 2).done(END), fold(Part(results, results.plan)).done(END))


def test_a_process_runs_no_code_of_the_folder_it_stands_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = put(tmp_path, lines())
    here = tmp_path / "here"
    here.mkdir()
    for name in ("pickle", "json", "signal", "guardgate", "pydantic"):
        (here / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')", encoding="utf-8")
    monkeypatch.chdir(here)
    assert counted(replace(results, path=results.path.resolve()), results.plan, 2).done(END).total.planned == len(OF)
    assert not (tmp_path / "ran").exists()


def test_the_command_line_gives_one_code_and_one_text(tmp_path: Path) -> None:
    """A file that is large enough for several processes, where the machine has them."""
    some = lines()
    assert os.cpu_count()
    long = [line.replace(json.dumps(GOOD)[1:-1], GOOD + " And so on." * 20_000) for line in some]
    results = put(tmp_path, long)
    assert results.path.stat().st_size > 2 * counting.BYTES
    told = []
    for most in ("1", "4"):
        script = (
            f"from guardgate import counting; counting.MOST = {most}; counting._processors = lambda: 4\n"
            "from guardgate.cli import run_command_line; raise SystemExit(run_command_line(['gate', 'results.jsonl']))"
        )
        root = str(Path(counting.__file__).parent.parent)
        done = subprocess.run(
            [sys.executable, "-c", script], cwd=tmp_path, env={**os.environ, "PYTHONPATH": root}, capture_output=True,
            encoding="utf-8", check=False,
        )  # fmt: skip
        told.append((done.returncode, done.stdout))
    assert told[0] == told[1]
    assert told[0][0] == 3
    assert "ended with" not in told[0][1]


@pytest.mark.skipif(sys.platform == "win32", reason="signals to a process: POSIX")
def test_no_process_outlives_a_signal(tmp_path: Path) -> None:
    """The one that counts is ended; its children see that nobody reads them, and are gone."""
    results = put(tmp_path, lines())
    script = (
        "import os, sys, time\nfrom pathlib import Path\nfrom guardgate import counting, __main__ as main\n"
        "counting._WORK = 'import os, sys, time; print(os.getpid(), flush=True); time.sleep(600)'\n"
        "received = counting._received\ndef told(worker, part):\n"
        "    print(worker.pid, flush=True)\n    return received(worker, part)\n"
        "counting._received = told\ncounting.BYTES = 1\ncounting._processors = lambda: 2\n"
        "sys.argv = ['guardgate', 'gate', 'results.jsonl']\nmain.main()"
    )
    root = str(Path(counting.__file__).parent.parent)
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=results.path.parent, env={**os.environ, "PYTHONPATH": root},
        stdout=subprocess.PIPE, encoding="utf-8",
    ) as process:  # fmt: skip
        assert process.stdout is not None
        child = int(process.stdout.readline())
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 3
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
