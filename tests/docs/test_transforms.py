"""docs/transforms.md shows what each transform writes, and docs/statistics.md what the simulations gave."""

from __future__ import annotations

import re

from guardgate.transforms import NONE, TABLE
from tests.docs.pages import headings, table, text_of
from tests.docs.transforms import PAGE, refreshed


def test_the_page_shows_what_is_sent() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert refreshed(text) == text, "python -m tests.docs.transforms brings docs/transforms.md up to date"


def test_every_transform_has_its_section() -> None:
    assert headings("docs/transforms.md", 3) == [name for name in TABLE if name != NONE]


def test_the_numbers_of_the_simulations_are_those_of_their_last_output() -> None:
    said = text_of("docs/slow/statistics.txt")
    found = re.findall(
        r"(coverage|size), ICC ([\d.]+), true rate ([\d.]+): ([\d.]+) %(?: \(pooled Wilson ([\d.]+) %\))?", said
    )
    written = {(row[0], row[1]): row[2:] for row in table("docs/statistics.md", "correlation")}
    by_place: dict[tuple[str, str], list[str]] = {}
    sizes = {(icc, rate): share for what, icc, rate, share, _ in found if what == "size"}
    for what, icc, rate, share, pooled in found:
        if what == "coverage":
            by_place[icc, rate] = [
                f"{share} %",
                f"{pooled} %",
                f"{sizes[icc, rate]} %" if (icc, rate) in sizes else "-",
            ]
    assert written == by_place
    assert " passed" in said


def test_the_intervals_of_fewer_cases_are_those_of_that_output() -> None:
    found: dict[tuple[str, str], list[float]] = {}
    for *place, share in re.findall(
        r"(\d+) cases, (\d+) repeats, .*: ([\d.]+) % \(", text_of("docs/slow/statistics.txt")
    ):
        found.setdefault((place[0], place[1]), []).append(float(share))
    written = {(row[0], row[1]): row[2] for row in table("docs/statistics.md", "cases")}
    assert written == {place: f"{min(shares)} % to {max(shares)} %" for place, shares in found.items()}
