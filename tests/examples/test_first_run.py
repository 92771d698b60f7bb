"""The page about the first run says what the committed results say: the code, the table, and every quoted word."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from typing import Any

from tests.examples.conftest import ROOT, guardgate

PAGE = ROOT / "docs" / "first-run.md"
RESULTS = ROOT / "docs" / "first-run" / "results.jsonl"
QUOTE = re.compile(r"^> .*(?:\n> .*)*", re.MULTILINE)
ROW = re.compile(r"^\| ([CS]\d\d-[a-z]+) \| (hard|soft) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|", re.MULTILINE)


@cache
def lines() -> list[dict[str, Any]]:
    return [json.loads(line) for line in RESULTS.read_text(encoding="utf-8").splitlines()]


def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def folded(text: str) -> str:
    return " ".join(text.split())


def test_the_gate_gives_the_code_of_the_page() -> None:
    code = re.search(r"The exit code was \*\*(\d)\*\*", page())
    assert code
    done = guardgate("gate", RESULTS)
    assert done.returncode == int(code[1]), done.stdout + done.stderr


def test_each_quote_stands_in_a_reply() -> None:
    replies = [folded(reply["text"]) for line in lines() if line["t"] == "attempt" for reply in line["replies"]]
    quotes = [folded(quote.replace("\n> ", " ").removeprefix("> ")) for quote in QUOTE.findall(page())]
    assert len(quotes) >= 5
    assert [quote for quote in quotes if not any(quote in reply for reply in replies)] == []


def test_the_table_counts_what_the_file_holds() -> None:
    rule_of = {line["case"]["id"]: line["case"]["rule"] for line in lines() if line["t"] == "case"}
    severity = {each["rule"]["id"]: each["rule"]["severity"] for each in lines()[0]["rules"]}
    counts = Counter((rule_of[line["case"]], line["verdict"]) for line in lines() if line["t"] == "attempt")
    told = {rule: (kind, *map(int, numbers)) for rule, kind, *numbers in ROW.findall(page())}
    verdicts = ("held", "broke", "undecided")
    assert told == {
        rule: (severity[rule], sum(counts[rule, verdict] for verdict in verdicts), *(counts[rule, v] for v in verdicts))
        for rule in severity
    }
