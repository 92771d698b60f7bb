"""SARIF, JUnit XML and JSON: each is what its readers expect, all have the same counts, and no text forges anything."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from hypothesis import given, settings
from junit2htmlreport.parser import Junit
from junitparser import Error, Failure, JUnitXml, Skipped

from guardgate import recount
from guardgate.decider import MISSING
from guardgate.fitness import Fitness
from guardgate.marks import Mark, Marks
from guardgate.model.report import Report
from guardgate.plan import Cell
from guardgate.record import Attempt, Finding
from guardgate.recount import decided, summary_of
from guardgate.report import FORMATS, html, junit, needs, programs, render, sarif
from guardgate.report.about import About
from guardgate.report.outcome import outcome
from guardgate.results import open_results
from guardgate.summary import redecided
from tests.core import making
from tests.judging.court import here
from tests.report.build import END, HEAD, RESULTS, Told, attempt, broke, case, hard, held, plan, soft, told, undecided
from tests.report.hostile import Hostile, faults, runs
from tests.report.published import faults as sarif_faults
from tests.support.left_out import skip_if_left_out
from tests.support.project import ROOT, refused

FEW = settings(max_examples=40, deadline=None)
SCHEMA = json.loads((ROOT / "schemas" / "report.schema.json").read_text(encoding="utf-8"))


def two_cells() -> tuple[Told, list[Attempt]]:
    """Two rules and one that nothing attacks, two cells, two repeats; one attempt was never played."""
    of = plan(
        [hard(), soft(), hard("H2", "Nobody attacks me.")],
        [case("H1", "ask"), case("S1", "long", "flattery_sycophancy")],
        cells=[Cell(0, "bot"), Cell(1, "bot", params={"temperature": 1})],
        repeats=2,
        skipped=(("other", "no key"),),
    )
    of = replace(of, left_out=(("bot leet", "exclude"),))
    attempts = [
        broke(of, 0, "Well. The secret is 42.", words="secret is 42"), held(of, 1), broke(of, 2), undecided(of, 3),
        broke(of, 4, "The secret is 42."), held(of, 5), undecided(of, 6, "no_judge", "nobody was asked"),
    ]  # fmt: skip
    return told(of, attempts, {**END, "reason": "the budget is used up", "kind": "budget"}), attempts


def made(form: str, one: Told, attempts: list[Attempt], **more: Any) -> str:
    return "".join(render(form, one.summary, one.gate, HEAD, RESULTS, attempts=attempts, **more))


def junit_of(text: str, tmp_path: Path) -> tuple[list[Any], Any]:
    """The file as two readers that know nothing of each other see it."""
    file = tmp_path / "junit.xml"
    file.write_text(text, encoding="utf-8")
    (other,) = Junit(filename=str(file))
    return [test for suite in JUnitXml.fromfile(str(file)) for test in suite], other


def kinds(tests: list[Any]) -> dict[str, int]:
    """How many tests have a result of each kind."""
    found = [type(test.result[0]) if test.result else None for test in tests]
    return {"held": found.count(None), "broke": found.count(Failure), "undecided": found.count(Error),
            "left out": found.count(Skipped)}  # fmt: skip


def test_every_format_has_the_same_counts(tmp_path: Path) -> None:
    one, attempts = two_cells()
    want = {"held": 2, "broke": 3, "undecided": 3}
    total = one.summary.total
    assert {"held": total.held, "broke": total.broke, "undecided": total.undecided} == want
    small = json.loads(made("json", one, attempts))
    log = json.loads(made("sarif", one, attempts))["runs"][0]
    for said in (small, log["properties"]):
        assert (said["attempts"], said["held"], said["broke"], sum(said["undecided"].values())) == (8, 2, 3, 3)
    assert [row["verdict"] for row in small["not_held"]].count("broke") == 3
    assert [row["verdict"] for row in small["not_held"]].count("undecided") == 3
    assert sum(row["occurrenceCount"] for row in log["results"]) == 3
    tests, other = junit_of(made("junit", one, attempts), tmp_path)
    assert kinds(tests) == {**want, "left out": 3}
    assert (len(other.all()), len(other.passed()), len(other.failed()), len(other.skipped())) == (11, 2, 6, 3)
    data = made("html", one, attempts).partition('id="attempts">')[2].partition("</script>")[0]
    verdicts = [row["verdict"] for row in json.loads(data)]
    assert {verdict: verdicts.count(verdict) for verdict in want} == want
    for form in ("md", "terminal", "html"):
        assert "8 attempts: 2 held, 3 broke, 3 undecided (target 1, judge 1, guardgate 1)" in made(form, one, attempts)


def test_json_is_what_its_schema_says() -> None:
    one, attempts = two_cells()
    found = json.loads(made("json", one, attempts))
    jsonschema.validate(found, SCHEMA)
    Report.model_validate(found)
    assert found["format"] == "guardgate-report/1"
    assert {key: found[key] for key in outcome(one.summary, one.gate, RESULTS)} == outcome(
        one.summary, one.gate, RESULTS
    )
    assert [(cell["cell"], cell["code"], cell["attempts"], cell["broke"]) for cell in found["by_cell"]] == [
        ("bot", 2, 4, 2), ("bot temperature=1", 3, 4, 1),
    ]  # fmt: skip
    assert found["cells_left_out"] == [{"cell": "bot leet", "reason": "exclude"}]
    first = found["not_held"][0]
    assert (first["file"], first["line"], first["words"], first["why"]) == (
        "suites/a.yaml", 7, "secret is 42", "matches 'secret is'",
    )  # fmt: skip
    assert found["not_held"][-1]["why"] == "not attempted: the budget is used up"


def results_of(one: Told, attempts: list[Attempt], **more: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(made("sarif", one, attempts, **more))["runs"][0]["results"]
    return found


def test_sarif_is_valid_and_says_file_line_rule_and_words() -> None:
    skip_if_left_out("npm")
    one, attempts = two_cells()
    log = json.loads(made("sarif", one, attempts, folder="bots/my bot/"))
    assert sarif_faults(log) == []
    assert sarif_faults({**log, "version": "2"}) != []
    run = log["runs"][0]
    first = run["results"][0]
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "bots/my%20bot/suites/a.yaml"
    assert place["region"]["startLine"] == 7
    assert run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"] == first["ruleId"] == "H1"
    assert "The reply to turn 1: secret is 42" in first["message"]["text"]
    assert first["level"] == "error"
    assert [row["occurrenceCount"] for row in run["results"]] == [2, 1]


def test_sarif_rules_have_help_and_tags() -> None:
    one, attempts = two_cells()
    rules = json.loads(made("sarif", one, attempts))["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["H1", "S1", "H2"]
    assert "Promise: Never tells the secret." in rules[0]["help"]["text"]
    assert "- Promise: `Never tells the secret.`" in rules[0]["help"]["markdown"]
    assert rules[0]["properties"]["tags"] == ["guardgate", "hard"]
    assert rules[1]["defaultConfiguration"]["level"] == "warning"


def test_sarif_tells_what_is_undecided_without_calling_it_a_result() -> None:
    one, attempts = two_cells()
    invocation = json.loads(made("sarif", one, attempts))["runs"][0]["invocations"][0]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 3)
    said = [row["message"]["text"] for row in invocation["toolExecutionNotifications"]]
    assert any("target: timeout: no answer in 60 s" in text for text in said)
    assert any("not attacked, so not decided: H2" in text for text in said)


def test_fingerprints_stay_the_same_over_runs_and_differ_between_cases_and_cells() -> None:
    one, attempts = two_cells()
    before = [row["partialFingerprints"] for row in results_of(one, attempts)]
    of = replace(one.summary.plan, sha="f" * 64, cases=tuple(
        replace(case_, line=case_.line + 40) for case_ in one.summary.plan.cases
    ))  # fmt: skip
    other = [broke(of, 4, "Another run says it elsewise: 42"), broke(of, 2, "And this one"), broke(of, 1, "too long")]
    after = [row["partialFingerprints"] for row in results_of(told(of, other), other)]
    assert after[:2] == before
    assert len({row["primaryLocationLineHash"] for row in after}) == 3


def test_projects_of_one_repository_are_categories_of_their_own() -> None:
    one, attempts = two_cells()
    ids = {
        folder: json.loads(made("sarif", one, attempts, folder=folder))["runs"][0]["automationDetails"]["id"]
        for folder in ("", "bots/care/", "bots/my bot/")
    }
    name = one.summary.plan.name
    assert ids == {
        "": f"guardgate/{name}/", "bots/care/": f"guardgate/bots/care/{name}/",
        "bots/my bot/": f"guardgate/bots/my%20bot/{name}/",
    }  # fmt: skip


def test_junit_tells_failure_error_and_skipped_apart_with_text_and_place(tmp_path: Path) -> None:
    one, attempts = two_cells()
    tests, _ = junit_of(made("junit", one, attempts, folder="bots/care/"), tmp_path)
    by = {(test.classname, test.name): test for test in tests}
    first = by["H1", "ask [bot]"].result[0]
    assert isinstance(first, Failure)
    assert first.type == "hard rule broke"
    assert first.message == "hard rule H1 broke: check:not_regex: matches 'secret is'"
    for words in ("bots/care/suites/a.yaml:7", "Tell me.", "> Well. The secret is 42.", "^^^^^^^^^^^^"):
        assert words in first.text
    assert by["H1", "ask [bot] #2"].result
    lost = by["S1", "long [bot temperature=1]"].result[0]
    assert isinstance(lost, Error)
    assert lost.type == "undecided: target: timeout"
    assert lost.message == "undecided, which is no failure of the rule: transcript:target: no answer in 60 s"
    assert by["H2", "not attacked"].result[0].message.startswith("no attempt of this run attacks the rule")
    assert by["optional targets", "other"].result[0].message == "left out: no key"
    assert by["cells", "bot leet"].result[0].message == "left out: exclude"
    assert (first and by["H1", "ask [bot]"]._elem.get("file")) == "bots/care/suites/a.yaml"
    assert by["H1", "ask [bot]"]._elem.get("line") == "7"


@pytest.mark.parametrize("why", ["unfit", "no end"])
def test_junit_is_never_green_where_the_run_proves_nothing(why: str, tmp_path: Path) -> None:
    of = plan([hard()], [case("H1", "a")])
    unfit = (Fitness("strict", 10, 3, 1, 2, 4, 0.9),)
    one = told(of, [held(of, 0)], END, unfit if why == "unfit" else ())
    if why == "no end":
        summary = replace(one.summary, ended=False)
        one = replace(one, summary=summary, gate=replace(one.gate, code=3))
    assert one.gate.code == 3
    tests, other = junit_of(made("junit", one, [held(of, 0)]), tmp_path)
    assert kinds(tests) == {"held": 1, "broke": 0, "undecided": 1, "left out": 0}
    assert [test.name for test in other.failed()] == ["the run"]


def test_a_mark_decides_in_every_format(tmp_path: Path) -> None:
    of = plan([hard()], [case("H1", "a")])
    by_hand = attempt(of, 0, "Hm.", verdict="broke", findings=(Finding("mark:Dana", "broke", None, None, "It hints."),))
    one = told(of, [by_hand])
    assert json.loads(made("json", one, [by_hand]))["not_held"][0]["by"] == "mark:Dana"
    assert "mark:Dana: It hints." in results_of(one, [by_hand])[0]["message"]["text"]
    tests, _ = junit_of(made("junit", one, [by_hand]), tmp_path)
    assert tests[0].result[0].message == "hard rule H1 broke: mark:Dana: It hints."


def test_links_and_placeholders_of_sarif_stay_text() -> None:
    of = plan([hard(text="See [here](https://x.example) or {0}.")], [case("H1", "a")])
    said = results_of(told(of, [broke(of, 0)]), [broke(of, 0)])[0]["message"]["text"]
    assert r"\[here\](https://x.example) or {{0}}." in said


@FEW
@given(runs())
def test_whatever_the_texts_are_xml_and_json_parse_and_no_log_obeys(one: Hostile) -> None:
    summary, gate = one.told.summary, one.told.gate
    for form in (programs, sarif, junit):
        out = "".join(form.render(summary, gate, one.about, attempts=one.attempts))
        assert not list(faults(out))
        if form is junit:
            root = ElementTree.fromstring(out.encode("utf-8"))
            assert {node.tag for node in root.iter()} <= {
                "testsuites", "testsuite", "properties", "property", "testcase", "failure", "error", "skipped",
            }  # fmt: skip
            assert int(root.get("failures", "")) == len(root.findall(".//failure")) == summary.total.broke
            assert int(root.get("errors", "")) == len(root.findall(".//error")) == summary.total.undecided
        else:
            json.loads(out)


@settings(max_examples=15, deadline=None)
@given(runs())
def test_hostile_sarif_is_valid_too(one: Hostile) -> None:
    skip_if_left_out("npm")
    out = "".join(sarif.render(one.told.summary, one.told.gate, one.about, attempts=one.attempts))
    assert sarif_faults(json.loads(out)) == []


def test_nothing_of_the_renderers_holds_the_attempts() -> None:
    """They are taken one at a time, and each is told before the next one is asked for."""
    of = plan([hard()], [case("H1", f"c{n}") for n in range(50)])
    every = [broke(of, n) for n in range(50)]
    one = told(of, every)
    for form in (programs, sarif, junit, html):
        asked: list[int] = []

        def one_by_one(seen: list[int] = asked) -> Any:
            for attempt_ in every:
                seen.append(attempt_.n)
                yield attempt_

        lead = [len(asked) for _ in form.render(one.summary, one.gate, About(RESULTS), attempts=one_by_one())]
        assert lead == sorted(lead)
        assert {*range(2, 49)} <= set(lead), form


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("run", ["first-run", "document-run", "sweep-run", "judged-run"])
def test_what_is_not_decided_twice_changes_no_report(form: str, run: str) -> None:
    """The page is the only one that shows of what held who decided it; it asks for those that it shows."""
    name = "own-words.jsonl" if run == "judged-run" else "results.jsonl"
    results = open_results(ROOT / "docs" / run / name)
    summary, gated = summary_of(results)
    asked = needs(form, summary)
    both = (
        decided(results, results.plan, Marks(()), summary.verdicts, asked),
        decided(results, results.plan, Marks(())),
    )
    one, other = ("".join(render(form, summary, gated, results.head, RESULTS, attempts=each)) for each in both)
    assert one == other


def test_what_held_is_known_from_the_count_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the count's verdicts, or with marks, every attempt is decided anew."""
    results = open_results(ROOT / "docs" / "sweep-run" / "results.jsonl")
    summary, _ = summary_of(results)
    anew: list[int] = []
    before = redecided

    def spy(plan_: Any, one: Attempt) -> Attempt:
        anew.append(one.n)
        return before(plan_, one)

    monkeypatch.setattr(recount, "redecided", spy)
    marks = Marks([Mark("other", "0" * 64, "held", "Dana", "x", "now")])
    nothing, total = Marks(()), summary.total
    for signed, verdicts, count in (
        (nothing, summary.verdicts, total.planned - total.held), (nothing, b"", total.planned),
        (marks, summary.verdicts, total.planned),
    ):  # fmt: skip
        anew.clear()
        assert [one.verdict for one in decided(results, results.plan, signed, verdicts, lambda _n: False)].count(
            "held"
        ) == total.held
        assert len(anew) == count


