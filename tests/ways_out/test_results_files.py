"""Results that are there already, cannot be written, or cannot be trusted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.project import case, gated, guardgate, put, refused, run, same_gate, write
from tests.support.server import Answer, Server

Lines = list[dict[str, Any]]


def test_a_file_that_exists_is_never_overwritten(tmp_path: Path) -> None:
    with Server(Answer({"answer": "No."})) as server:
        root = write(tmp_path, {"backend": "openai", "base_url": server.url, "model": "small"})
        put(root, "kept.txt", "precious")
        ran = guardgate(root, "run", "--out", "kept.txt")
        refused(ran, "kept.txt", "exists")
        assert server.seen == [], "it asked before it knew where to write"
    assert (root / "kept.txt").read_text() == "precious"


@pytest.mark.parametrize("place", ["suite.yaml/results.jsonl", "suite.yaml/deep/results.jsonl"])
def test_a_place_that_takes_no_file_is_found_before_any_call(tmp_path: Path, place: str) -> None:
    with Server(Answer({"answer": "No."})) as server:
        root = write(tmp_path, {"backend": "openai", "base_url": server.url, "model": "small"})
        refused(guardgate(root, "run", "--out", place), place.replace("/", "/"), "--out")
        assert server.seen == []


def _edited(tmp_path: Path, edit: Callable[[Lines], Lines | str]) -> Path:
    """A file that held, and that somebody or something changed."""
    script = [{"when": "c3", "say": "ZEBRA"}, {"say": "No."}]
    ran = run(write(tmp_path, script, cases=[case(f"c{number}") for number in range(5)]))
    assert (ran.code, ran.file) == (2, tmp_path / "results.jsonl")
    text = (tmp_path / "results.jsonl").read_text()
    edited = edit([json.loads(line) for line in text.splitlines()])
    name = tmp_path / "edited.jsonl"
    name.write_text(edited if isinstance(edited, str) else "".join(json.dumps(line) + "\n" for line in edited))
    return name


def _at(lines: Lines, kind: str) -> int:
    return next(number for number, line in enumerate(lines) if line["t"] == kind)


def _with(lines: Lines, kind: str, **changes: Any) -> Lines:
    number = _at(lines, kind)
    return [*lines[:number], {**lines[number], **changes}, *lines[number + 1 :]]


def _without(lines: Lines, kind: str) -> Lines:
    number = _at(lines, kind)
    return lines[:number] + lines[number + 1 :]


DAMAGED: dict[str, tuple[Callable[[Lines], Lines | str], str]] = {
    "nothing": (lambda _: "", "'run'"),
    "another kind of file": (lambda _: "version: 1\n", "edited.jsonl:1"),
    "a line that is half": (lambda lines: json.dumps(lines[0]) + "\n{half\n", "edited.jsonl:2"),
    "a line that is a list": (lambda lines: json.dumps(lines[0]) + "\n[1]\n", "edited.jsonl:2"),
    "a line of a later version": (lambda lines: [*lines, {"t": "later"}], "'later'"),
    "another format": (lambda lines: _with(lines, "run", format=99), "format 99"),
    "no head": (lambda lines: lines[1:], "'run'"),
    "two heads": (lambda lines: [lines[0], *lines], "edited.jsonl:2"),
    "no rules": (lambda lines: _with(lines, "run", rules=None), "edited.jsonl"),
    "a case lost": (lambda lines: _without(lines, "case"), "4 of 5 attempts"),
    "more repeats": (lambda lines: _with(lines, "run", repeats=10**12), "attempts"),
    "a plan of text": (lambda lines: _with(lines, "run", cells="x", repeats="x"), "edited.jsonl"),
    "an attempt twice": (lambda lines: [*lines, lines[_at(lines, "attempt")]], "a second line"),
    "an attempt of another case": (lambda lines: _with(lines, "attempt", case="c4"), "does not fit its plan"),
    "an attempt beyond": (lambda lines: _with(lines, "attempt", n=5), "does not fit its plan"),
    "an attempt before": (lambda lines: _with(lines, "attempt", n=-1), "does not fit its plan"),
    "a reply of text": (lambda lines: _with(lines, "attempt", replies=["No."]), "does not fit its plan"),
    "an unknown failure": (lambda lines: _with(lines, "attempt", failure={"kind": "luck"}), "does not fit its plan"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_file_is_3(tmp_path: Path, name: str) -> None:
    edit, word = DAMAGED[name]
    file = _edited(tmp_path, edit)
    refused(guardgate(tmp_path, "gate", file.name), word)


def test_a_verdict_that_somebody_wrote_is_not_believed(tmp_path: Path) -> None:
    """Verdicts are made again from the words: to change them in the file changes nothing."""
    file = _edited(tmp_path, lambda lines: [{**line, "verdict": "held", "findings": []} for line in lines])
    assert gated(file) == 2
    shown = guardgate(tmp_path, "show", file.name, "3")
    assert shown.code == 0
    assert "ZEBRA" in shown.out


def test_an_attempt_that_is_missing_leaves_the_run_incomplete(tmp_path: Path) -> None:
    file = _edited(tmp_path, lambda lines: _without(lines, "attempt"))
    assert gated(file) == 3


def test_a_tail_that_was_cut_is_dropped(tmp_path: Path) -> None:
    def cut(lines: Lines) -> str:
        kept = lines[: _at(lines, "attempt") + 4]
        return "".join(json.dumps(line) + "\n" for line in kept) + '{"t":"attempt","n":4,'

    file = _edited(tmp_path, cut)
    ran = guardgate(tmp_path, "gate", file.name)
    assert ran.code == 3
    assert "a hard rule broke: R1" in ran.first
    assert "5 attempts: 3 held, 1 broke, 1 undecided" in ran.first


def test_constraints_that_changed_a_rule_are_refused(tmp_path: Path) -> None:
    ran = same_gate(run(write(tmp_path, [{"say": "No."}])))
    put(tmp_path, "constraints.yaml", (tmp_path / "constraints.yaml").read_text().replace("Never says", "Never shouts"))
    refused(guardgate(tmp_path, "gate", str(ran.file), "--constraints", "constraints.yaml"), "R1", "guardgate run")


def test_constraints_with_another_severity_are_applied(tmp_path: Path) -> None:
    root = write(tmp_path, [{"say": "ZEBRA"}])
    ran = run(root)
    softer = json.loads((root / "constraints.yaml").read_text())
    softer["rules"][0] |= {"severity": "soft", "threshold": 0.5}
    put(root, "constraints.yaml", softer)
    assert ran.code == 2
    assert guardgate(root, "gate", str(ran.file), "--constraints", "constraints.yaml").code == 1
    assert guardgate(root, "gate", str(ran.file)).code == 2
