"""What a reader of the page sees and does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.support.wait import WebDriverWait

from guardgate.report import render
from tests.report.build import HEAD, RESULTS, Told
from tests.support import npm
from tests.support.browser import WAIT, opened

AXE = npm.Member(
    package="axe-core",
    version="4.14.1",
    integrity="sha512-FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==",
    name="package/axe.min.js",
    sha256="29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c",
)


def shown(chrome: webdriver.Chrome, folder: Path, one: Told, attempts: list[Any]) -> None:
    """Write the page to a file and open it; the console has nothing to say."""
    file = folder / "page.html"
    with file.open("w", encoding="utf-8") as out:
        out.writelines(render("html", one.summary, one.gate, HEAD, RESULTS, attempts=attempts))
    assert opened(chrome, file) == []


def texts(chrome: webdriver.Chrome, selector: str) -> list[str]:
    """The visible text of every element."""
    script = "return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText)"
    found: list[str] = chrome.execute_script(script, selector)
    return found


def press(chrome: webdriver.Chrome, *keys: str) -> None:
    """Keys go where the focus is."""
    for key in keys:
        chrome.switch_to.active_element.send_keys(key)


def focused(chrome: webdriver.Chrome) -> Any:
    """Number of the attempt that has the focus, id of a field, or the name of the element."""
    script = "const on = document.activeElement; return on.dataset.n ?? (on.id || on.localName)"
    return chrome.execute_script(script)


def until(chrome: webdriver.Chrome, script: str, *arguments: Any) -> Any:
    """Wait for what the script returns to be true."""
    return WebDriverWait(chrome, WAIT, poll_frequency=0.05).until(lambda one: one.execute_script(script, *arguments))


def choose(chrome: webdriver.Chrome, field: str, value: str) -> None:
    """One of the filters."""
    chrome.execute_script(
        "const field = document.getElementById(arguments[0]); field.value = arguments[1];"
        "if (field.value !== arguments[1]) throw new Error('no such choice');"
        "field.dispatchEvent(new Event('change'))",
        f"by-{field}", value,
    )  # fmt: skip


def search(chrome: webdriver.Chrome, words: str) -> None:
    """Write into the search field at once, and wait until it was heeded: once, so nothing is made again later."""
    chrome.execute_script(
        "document.getElementById('found').textContent = '';"
        "const field = document.getElementById('by-text'); field.focus(); field.value = arguments[0];"
        "field.dispatchEvent(new Event('input'))",
        words,
    )
    until(chrome, "return document.getElementById('found').textContent !== ''")


def axe(chrome: webdriver.Chrome) -> list[str]:
    """What axe-core finds: every rule of WCAG 2.2 A and AA, and its best practices."""
    chrome.execute_script(npm.read(AXE).decode())
    found = chrome.execute_async_script(
        "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then("
        "(all) => done(all.violations.flatMap((one) => one.nodes.map((node) => "
        "`${one.id}: ${node.target}: ${node.failureSummary}`))), (error) => done([String(error)]))"
    )
    assert isinstance(found, list)
    return found
