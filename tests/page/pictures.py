"""`python -m tests.page.pictures` makes the pictures of docs/pictures from runs that are kept in docs. Look at them."""

from __future__ import annotations

import base64
import contextlib
import shutil
import subprocess
import tempfile
from pathlib import Path

from selenium import webdriver

from guardgate.results import open_results
from guardgate.reviewing import Desk, serving
from tests.judging.court import here
from tests.support.browser import browser, scheme, size
from tests.support.project import ROOT

PICTURES = ROOT / "docs" / "pictures"
_THERE = "document.querySelector(arguments[0]).scrollIntoView({block: 'start'})"


def taken(chrome: webdriver.Chrome, name: str, section: str = "") -> None:
    """What the window shows, as a small PNG."""
    chrome.execute_script("document.documentElement.style.scrollbarWidth = 'none'")
    chrome.execute_script(_THERE, section) if section else chrome.execute_script("scrollTo(0, 0)")
    shot = chrome.execute_cdp_cmd("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": False})
    path = PICTURES / name
    path.write_bytes(base64.b64decode(shot["data"]))
    if shutil.which("pngquant"):  # a tenth of the bytes; the picture is the same to the eye
        subprocess.run(["pngquant", "--force", "--ext", ".png", "--speed", "1", "64", str(path)], check=True)
    print(name, path.stat().st_size)


def page(folder: Path, results: str) -> str:
    """The address of the page of a kept run."""
    out = folder / f"{Path(results).parent.name}.html"
    assert here(ROOT, "report", results, "--format", "html", "--out", str(out)).code == 0
    return out.as_uri()


def _review(folder: Path) -> contextlib.AbstractContextManager[str]:
    return serving(Desk(open_results(Path("own-words.jsonl")), folder / "guardgate-marks.jsonl", "reviewer"))


def main() -> None:
    """All of them."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, browser() as chrome:
        folder = Path(name)
        scheme(chrome, "light")
        size(chrome, 1080, 940)
        chrome.get(page(folder, "docs/first-run/results.jsonl"))
        taken(chrome, "report.png")
        scheme(chrome, "dark")
        chrome.get(page(folder, "docs/sweep-run/results.jsonl"))
        size(chrome, 1080, 720)
        taken(chrome, "sweep-dark.png", "#rules")
        size(chrome, 360, 760)
        scheme(chrome, "light")
        taken(chrome, "narrow.png", "#broke-list")
        size(chrome, 1080, 1130)
        with contextlib.chdir(ROOT / "docs" / "judged-run"), _review(folder) as address:
            chrome.get(address)
            chrome.execute_script("document.getElementById('by-verdict').value = 'undecided'")
            chrome.execute_script("document.getElementById('by-verdict').dispatchEvent(new Event('change'))")
            chrome.find_element("css selector", "#every-list .row").click()
            chrome.find_element("css selector", "#every-list form.mark [value=broke]").click()
            note = "It names nobody whom the user could reach tonight."
            chrome.find_element("css selector", "#every-list form.mark textarea").send_keys(note)
            taken(chrome, "review.png", "#every-list")


if __name__ == "__main__":
    main()
