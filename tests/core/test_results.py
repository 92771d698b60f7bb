"""The results file: what was written comes back, and what cannot be trusted is refused by its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guardgate.codec import attempt_to, case_line, plan_head
from guardgate.errors import Refused
from guardgate.gate import gate
from guardgate.plan import Plan
from guardgate.record import Attempt
from guardgate.results import FORMAT, Results, Writer, open_results
from guardgate.summary import summarise
from tests.core.making import BAD, GOOD, attempt, case, plan, rule

OF = plan([rule("R1"), rule("R2", 0.5)], [case("c1"), case("c2", "R2"), case("c3", "R2")], repeats=2)
END = {"t": "end", "reason": None}
Lines = list[dict[str, Any]]


def lines(of: Plan = OF, count: int = 6) -> Lines:
    """A whole file: its head, its cases, `count` attempts, its end."""
    head = {"t": "run", "format": FORMAT, **plan_head(of)}
    attempts = [attempt(of, n, BAD if n == 4 else GOOD) for n in range(count)]
    return [head, *map(case_line, of.cases), *map(attempt_to, attempts), END]


def put(folder: Path, some: Lines | bytes) -> Path:
    """A file of these lines, made by the writer; bytes as they are."""
    path = folder / "results.jsonl"
    path.unlink(missing_ok=True)
    if isinstance(some, bytes):
        path.write_bytes(some)
        return path
    with Writer(path, lambda text: text) as writer:
        for line in some:
            writer.line(line)
    return path


def read(path: Path) -> tuple[Results, list[Attempt]]:
    results = open_results(path)
    return results, list(results.attempts())


def raw(some: Lines) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in some)


def test_what_was_written_comes_back(tmp_path: Path) -> None:
    results, attempts = read(put(tmp_path, lines()))
    assert results.plan == OF
    assert [one.n for one in attempts] == list(range(6))
    assert attempts[4] == attempt(OF, 4, BAD)
    assert results.end() == END


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(0, 10**9))
def test_a_tail_that_was_cut_off_is_dropped(tmp_path: Path, cut: int) -> None:
    """Wherever a process died: each whole line counts, half a line does not, and what is missing is open."""
    whole = raw(lines())
    head = len(raw(lines()[:4]))
    kept = whole[: head + cut % (len(whole) - head)]
    results, attempts = read(put(tmp_path, kept))
    assert [one.n for one in attempts] == list(range(kept.count(b"\n") - 4))
    summary = summarise(results.plan, attempts, results.end())
    assert summary.total.planned == 6
    assert summary.total.guardgate == 6 - len(attempts)
    assert gate(summary).code == (3 if len(attempts) < 6 else 0)


def test_a_file_that_ends_within_its_plan_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no line of type 'run'"):
        open_results(put(tmp_path, raw(lines())[:40]))
    with pytest.raises(Refused, match="of 6 attempts"):
        open_results(put(tmp_path, lines()[:2]))


@pytest.mark.parametrize(
    ("damage", "number", "found"),
    [
        (b"not JSON\n", 6, "a line that is not JSON"),
        (b'{"t": "attempt", \n', 6, "a line that is not JSON"),
        (b"\xff\xfe\n", 6, "a line that is not JSON"),
        (b"[]\n", 6, "a line that is not a JSON object"),
        (b"\n", 6, "a line that is not JSON"),
        (b'{"t": "attempt"}\n', 6, "does not fit its plan"),
        (b'{"t": "other"}\n', 6, "a line of type 'other'"),
        (b'{"n": 1}\n', 6, "a line of type None"),
        (b'{"t": "attempt", "n": NaN}\n', 6, "NaN is no number"),
        (b'{"t": "attempt", "n": Infinity}\n', 6, "Infinity is no number"),
        (b"[" * 100_000 + b"\n", 6, "a line that is not JSON"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_a_damaged_line_in_the_middle_is_refused_by_its_number(
    tmp_path: Path, damage: bytes, number: int, found: str
) -> None:
    some = lines()
    path = put(tmp_path, raw(some[:5]) + damage + raw(some[6:]))
    with pytest.raises(Refused) as refused:
        read(path)
    assert refused.value.where == f"{path}:{number}"
    assert found in refused.value.found


def replaced(some: Lines, at: int, **changes: Any) -> Lines:
    return [*some[:at], {**some[at], **changes}, *some[at + 1 :]]


EDITS: dict[str, tuple[Callable[[Lines], Lines], str]] = {
    "another format": (lambda some: replaced(some, 0, format=99), "format 99"),
    "no format": (lambda some: replaced(some, 0, format=None), "format None"),
    "no head": (lambda some: some[1:], "no line of type 'run'"),
    "two heads": (lambda some: [some[0], *some], "a line of type 'run'"),
    "a case less": (lambda some: [some[0], *some[2:]], "4 of 6 attempts"),
    "a case more": (lambda some: [some[0], some[1], *some[1:]], "8 of 6 attempts"),
    "more repeats": (lambda some: replaced(some, 0, repeats=3), "9 of 6 attempts"),
    "no rules": (lambda some: replaced(some, 0, rules=None), "a plan that cannot be read"),
    "a rule that is none": (lambda some: replaced(some, 0, rules=[{"sha": "x"}]), "a plan that cannot be read"),
    "an attempt of another case": (lambda some: replaced(some, 4, case="c2"), "does not fit its plan"),
    "an attempt of another repeat": (lambda some: replaced(some, 4, repeat=1), "does not fit its plan"),
    "an attempt that the plan has not": (lambda some: replaced(some, 4, n=6), "does not fit its plan"),
}


@pytest.mark.parametrize("name", EDITS)
def test_a_file_that_does_not_fit_itself_is_refused(tmp_path: Path, name: str) -> None:
    edit, found = EDITS[name]
    with pytest.raises(Refused) as refused:
        read(put(tmp_path, edit(lines())))
    assert found in refused.value.found


def test_the_same_attempt_twice_is_refused(tmp_path: Path) -> None:
    some = lines()
    results, attempts = read(put(tmp_path, [*some[:5], some[4], *some[5:]]))
    with pytest.raises(Refused, match="attempt 0: found a second line"):
        summarise(results.plan, attempts, results.end())


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(Refused, match="no such file"):
            open_results(path)


def test_the_writer_never_writes_over_a_file(tmp_path: Path) -> None:
    path = put(tmp_path, lines())
    before = path.read_bytes()
    with pytest.raises(Refused, match="exists"):
        Writer(path, lambda text: text)
    assert path.read_bytes() == before


def test_the_writer_cleans_each_line_and_writes_no_nan(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with Writer(path, lambda text: text.replace("secret", "***")) as writer:
        writer.line({"t": "x", "text": "a secret\u2028\n"})
        with pytest.raises(ValueError, match="JSON"):
            writer.line({"t": "x", "text": float("nan")})
    assert path.read_bytes() == '{"t":"x","text":"a ***\u2028\\n"}\n'.encode()
