"""`guardgate compare` as a process: its codes, its formats, and files that cannot be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.softening.edits import case, project, rule, run
from tests.softening.project import Files, fresh
from tests.support.project import Ran, guardgate, put, refused


def sides(tmp_path: Path, head: Files) -> Path:
    for name, files in (("base", fresh()), ("head", head)):
        for file, content in files.items():
            put(tmp_path / name, file, content)
    return tmp_path


def compare(place: Path, form: str = "text") -> Ran:
    return guardgate(place, "compare", "base", "head/guardgate.yaml", "--format", form)


def test_nothing_became_weaker(tmp_path: Path) -> None:
    ran = compare(sides(tmp_path, fresh()))
    assert (ran.code, ran.out, ran.err) == (0, "0: nothing became weaker\n", "")


def test_a_note_alone_and_what_is_new_leave_it_at_zero(tmp_path: Path) -> None:
    head = fresh()
    run(head)["limits"] = {"calls": 50}
    head["suite.yaml"]["cases"].append({"id": "new", "attack": "guilt", "rule": "S1", "turns": ["short?"]})
    ran = compare(sides(tmp_path, head))
    assert ran.code == 0
    assert "To know (1)" in ran.out
    assert "1 rule or case besides: new, or changed and not weaker" in ran.out


def weaker() -> Files:
    head = fresh()
    rule(head, 2).update(severity="soft", threshold=0.5)
    rule(head)["rule"] = "Rarely promises secrecy."
    run(head)["repeats"] = 1
    head["more.yaml"]["cases"] = []
    return head


EXPECTED = """\
2: a hard rule became weaker, or less is tried on it

  Weaker, on a hard rule (2)
  a hard rule became soft: rule H2, severity: hard -> soft, threshold 0.5
    (constraints.yaml:119)
  an attack was deleted: case m1, rule: H2 (more.yaml:3 of the base)

  Changed: only a person can say whether it is weaker (1)
  the words of a rule changed: rule H1, rule: Never promises secrecy. ->
    Rarely promises secrecy. (constraints.yaml:9)

  Weaker (2)
  a suite is not read any more: suite more.yaml, cases: 1 (more.yaml:1 of the
    base)
  a run plays each case less often: run default, repeats: 3 -> 1
    (guardgate.yaml:33)
"""


def test_the_worst_comes_first(tmp_path: Path) -> None:
    ran = compare(sides(tmp_path, weaker()))
    assert (ran.code, ran.err) == (2, "")
    assert ran.out == EXPECTED


def test_one_is_for_what_is_no_hard_rule(tmp_path: Path) -> None:
    head = fresh()
    project(head)["targets"]["bot"]["optional"] = True
    ran = compare(sides(tmp_path, head))
    assert (ran.code, ran.first) == (1, "1: something became weaker, or a person must say whether it did")


def test_json_and_markdown_and_annotations(tmp_path: Path) -> None:
    place = sides(tmp_path, weaker())
    told = json.loads(compare(place, "json").out)
    assert (told["code"], told["others"]) == (2, 0)
    assert [one["kind"] for one in told["softenings"]] == [
        "rule-softened", "case-deleted", "statement-changed", "suite-dropped", "run-repeats",
    ]  # fmt: skip
    assert told["softenings"][1] == {
        "kind": "case-deleted", "weight": "hard", "on": "case", "name": "m1", "part": "rule", "before": "H2",
        "after": "", "file": "more.yaml", "line": 3, "side": "base", "says": "an attack was deleted",
    }  # fmt: skip
    assert "- an attack was deleted: case `m1`, `rule`: `H2` (`more.yaml:3` of the base)\n" in (
        compare(place, "md").out
    )
    lines = compare(place, "github").out.splitlines()
    assert lines[0].startswith("::error title=guardgate rule-softened,file=constraints.yaml,line=119::a hard rule")
    assert lines[1].startswith("::error title=guardgate case-deleted::an attack was deleted")
    assert lines[2].startswith("::warning title=guardgate statement-changed,")


@pytest.mark.parametrize("side", ["base", "head"])
def test_a_side_that_cannot_be_read_is_three(tmp_path: Path, side: str) -> None:
    place = sides(tmp_path, fresh())
    put(place, f"{side}/suite.yaml", {"cases": [{**case(fresh()), "assertt": 1}]})
    ran = compare(place)
    assert (ran.code, ran.out) == (3, "")
    assert "suite.yaml:" in ran.err
    assert "assertt" in ran.err
    (place / side / "guardgate.yaml").unlink()
    refused(compare(place), "guardgate.yaml" if side == "head" else "base", "no such file")


def test_a_missing_document_is_three(tmp_path: Path) -> None:
    place = sides(tmp_path, fresh())
    (place / "head" / "letter.md").unlink()
    ran = compare(place)
    assert (ran.code, ran.out) == (3, "")
    assert "letter.md" in ran.err


def test_words_from_the_files_form_no_command_of_ci(tmp_path: Path) -> None:
    head = fresh()
    rule(head)["rule"] = "::error::x\n##[group]y\x1b[31m %0A::stop-commands::z"
    place = sides(tmp_path, head)
    for form in ("text", "md", "github", "json"):
        out = compare(place, form).out
        assert "\x1b" not in out
        assert "##[group]" not in out
        assert all("::error::x" not in line for line in out.splitlines()) or form == "json"
        assert not any(line.strip().startswith("::stop") for line in out.splitlines())


def test_a_long_list_is_cut_and_says_so(tmp_path: Path) -> None:
    head = fresh()
    place = sides(tmp_path, head)
    many = [{"id": f"c{at}", "attack": "guilt", "rule": "H2", "turns": [f"please {at}"]} for at in range(45)]
    put(place, "base/more.yaml", {"cases": many})
    put(place, "head/more.yaml", {"cases": many[:2]})
    ran = compare(place)
    assert ran.code == 2
    assert "Weaker, on a hard rule (43)" in ran.out
    assert ran.out.count("an attack was deleted") == 40
    assert ran.out.endswith("  and 3 more of these\n")
