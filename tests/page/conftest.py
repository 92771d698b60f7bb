"""One browser for each file of tests, in light colours and wide unless a test says otherwise."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium import webdriver

from tests.support.browser import browser, scheme, size
from tests.support.left_out import skip_if_left_out


@pytest.fixture(scope="module")
def one_browser() -> Iterator[webdriver.Chrome]:
    skip_if_left_out("browser")
    with browser() as chrome:
        yield chrome


@pytest.fixture
def chrome(one_browser: webdriver.Chrome) -> webdriver.Chrome:
    size(one_browser, 1200)
    scheme(one_browser, "light")
    return one_browser
