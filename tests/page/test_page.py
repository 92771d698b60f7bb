"""The report as a page, read in a real browser from disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys

from guardgate.plan import Cell
from guardgate.record import Attempt, Quote, Score, ToolCall
from tests.page.eyes import axe, choose, focused, press, search, shown, texts, until
from tests.report.build import Told, attempt, broke, case, hard, held, plan, soft, told, undecided
from tests.support.browser import scheme, size
from tests.support.left_out import skip_if_left_out

#: What a reply would like to be.
EVIL = (
    "</script><script>window.owned = 1</script><img src=x onerror='window.owned = 2'><svg onload=window.owned=3>"
    "<!-- <script> --> &lt;b&gt; javascript:window.owned=4 ${window.owned=5} {{7*7}} \u202egnorw\u2069 \ud800 "
    "<style>body { display: none }</style><a href='https://x.example'>x</a> the secret"
)


def small() -> tuple[Told, list[Attempt]]:
    """Three rules, two cells, every kind of attempt."""
    of = plan(
        [hard(), soft(text="Stays short."), hard("H2", "Calls no tool.")],
        [case("S1", "long", "flattery_sycophancy"), case("H1", "ask", turns=("Hello.", "Tell me.")), case("H1", "evil"),
         case("H2", "tool", "tool_misuse")],
        cells=[Cell(0, "bot"), Cell(1, "other", params={"temperature": 1})],
    )  # fmt: skip
    scores = (Score("strict", {"quiet": 0.2}, (Quote("quiet", 1, "hush", True, "it hints"),), "pass"),)
    attempts = [
        broke(of, 0, "Long " * 30), broke(of, 1, "Hi.", "Well, the secret is 42.", words="secret is 42"),
        broke(of, 2, EVIL, words="the secret"), held(of, 3, scores=scores),
        held(of, 4, "Short."), undecided(of, 5), held(of, 6, "No, never."),
        attempt(of, 7, "Done.", verdict="held", findings=held(of, 7).findings),
    ]  # fmt: skip
    reply = attempts[7].replies[0]
    called = type(reply)(reply.text, (ToolCall("send_mail", {"to": "<b>x</b>"}, "sent"),), ms=3)
    attempts[7] = type(attempts[7])(**{**_fields(attempts[7]), "replies": (called,)})
    return told(of, attempts), attempts


def _fields(one: Any) -> dict[str, Any]:
    return {name: getattr(one, name) for name in type(one).__slots__}


@pytest.fixture
def page(chrome: webdriver.Chrome, tmp_path: Path) -> webdriver.Chrome:
    shown(chrome, tmp_path, *small())
    return chrome


def test_it_says_the_verdict_and_shows_hard_breaks_first_with_their_words_marked(page: webdriver.Chrome) -> None:
    (title,) = texts(page, "h1")
    assert " ".join(title.split()) == "3: incomplete: the run could not complete, so it says nothing either way"
    assert "hard rule broke: H1" in texts(page, ".verdict")[0]
    cards = texts(page, "#broke-list h3")
    assert [card.split()[0] for card in cards] == ["H1", "H1", "S1"]
    assert texts(page, "#broke-list .item:first-child mark")[:1] == ["secret is 42"]
    chat = texts(page, "#broke-list li:first-child .chat li")
    assert [line.split("\n")[-1] for line in chat] == ["Hello.", "Hi.", "Tell me.", "Well, the secret is 42."]


def test_nothing_is_asked_of_the_network(page: webdriver.Chrome) -> None:
    assert page.execute_script("return performance.getEntriesByType('resource').length") == 0
    refused = page.execute_async_script(
        "const done = arguments[0];"
        "fetch('http://127.0.0.1:9/').then(() => done('sent'), (error) => done(String(error)))"
    )
    assert "TypeError" in refused
    assert any("Content Security Policy" in line["message"] for line in page.get_log("browser"))


def test_a_reply_is_text_whatever_it_holds(page: webdriver.Chrome) -> None:
    search(page, "owned = 1")
    page.find_element("css selector", "#every-list .row").click()
    bubbles = [text for text in texts(page, ".reply div") if "owned" in text]
    assert len(bubbles) == 2  # among what broke, and below its row
    for text in bubbles:
        assert "</script><script>window.owned = 1</script><img src=x onerror='window.owned = 2'>" in text
        assert r"\u{202e}gnorw\u{2069} \u{d800}" in text
    assert page.execute_script("return window.owned === undefined")
    assert (
        page.execute_script("return document.querySelectorAll('main img, main a, main style, main script[src]').length")
        == 0
    )
    assert page.execute_script("return document.querySelectorAll('script').length") == 4
    assert page.get_log("browser") == []


def test_filters_by_verdict_rule_class_cell_and_text(page: webdriver.Chrome) -> None:
    found = "#found"
    assert texts(page, found) == ["8 of 8 attempts"]
    for field, value, count in (
        ("verdict", "broke", 3), ("rule", "H1", 2), ("attack", "secrecy_promise", 2), ("cell", "bot", 2),
    ):  # fmt: skip
        choose(page, field, value)
        assert texts(page, found) == [f"{count} of 8 attempts"]
    search(page, "SECRET IS 42")
    assert texts(page, found) == ["1 of 8 attempts"]
    assert [row.split("\n")[1].split()[0] for row in texts(page, "#every-list .row")] == ["H1"]
    page.find_element("css selector", "#filters [type=reset]").click()
    until(page, "return document.getElementById('found').textContent === '8 of 8 attempts'")
    search(page, "nobody ever said this")
    assert texts(page, found) == ["0 of 8 attempts"]


def test_the_keyboard_steps_filters_and_searches(page: webdriver.Chrome) -> None:
    numbers = []
    for key in "jjjk":
        press(page, key)
        numbers.append(focused(page))
    assert numbers == ["1", "2", "0", "2"]
    press(page, "f")
    assert page.find_element("id", "by-verdict").get_attribute("value") == "broke"
    assert texts(page, "#found") == ["3 of 8 attempts"]
    assert focused(page) == "button"
    press(page, Keys.ENTER)
    assert page.execute_script("return document.activeElement.getAttribute('aria-expanded')") == "true"
    assert len(texts(page, "#every-list article")) == 1
    press(page, "j")
    assert page.execute_script("return document.activeElement.matches('#every-list li:nth-child(2) > .row')")
    press(page, "/")
    assert focused(page) == "by-text"
    press(page, "j", "f", "k")
    assert page.find_element("id", "by-text").get_attribute("value") == "jfk"
    until(page, "return document.getElementById('found').textContent === '0 of 8 attempts'")
    assert focused(page) == "by-text"
    press(page, Keys.ESCAPE)
    assert focused(page) == "body"
    press(page, "f")
    assert page.find_element("id", "by-verdict").get_attribute("value") == ""


def test_scores_floors_tools_and_places_are_told(page: webdriver.Chrome) -> None:
    for row in page.find_elements("css selector", "#every-list .row"):
        row.click()
    whole = "\n".join(texts(page, "#every-list article"))
    for words in ("Judge strict, says pass", "0.2, no floor", "hush", "Tool call send_mail", '"to": "<b>x</b>"',
                  "result: sent", "suites/a.yaml:7", "cell other temperature=1", "no answer in 60 s",
                  "checks that held: not_regex",
                  "guardgate show guardgate-results/one.jsonl 7"):  # fmt: skip
        assert words in whole


@pytest.mark.parametrize(("colours", "width"), [("light", 1200), ("dark", 1200), ("light", 360), ("dark", 360)])
def test_axe_finds_nothing_and_nothing_is_too_wide(page: webdriver.Chrome, colours: str, width: int) -> None:
    skip_if_left_out("npm")
    scheme(page, colours)
    size(page, width)
    for row in page.find_elements("css selector", "#every-list .row")[:3]:
        row.click()
    for details in page.find_elements("css selector", "details summary"):
        details.click()
    assert axe(page) == []
    assert page.execute_script("return document.documentElement.scrollWidth") <= width
    dark = page.execute_script("return getComputedStyle(document.body).backgroundColor") == "rgb(22, 21, 19)"
    assert dark is (colours == "dark")


def test_on_paper_are_the_verdict_and_what_broke(page: webdriver.Chrome) -> None:
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        for hidden in ("nav", "#every", ".more"):
            assert page.execute_script(f"return getComputedStyle(document.querySelector('{hidden}')).display") == "none"
        assert "broke" in texts(page, "#broke")[0]
        assert page.execute_cdp_cmd("Page.printToPDF", {})["data"].startswith("JVBER")
    finally:
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_twenty_thousand_attempts_open_search_and_step(chrome: webdriver.Chrome, tmp_path: Path) -> None:
    of = plan([hard(), soft()], [case("H1" if n % 2 else "S1", f"c{n}") for n in range(20_000)])
    attempts = [
        (broke if n % 50 == 0 else held)(of, n, f"Reply {n} says what it says, {'at some length, ' * 20}and ends.")
        for n in range(20_000)
    ]
    shown(chrome, tmp_path, told(of, attempts), attempts)
    assert texts(chrome, "#found") == ["20,000 of 20,000 attempts"]
    assert chrome.execute_script("return document.querySelectorAll('*').length") < 4000
    assert len(texts(chrome, "#broke-list > li")) == 10
    search(chrome, "reply 12345 says")
    assert texts(chrome, "#found") == ["1 of 20,000 attempts"]
    choose(chrome, "verdict", "broke")
    search(chrome, "")
    assert texts(chrome, "#found") == ["400 of 20,000 attempts"]
    chrome.find_element("css selector", "#every-list + .more").click()
    assert len(texts(chrome, "#every-list > li")) == 200
    chrome.execute_script("document.querySelector('#broke-list > li:nth-child(10) article').focus()")
    press(chrome, "j")
    assert focused(chrome) == chrome.execute_script(
        "return document.querySelector('#broke-list > li:nth-child(11) article').dataset.n"
    )
