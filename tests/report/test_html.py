"""The page without a browser: its parts, its size, what is on it, and that no text becomes more than text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from guardgate.model.constraints import Criterion
from guardgate.plan import Cell
from guardgate.record import Attempt, Score
from guardgate.report import html, render
from guardgate.report.html.attempts import LIMITS, MOST, SAMPLE, cut
from guardgate.report.html.frame import policy
from tests.judging.court import plan as judged_plan
from tests.judging.court import rule as judged_rule
from tests.report.build import HEAD, RESULTS, Told, broke, case, hard, held, plan, soft, told, undecided
from tests.report.hostile import Hostile, faults, runs, tame

FEW = settings(max_examples=40, deadline=None)


@dataclass
class Seen(HTMLParser):
    """What a browser would make of the page: every tag, its attributes, and the text of scripts by their ids."""

    tags: list[str] = field(default_factory=list)
    attributes: list[tuple[str, str, str | None]] = field(default_factory=list)
    scripts: dict[str, str] = field(default_factory=dict)
    inside: str | None = None

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag in ("script", "style"):
            self.inside = dict(attrs).get("id") or tag

    def handle_data(self, data: str) -> None:
        if self.inside is not None:
            self.scripts[self.inside] = self.scripts.get(self.inside, "") + data

    def handle_endtag(self, tag: str) -> None:
        self.inside = None

    def __hash__(self) -> int:
        return id(self)


def seen(text: str) -> Seen:
    found = Seen()
    found.feed(text)
    found.close()
    return found


def page_of(one: Told, attempts: list[Attempt]) -> str:
    return "".join(render("html", one.summary, one.gate, HEAD, RESULTS, attempts=attempts))


def data_of(text: str, name: str) -> Any:
    return json.loads(seen(text).scripts[name])


def _hostile(one: Hostile) -> str:
    return "".join(html.render(one.told.summary, one.told.gate, one.about, attempts=one.attempts))


@FEW
@given(runs())
def test_whatever_the_texts_are_the_page_has_the_same_parts(one: Hostile) -> None:
    text = _hostile(one)
    assert not list(faults(text.replace("\t", " ")))
    found, plain = seen(text), seen(_hostile(tame()))
    assert set(found.tags) <= {*plain.tags, "details", "summary"}
    assert found.tags.count("script") == 4
    assert not [name for _, name, _ in found.attributes if name.startswith("on") or name in ("style", "src")]
    assert {value for _, name, value in found.attributes if name == "href"} == {
        value for _, name, value in plain.attributes if name == "href"
    }
    for name in ("plan", "attempts", "choice"):
        json.loads(found.scripts[name])
    assert found.scripts["script"] == plain.scripts["script"]


def test_the_policy_lets_only_this_code_and_this_style_run() -> None:
    found = seen(_hostile(tame()))
    (content,) = [
        value for tag, name, value in found.attributes if tag == "meta" and name == "content" and "'none'" in str(value)
    ]
    rules = dict(rule.strip().split(" ", 1) for rule in str(content).split(";"))
    for kind, name in (("script-src", "script"), ("style-src", "style")):
        digest = base64.b64encode(hashlib.sha256(found.scripts[name].encode()).digest()).decode()
        assert rules[kind] == f"'sha256-{digest}'"
    assert (rules["default-src"], rules["base-uri"], rules["form-action"]) == ("'none'",) * 3
    assert "connect-src" not in rules
    assert "connect-src 'self'" in policy(review=True)


def test_the_code_makes_text_only_and_calls_nobody() -> None:
    code = seen(_hostile(tame())).scripts["script"]
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "import("):
        assert word not in code
    assert code.count("fetch(") == 1
    assert re.findall(r"https?://[^\s\"]+", _hostile(tame())) == []


def test_sections_stand_in_the_order_of_reading() -> None:
    ids = [value for tag, name, value in seen(_hostile(tame())).attributes if tag == "section" and name == "id"]
    assert ids == ["broke", "undecided", "sample", "every", "rules", "judges", "coverage", "run"]


def _words(random: Random, count: int) -> str:
    return " ".join("".join(random.choices("abcdefghijklmnopqrstuvwxyz", k=random.randint(2, 9))) for _ in range(count))


def crowd(count: int, words: int, turns: int = 2) -> tuple[Told, list[Attempt]]:
    """Many attempts with long replies, no two alike; every tenth broke."""
    random = Random(7)
    said = [_words(random, 20) for _ in range(turns)]
    of = plan([hard(), soft()], [case("H1" if n % 2 else "S1", f"case-{n}", turns=said) for n in range(count)])
    attempts = [
        (broke if n % 10 == 0 else held)(of, n, *(_words(random, words) for _ in range(turns))) for n in range(count)
    ]
    return told(of, attempts), attempts


@pytest.mark.parametrize(("words", "whole"), [(60, True), (250, False), (900, False)])
def test_a_thousand_attempts_stay_below_two_megabytes(words: int, whole: bool) -> None:
    """However long the replies are: once there is no more room, those that held are cut first."""
    one, attempts = crowd(1000, words)
    text = page_of(one, attempts)
    assert len(text.encode()) < 2_000_000
    rows = data_of(text, "attempts")
    assert len(rows) == 1000
    cuts = [row for row in rows if " more characters]" in row["replies"][0]["text"]]
    assert (not cuts) is whole
    if words == 250:
        assert {row["verdict"] for row in cuts} == {"held"}
        assert not {row["n"] for row in cuts} & set(data_of(text, "choice")["sample"])


def test_a_text_is_cut_around_the_words_that_decided() -> None:
    text = "a" * 5000 + "the secret" + "b" * 5000
    shown = cut(text, LIMITS[1][0], "the secret")
    assert "the secret" in shown
    assert shown.startswith("[4,")
    assert "characters before this] aaa" in shown
    assert shown.endswith("more characters]")
    assert cut(text, None) == text


def test_a_page_holds_twenty_thousand_and_says_how_many_it_leaves_out() -> None:
    of = plan([hard()], [case("H1", f"c{n}") for n in range(MOST + 500)])
    attempts = [(broke if n % 100 == 0 else undecided if n % 100 == 1 else held)(of, n) for n in range(MOST + 500)]
    one = told(of, attempts)
    text = page_of(one, attempts)
    rows, choice = data_of(text, "attempts"), data_of(text, "choice")
    assert len(rows) <= MOST
    assert len(rows) + choice["left"] == MOST + 500
    verdicts = [row["verdict"] for row in rows]
    assert (verdicts.count("broke"), verdicts.count("undecided")) == (
        one.summary.total.broke,
        one.summary.total.undecided,
    )
    assert set(choice["sample"]) <= {row["n"] for row in rows}


def test_the_sample_is_drawn_by_the_plan_and_not_by_the_order() -> None:
    one, attempts = crowd(60, 5)
    first = data_of(page_of(one, attempts), "choice")["sample"]
    assert data_of(page_of(one, attempts[::-1]), "choice")["sample"] == first
    assert len(first) == SAMPLE
    assert {attempt.n for attempt in one.summary.passes} <= set(first)
    assert first != list(range(1, SAMPLE + 1))


def test_pictures_show_what_the_tables_show() -> None:
    of = plan([hard(), soft()], [case("H1", "a"), case("S1", "b")], [Cell(0, "bot"), Cell(1, "<i>other")])
    attempts = [broke(of, 0), held(of, 1), held(of, 2), undecided(of, 3)]
    text = page_of(told(of, attempts), attempts)
    heat = text.partition('class="heat"')[2].partition("</svg>")[0]
    assert re.findall(r'<rect class="(h\d+)"', heat) == ["h0", "h10", "h10", "h0"]
    assert heat.count("url(#hatch)") == 1
    assert re.findall(r"<title>([^<]*)</title>", heat)[0] == "H1, c0: 0/1 !"
    assert "c1: <b>&lt;i&gt;other</b>" in text
    bars = text.partition('class="bars"')[2].partition("</ul>")[0]
    assert "1 of 2 held" in bars
    assert "1 of 2 held, 1 undecided" in bars
    assert 'class="floor" x="49.60"' in bars


def test_scores_are_shown_against_their_floors() -> None:
    of = judged_plan([judged_rule(quiet=0.5)], ["R1", "R1"], panel=told(plan([hard()], []), []).summary.plan.panel)
    assert isinstance(of.criteria["quiet"], Criterion)
    attempts = [
        held(of, n, scores=(Score("strict", {"quiet": value, "unknown": 1.0}),)) for n, value in enumerate((0.4, 1.0))
    ]
    text = page_of(told(of, attempts), attempts)
    assert 'aria-label="quiet, judge strict: 1 of 2 below the floor 0.5"' in text
    assert "unknown, judge" not in text


def test_a_run_without_an_attempt_has_its_page() -> None:
    of = plan([hard()], [], [Cell(0, "bot"), Cell(1, "other")])
    text = page_of(told(of, []), [])
    assert data_of(text, "attempts") == []
    assert "not attacked, so not decided (1): <b>H1</b>" in text
