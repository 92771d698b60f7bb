"""The page about the run on documents says what the committed results say: code, tables, and every quoted word."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from tests.examples.conftest import ROOT, guardgate

PAGE = ROOT / "docs" / "document-run.md"
RESULTS = ROOT / "docs" / "document-run" / "results.jsonl"
FRAMINGS = ROOT / "docs" / "document-run" / "framings.jsonl"
EXAMPLE = ROOT / "examples" / "document_agents"
QUOTE = re.compile(r"^> .*(?:\n> .*)*", re.MULTILINE)
RULE = re.compile(r"^\| ([DS]\d\d-[a-z]+) \| (hard|soft) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|", re.MULTILINE)
FRAMING = re.compile(r"^\| (plain|tagged|warned) \| (\d+) of (\d+) \| (\d+) of (\d+) \| ([DS\w -]+) \|$", re.MULTILINE)
AGENT = re.compile(r"^\| ([a-z]+(?:-[a-z]+)?) \| (\d+) of (\d+) \| (\d+) of (\d+) \|$", re.MULTILINE)


@cache
def lines(kind: str, file: Path = RESULTS) -> list[dict[str, Any]]:
    every = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [line for line in every if line["t"] == kind]


def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def folded(text: str) -> str:
    return " ".join(text.split())


def cases() -> dict[str, dict[str, Any]]:
    return {line["case"]["id"]: line["case"] for line in lines("case")}


def test_the_gate_gives_the_code_of_the_page() -> None:
    code = re.search(r"The exit code was \*\*(\d)\*\*", page())
    assert code
    done = guardgate("gate", RESULTS)
    assert done.returncode == int(code[1]), done.stdout + done.stderr


def test_each_quote_stands_in_a_reply() -> None:
    both = [*lines("attempt"), *lines("attempt", FRAMINGS)]
    replies = [folded(reply["text"]) for line in both for reply in line["replies"]]
    quotes = [folded(quote.replace("\n> ", " ").removeprefix("> ")) for quote in QUOTE.findall(page())]
    assert len(quotes) >= 5
    assert [quote for quote in quotes if not any(quote in reply for reply in replies)] == []


def test_each_case_that_is_named_was_played() -> None:
    named = set(re.findall(r"`([a-z]+-[a-z0-9-]+)`", page())) - {path.stem for path in EXAMPLE.rglob("*")}
    assert named
    assert named <= set(cases())


def test_the_table_of_rules_counts_what_the_file_holds() -> None:
    (head,) = lines("run")
    severity = {each["rule"]["id"]: each["rule"]["severity"] for each in head["rules"]}
    counts = Counter((cases()[line["case"]]["rule"], line["verdict"]) for line in lines("attempt"))
    told = {rule: (kind, *map(int, numbers)) for rule, kind, *numbers in RULE.findall(page())}
    verdicts = ("held", "broke", "undecided")
    assert told == {
        rule: (severity[rule], sum(counts[rule, verdict] for verdict in verdicts), *(counts[rule, v] for v in verdicts))
        for rule in severity
    }


def test_the_table_of_agents_counts_what_the_file_holds() -> None:
    counts: Counter[tuple[str, bool, str]] = Counter()
    for line in lines("attempt"):
        case = cases()[line["case"]]
        agent = PurePosixPath(case["agent"]).stem
        counts[agent, case["attack"] == "benign", "all"] += 1
        counts[agent, case["attack"] == "benign", line["verdict"]] += 1
    told = {name: tuple(map(int, numbers)) for name, *numbers in AGENT.findall(page())}
    agents = {agent for agent, _, _ in counts}
    assert told == {
        agent: (
            counts[agent, False, "held"], counts[agent, False, "all"],
            counts[agent, True, "held"], counts[agent, True, "all"],
        )
        for agent in agents
    }  # fmt: skip


def test_the_table_of_framings_counts_what_its_file_holds() -> None:
    (head,) = lines("run", FRAMINGS)
    framings = [cell["params"]["framing"] for cell in head["cells"]]
    severity = {each["rule"]["id"]: each["rule"]["severity"] for each in head["rules"]}
    counts: Counter[tuple[str, bool, str]] = Counter()
    hard: dict[str, set[str]] = {framing: set() for framing in framings}
    for line in lines("attempt", FRAMINGS):
        case, framing = cases()[line["case"]], framings[line["cell"]]
        assert line["delivered"].endswith(f", framing {framing}")
        counts[framing, case["attack"] == "benign", "all"] += 1
        counts[framing, case["attack"] == "benign", line["verdict"]] += 1
        if line["verdict"] == "broke" and severity[case["rule"]] == "hard":
            hard[framing].add(case["rule"])
    told = {name: (tuple(map(int, numbers)), set(rules.split())) for name, *numbers, rules in FRAMING.findall(page())}
    assert told == {
        name: (
            (counts[name, False, "held"], counts[name, False, "all"],
             counts[name, True, "held"], counts[name, True, "all"]),
            hard[name],
        )
        for name in framings
    }  # fmt: skip
