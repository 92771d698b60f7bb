"""Reading and marking in a real browser, at the server behind `guardgate review`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from selenium import webdriver

from guardgate.marks import read
from guardgate.results import open_results
from guardgate.reviewing import Desk, serving
from tests.judging.court import here, left_to_judges
from tests.judging.test_marks import MARKS, played
from tests.page.eyes import axe, press, search, texts, until
from tests.support.left_out import skip_if_left_out

RULE = left_to_judges(
    judge={"required_scores": {"quiet": 1.0, "route": 0.5}}, checks={"not_contains": {"any": ["ZEBRA"]}}
)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[str]:
    played(tmp_path, "good", "odd", "bad", "code", rules=[RULE])
    with serving(Desk(open_results(tmp_path / "results.jsonl"), tmp_path / MARKS, "Dana")) as address:
        yield address


def opened(chrome: webdriver.Chrome, address: str, words: str) -> None:
    """The page, with the one row that has these words opened."""
    chrome.get_log("browser")
    chrome.get(address)
    search(chrome, words)
    chrome.find_element("css selector", "#every-list .row").click()


def test_a_mark_is_signed_on_the_page_and_stands_in_the_file(
    chrome: webdriver.Chrome, desk: str, tmp_path: Path
) -> None:
    opened(chrome, desk, "nobody can tell")
    form = chrome.find_element("css selector", "#every-list form.mark")
    assert form.find_element("name", "by").get_attribute("value") == "Dana"
    form.find_element("css selector", "[value=broke]").click()
    form.find_element("css selector", "select").send_keys("route")
    form.find_element("name", "note").send_keys("No route </script><b>here</b>")
    assert str(form.find_element("name", "note").get_property("value")).endswith("</b>")
    form.find_element("css selector", "[type=submit]").click()
    until(chrome, "return document.querySelector('#every-list .done') !== null")
    (mark,) = read(tmp_path / MARKS)
    assert (mark.case, mark.verdict, mark.criterion) == ("odd", "broke", "route")
    assert "mark:Dana broke: No route </script><b>here</b>" in texts(chrome, "#every-list article")[0]
    assert chrome.get_log("browser") == []
    chrome.refresh()
    assert "1 (odd) broke by mark of Dana" in texts(chrome, "#judges")[0]
    link = chrome.find_element("css selector", "a[download]").get_attribute("href")
    anchors = chrome.execute_async_script("fetch(arguments[0]).then((one) => one.text()).then(arguments[1])", link)
    assert "criterion: route" in anchors
    assert here(tmp_path, "gate", "results.jsonl", "--marks", MARKS).code == 2


def test_what_may_not_be_marked_says_why_and_an_incomplete_form_is_not_sent(
    chrome: webdriver.Chrome, desk: str, tmp_path: Path
) -> None:
    opened(chrome, desk, "zebra")
    why = "No mark may decide this: check:not_contains is code, and says broke."
    assert why in texts(chrome, "#every-list article")[0]
    opened(chrome, desk, "nobody can tell")
    chrome.find_element("css selector", "#every-list form.mark [type=submit]").click()
    assert not (tmp_path / MARKS).exists()


def test_the_keys_are_letters_while_somebody_writes(chrome: webdriver.Chrome, desk: str) -> None:
    opened(chrome, desk, "nobody can tell")
    note = chrome.find_element("css selector", "#every-list form.mark textarea")
    note.click()
    press(chrome, "j", "f", "/")
    assert note.get_attribute("value") == "jf/"


def test_a_mark_that_cannot_be_written_is_told(chrome: webdriver.Chrome, desk: str, tmp_path: Path) -> None:
    opened(chrome, desk, "nobody can tell")
    (tmp_path / MARKS).mkdir()
    form = chrome.find_element("css selector", "#every-list form.mark")
    form.find_element("css selector", "[value=held]").click()
    form.find_element("name", "note").send_keys("Fine.")
    form.find_element("css selector", "[type=submit]").click()
    told = "return document.querySelector('#every-list form.mark [role=status]').textContent"
    until(chrome, f"{told}.startsWith('Not written: ')")


def test_a_page_from_elsewhere_reads_nothing_and_writes_nothing(
    chrome: webdriver.Chrome, desk: str, tmp_path: Path
) -> None:
    """Another server of this machine, whose page knows even the word."""
    (tmp_path / "other").mkdir()
    played(tmp_path / "other", "good")
    with serving(Desk(open_results(tmp_path / "other" / "results.jsonl"), tmp_path / "other" / MARKS)) as other:
        chrome.get(other.rsplit("/", 2)[0] + "/nothing")
        assert urlsplit(chrome.current_url).port != urlsplit(desk).port
        for options in ("{}", "{method: 'POST', mode: 'no-cors', body: '{}'}"):
            told = chrome.execute_async_script(
                f"const done = arguments[1]; fetch(arguments[0], {options})"
                ".then((answer) => answer.text().then((text) => done('read ' + text)), () => done('refused'))",
                desk,
            )
            assert told in ("refused", "read ")
    assert not (tmp_path / MARKS).exists()


def test_axe_finds_nothing_on_a_page_for_review(chrome: webdriver.Chrome, desk: str) -> None:
    skip_if_left_out("npm")
    opened(chrome, desk, "nobody can tell")
    assert axe(chrome) == []
