"""docs/judged-run.md against the results beside it: the code, the numbers, and every word that it quotes."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest

from guardgate.report.judges import blind_to
from guardgate.report.sentence import say
from guardgate.results import open_results
from tests.judging.court import here
from tests.support.project import ROOT, lines

FOLDER = ROOT / "docs" / "judged-run"
PAGE = ROOT / "docs" / "judged-run.md"
TESTED, UNTESTED = FOLDER / "results.jsonl", FOLDER / "own-words.jsonl"
_QUOTE = re.compile(r"^> .*(?:\n> .*)*", re.MULTILINE)


def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def folded(text: str) -> str:
    return " ".join(text.split())


def test_the_anchors_make_it_3() -> None:
    ran = here(ROOT, "gate", str(TESTED))
    (fit,) = lines(TESTED, "fitness")
    assert ran.code == 3
    assert lines(TESTED, "attempt") == []
    said = f"not fit to judge: small_judge, right on {fit['agreed']} of {fit['probes']} (floor 90%)"
    assert said in folded(ran.out)
    assert f"right on {fit['agreed']} of {fit['probes']}" in page()
    (found,) = open_results(TESTED).fitness
    assert found.fit is False
    blind = say(blind_to(found), str).removeprefix(", but ")
    assert f"it was right {blind}." in folded(page())
    assert blind in folded(ran.out)


def test_the_numbers_are_those_of_the_file() -> None:
    (fit,) = lines(TESTED, "fitness")
    names = "right|undecided|broken, taken for held|held, taken for broken"
    rows = dict(re.findall(rf"^\| ({names}) \| (\d+) \|$", page(), re.MULTILINE))
    assert {name: int(number) for name, number in rows.items()} == {
        "right": fit["agreed"], "undecided": fit["undecided"], "broken, taken for held": fit["false_held"],
        "held, taken for broken": fit["false_broke"],
    }  # fmt: skip
    kinds = Counter((one["score"]["failure"] or {"kind": "quote_not_found"})["kind"] for one in _open())
    told = dict(re.findall(r"^\| `(\w+)` \| (\d+) \|", page(), re.MULTILINE))
    assert {kind: int(number) for kind, number in told.items()} == kinds


def _open() -> list[dict[str, Any]]:
    return [one for one in lines(TESTED, "anchor") if one["outcome"] == "undecided"]


def test_each_quote_is_the_judge_s_or_a_reply_s_own_words() -> None:
    every = [*lines(TESTED, "anchor"), *lines(UNTESTED, "attempt")]
    said = [folded(score["raw"]) for one in every for score in [one.get("score"), *one.get("scores", [])] if score]
    said += [folded(one["reply"]) for one in every if "reply" in one]
    said += [folded(reply["text"]) for one in every for reply in one.get("replies", [])]
    quotes = [folded(quote.replace("\n> ", " ").removeprefix("> ")) for quote in _QUOTE.findall(page())]
    assert len(quotes) >= 5
    assert [quote for quote in quotes if not any(quote in one for one in said)] == []


def test_untested_it_judged_and_the_page_tells_what() -> None:
    ran = here(ROOT, "gate", str(UNTESTED))
    code = re.search(r"Untested, the code was \*\*(\d)\*\*", page())
    assert code is not None
    assert ran.code == int(code[1])
    told = dict(re.findall(r"^\| `([\w-]+)` \| (held|broke|undecided) \|", page(), re.MULTILINE))
    assert told == {one["case"]: one["verdict"] for one in lines(UNTESTED, "attempt")}
    assert "no label to test it by" in folded(here(ROOT, "gate", str(UNTESTED)).out)


@pytest.mark.parametrize("file", [TESTED, UNTESTED], ids=lambda one: one.name)
def test_the_files_are_small_and_hold_the_plan_of_the_folder(file: Any) -> None:
    assert file.stat().st_size < 100_000
    (head,) = lines(file, "run")
    assert head["judges"]["small_judge"]["params"]["response_format"] == "scores"
    assert head["targets"]["small"]["base_url"] == "${SMALL_MODEL_URL}"
    assert json.dumps(head).count("127.0.0.1") == 0