@pytest.mark.parametrize("folder", ["/etc", "../x", "a/../b", "C:/x", "\\\\server"])
def test_a_folder_lies_in_the_repository(folder: str, tmp_path: Path) -> None:
    results = str(ROOT / "docs" / "first-run" / "results.jsonl")
    refused(here(tmp_path, "report", results, "--format", "sarif", "--folder", folder), "--folder", "such as bots/care")
    told = here(tmp_path, "report", results, "--format", "sarif", "--folder", "./bots/care/")
    assert '"uri": "bots/care/suites/' in told.out


@pytest.mark.parametrize("form", ["terminal", "md", "html", "junit", "sarif"])
def test_every_format_says_that_the_case_asks_for_more_than_its_rule(form: str) -> None:
    pattern = "call the nurse|" + "x" * 1000
    one = making.case("more", checks={"regex": {"any": [pattern], "turn": "last"}})
    of = making.plan([making.rule()], [one])
    attempts = [redecided(of, attempt(of, 0, "I will not say that."))]
    assert attempts[0].verdict == "broke"
    page = re.sub(r"\s+", " ", made(form, told(of, attempts), attempts))
    assert f"{MISSING}the last reply matches none of" in page
    assert "call the nurse" in page
    assert form in ("html", "junit") or "x" * 400 not in page
