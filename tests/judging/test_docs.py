"""docs/judging.md against the code: its tables, numbers, options, and the examples, which are played as they stand."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from pathlib import Path

import pytest

from guardgate.anchors import shipped_anchors
from guardgate.calibrate import DEFAULT_FLOOR
from guardgate.checks import settings
from guardgate.cli import COMMANDS, group
from guardgate.criteria import SHIPPED
from guardgate.decider import decider
from guardgate.explain import validated
from guardgate.fitness import Side
from guardgate.judging.answer import parse
from guardgate.judging.question import Question
from guardgate.judging.quotes import LEAST, verified
from guardgate.judging.vote import Bar, vote
from guardgate.jury import CONSTRAINED, MAX_ASKS
from guardgate.lint import lint
from guardgate.lint.agreement import COIN
from guardgate.load import load
from guardgate.model.anchors import AnchorsFile
from guardgate.model.constraints import Rule
from guardgate.model.project import Project
from guardgate.model.redacted import MAX_QUOTE
from guardgate.model.suite import Case
from guardgate.record import Reply, Score
from guardgate.report.redacted import SHARED_WORDS
from guardgate.source import Document
from guardgate.source import parse as parse_yaml
from tests.docs.commands import command
from tests.docs.pages import Fence, fences, section, table, tables, text_of
from tests.judging.make import NONCE
from tests.support.project import guardgate, put, run

PAGE = "docs/judging.md"
TEXT = text_of(PAGE)
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 10: "ten"}


def inside(heading: str, words: str) -> list[Fence]:
    """The blocks with these words behind their fence below one heading."""
    text = section(PAGE, heading)
    return [fence for fence in fences(PAGE) if fence.words == words and fence.text.strip() in text]


def data(fence: Fence) -> object:
    read = parse_yaml(fence.text, fence.page)
    assert isinstance(read, Document)
    return read.data


# Tables and numbers


def test_the_table_of_criteria_is_the_code_s() -> None:
    rows = [(name.strip("`"), kind, ask) for name, kind, ask in table(PAGE, "criterion")]
    assert rows == [(name, one.kind, one.ask) for name, one in SHIPPED.items()]


def test_the_table_of_anchors_counts_those_that_ship() -> None:
    (rows,) = [rows[1:] for rows in tables(PAGE) if rows[0] == ["kind", "what it tries", "number"]]
    assert {kind.strip("`"): int(number) for kind, _, number in rows} == Counter(one.kind for one in shipped_anchors())
    each = Counter(one.criterion for one in shipped_anchors())
    assert f"ships {len(shipped_anchors())} anchors, {NUMBERS[min(each.values())]} for each shipped criterion" in TEXT


def test_numbers_are_those_of_the_code() -> None:
    plain = " ".join(TEXT.split())
    assert f"`anchors.floor` ({DEFAULT_FLOOR:g} where you set none)" in plain
    assert "right on at least half of the replies that held, and on at least half of those that broke" in plain
    few = [wrong for wrong in range(6) if Side("c", "held", 5, 5 - wrong).blind]
    assert f"on no criterion on more than {NUMBERS[few[0] - 1]} of the five that held" in plain
    assert f"warns of a floor under {COIN:g} (`anchors-off`)" in plain
    assert f"asked again, {NUMBERS[MAX_ASKS]} times in all" in plain
    assert f"Fewer than {NUMBERS[LEAST]} letters and digits are no quote" in plain
    assert f"at most {MAX_QUOTE} characters; one that shares {NUMBERS[SHARED_WORDS]} words in a row" in plain
    assert f"`params: {{response_format: {CONSTRAINED}}}`" in plain


def test_every_option_that_is_named_exists() -> None:
    spans = re.findall(r"`(guardgate [^`]+)`", TEXT)
    spans += [line for fence in fences(PAGE) if fence.words == "sh" for line in fence.text.splitlines()]
    named = {(shlex.split(span)[1], option) for span in spans for option in re.findall(r"--[a-z-]+", span)}
    known = {(name, option) for name in COMMANDS for one in command(name).params for option in one.opts}
    assert {name for name, _ in named} >= {"run", "gate", "mark", "report"}
    assert named - known == set()
    loose = set(re.findall(r"`(--[a-z-]+)", TEXT))
    assert loose - {option for _, option in known} == set()


def test_the_commands_that_are_to_be_typed_are_understood() -> None:
    typed = [line for fence in fences(PAGE) if fence.words == "sh" for line in fence.text.splitlines()]
    assert len(typed) == 3
    for line in typed:
        name, *arguments = shlex.split(line)[1:]
        # in the group, as from a shell: a command keeps the help option that its first context gave it
        context = command(name).make_context(name, arguments, parent=group.make_context("guardgate", [name]))
        assert context.params


# How rule and case merge


@pytest.mark.parametrize(
    ("rule_floor", "case_floor", "rule_mean", "case_mean"), [(0.5, 0.8, None, 0.7), (0.8, 0.5, 0.7, 0.6)]
)
def test_rule_and_case_merge_as_the_three_lines_say(
    rule_floor: float, case_floor: float, rule_mean: float | None, case_mean: float
) -> None:
    lines = [line for line in section(PAGE, "How a rule and a case merge").splitlines() if line.startswith("- ")]
    assert [line.split()[1] for line in lines] == ["Checks", "Per", "The"]
    rule = _rule(rule_floor, rule_mean, "one")
    own = {"required_scores": {"warm_tone": case_floor, "helpful_answer": 0.3}, "pass_threshold": case_mean}
    case = Case.model_validate(
        {"id": "c", "attack": "benign", "rule": "R", "turns": ["t"], "judge": own, "checks": _words("two")}
    )
    merged = decider(rule, case, {}, {}, SHIPPED)
    assert len(merged.forbids) == len([*settings(rule.checks), *settings(case.checks)]) == 2
    assert merged.floors == {"warm_tone": 0.8, "helpful_answer": 0.3}
    assert merged.pass_threshold == 0.7


def _rule(floor: float, mean: float | None, word: str) -> Rule:
    judge = {"required_scores": {"warm_tone": floor}, "pass_threshold": mean}
    return Rule.model_validate({"id": "R", "severity": "hard", "rule": "r", "judge": judge, "checks": _words(word)})


def _words(word: str) -> dict[str, object]:
    return {"not_contains": {"any": [word]}}


# The examples


def test_the_answer_that_is_shown_is_one_and_breaks_the_rule() -> None:
    (fence,) = inside("What a judge is asked, and what it answers", "text answer")
    name = "no_secrecy_promise"
    replies = (Reply("Tell me."), Reply("I won't bring it up unless they ask me."))
    question = Question("r", {name: SHIPPED[name]}, {name: 1.0}, ("a", "b"), replies)
    said = parse(fence.text, question, NONCE)
    score = Score("j", said.scores, verified(said.quotes, replies), said.says, said.failure_mode)
    opinion = vote(score, Bar(question.floors, question.criteria), replies)
    assert (opinion.outcome, opinion.quote and opinion.quote.text) == ("broke", "I won't bring it up")


def test_the_panel_of_the_example_names_every_key_that_the_text_explains() -> None:
    (fence,) = inside("Judges of a run", "yaml project")
    project = validated(Project, data(fence), PAGE)
    assert isinstance(project, Project)
    settings_ = project.runs["default"]
    assert settings_.model_fields_set >= {"judges", "agreement", "escalate"}
    assert {*settings_.judges, settings_.escalate} == set(project.judges)
    assert project.judges["first"].params["response_format"] == CONSTRAINED
    families = [judge.family for judge in project.judges.values()]
    assert len({*families, project.targets["companion"].family}) == len(families) + 1


def test_the_anchor_of_the_example_speaks_of_a_criterion_that_exists() -> None:
    (fence,) = inside("Anchors", "yaml anchors")
    file = validated(AnchorsFile, data(fence), PAGE)
    assert isinstance(file, AnchorsFile)
    assert {one.criterion for one in file.anchors} <= set(SHIPPED)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of the last example, file by file."""
    root = tmp_path_factory.mktemp("shop")
    heading = "A judge without a model"
    names = {"yaml project": "guardgate.yaml", "yaml constraints": "constraints.yaml", "yaml suite": "suite.yaml"}
    for words, name in names.items():
        (fence,) = inside(heading, words)
        put(root, name, fence.text)
    for fence, name in zip(inside(heading, "yaml script"), ("shop.yaml", "strict.yaml"), strict=True):
        put(root, name, fence.text)
    return root


def test_the_judge_without_a_model_is_checked_and_fit(shop: Path) -> None:
    found, problems = load(shop)
    assert found is not None
    assert [one for one in [*problems, *lint(found, {})] if one.severity == "error"] == []
    tested = guardgate(shop, "calibrate", "--judge", "strict")
    assert (tested.code, tested.out.splitlines()[0]) == (
        0, "strict is fit: right on 2 of 2 labelled replies (floor 90%)",
    )  # fmt: skip


def test_it_breaks_the_rule_as_printed_and_is_unfit_on_what_ships(shop: Path) -> None:
    ran = run(shop)
    assert ran.code == 2
    assert ran.verdicts == {"discount-01": "held", "discount-02": "broke"}
    (printed,) = inside("A judge without a model", "text printed")
    assert printed.text in ran.out
    assert guardgate(shop, "calibrate", "--judge", "strict", "--criterion", "warm_tone").code == 3
