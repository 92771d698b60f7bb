"""docs/persona-run.md says what the committed results say, decided anew."""

from __future__ import annotations

import re
from functools import cache

from guardgate.attacks import TABLE
from tests.docs.pages import table
from tests.suites.persona.classes import Classes, classes, rows
from tests.support.project import ROOT, gated

RUNS = ROOT / "docs" / "persona-run"
PAGE = (ROOT / "docs" / "persona-run.md").read_text(encoding="utf-8")
FLAT = " ".join(PAGE.split())
CLASSES = [name for name, row in TABLE.items() if row.channel == "conversation"]
BOTS = ("careful", "told", "bare", "careless")


@cache
def found(bot: str) -> Classes:
    return classes(RUNS / f"{bot}.jsonl")


def test_the_table_is_what_the_results_give() -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith("| `") and line.split("`")[1] in TABLE]
    assert lines == rows({bot: found(bot) for bot in BOTS})


def test_the_gate_gives_the_codes_of_the_page() -> None:
    said = {row[0].strip("`"): row[-1] for row in table("docs/persona-run.md", "bot")}
    assert said == {bot: str(gated(RUNS / f"{bot}.jsonl")) for bot in BOTS}


def test_in_how_many_classes_they_differ() -> None:
    careful, careless = found("careful").broke, found("careless").broke
    assert not sum(careful.values())
    assert all(careless[name] for name in CLASSES)
    broken = {bot: {name for name in CLASSES if found(bot).broke[name]} for bot in ("told", "bare")}
    said = re.search(
        r"`told` breaks something in (\d+) of the 18 classes, `bare` in (\d+), one of the two in (\d+)", FLAT
    )
    assert said is not None
    apart = {bot: [name for name in CLASSES if 0 < found(bot).broke[name] < careless[name]] for bot in ("told", "bare")}
    assert len(apart["told"]) >= 12
    assert f"in {len(apart['told'])} classes for `told` and in {len(apart['bare'])} for `bare`" in FLAT
    both = broken["told"] | broken["bare"]
    assert [int(one) for one in said.groups()] == [len(broken["told"]), len(broken["bare"]), len(both)]
