"""A real browser without a window: Chromium, driven by selenium. Installed where it is missing, or the test fails."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from tests.support.left_out import missing
from tests.support.npm import CACHE

#: Seconds for the packages, and for the browser to do what it was told.
PATIENCE = 600.0
WAIT = 60.0
_ENVIRON = dict(os.environ)
_NAMES = (("chromium", "chromium-browser", "google-chrome"), ("chromedriver",))
_QUIET = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions"),
)


def _programs() -> tuple[str | None, ...]:
    path = _ENVIRON.get("PATH")
    return tuple(next((found for name in names if (found := shutil.which(name, path=path))), None) for names in _NAMES)


def programs() -> tuple[str, str]:
    """Chromium and its driver; from Debian's packages where they are not there. The test fails where that fails."""
    browser, driver = _programs()
    if browser is None or driver is None:
        with _alone():
            browser, driver = _programs()
            if browser is None or driver is None:
                _install()
                browser, driver = _programs()
    if browser is None or driver is None:
        missing("browser", "no programs chromium and chromedriver")
    return browser, driver


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Two workers of one test run must not install at once."""
    CACHE.mkdir(exist_ok=True)
    lock = CACHE / "browser.lock"
    until = time.monotonic() + PATIENCE
    while True:
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
            break
        except FileExistsError:
            if time.monotonic() > until:
                missing("browser", f"{lock}, which another process did not take away")
            time.sleep(0.5)
    try:
        yield
    finally:
        lock.unlink()


def _install() -> None:
    apt = shutil.which("apt-get", path=_ENVIRON.get("PATH"))
    if apt is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        missing("browser", "no programs chromium and chromedriver, and no apt-get that may install them")
    said = ""
    for words in (["update"], ["install", "-y", "--no-install-recommends", "chromium", "chromium-driver"]):
        done = subprocess.run(
            [apt, *words], env=_ENVIRON | {"DEBIAN_FRONTEND": "noninteractive"}, stdin=subprocess.DEVNULL,
            capture_output=True, encoding="utf-8", check=False, timeout=PATIENCE,
        )  # fmt: skip
        said = f"apt-get {words[0]} that ended with {done.returncode}: {done.stderr[-300:]}"
    print(said, file=sys.stderr)


@contextlib.contextmanager
def browser() -> Iterator[webdriver.Chrome]:
    """A browser with a profile of its own, which is gone afterwards."""
    found, driver = programs()
    options = webdriver.ChromeOptions()
    options.binary_location = found
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for argument in (*_QUIET, f"--user-data-dir={profile}"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        chrome = webdriver.Chrome(options=options, service=Service(driver))
        try:
            chrome.set_page_load_timeout(WAIT)
            chrome.set_script_timeout(WAIT)
            yield chrome
        finally:
            chrome.quit()


def size(chrome: webdriver.Chrome, width: int, height: int = 900) -> None:
    """Exactly so many pixels, which a window may not give."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def scheme(chrome: webdriver.Chrome, name: str) -> None:
    """`dark` or `light`, and nothing moves."""
    features = [
        {"name": "prefers-color-scheme", "value": name}, {"name": "prefers-reduced-motion", "value": "reduce"},
    ]  # fmt: skip
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def opened(chrome: webdriver.Chrome, file: Path) -> list[dict[str, Any]]:
    """Open a file from disk; what the console said."""
    chrome.get_log("browser")
    chrome.get(file.as_uri())
    said: list[dict[str, Any]] = chrome.get_log("browser")
    return said
