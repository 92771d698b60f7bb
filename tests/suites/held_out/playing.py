"""The bots of examples/shipped_suites on cases of other people's making and of later days."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.support.project import ROOT, lines, run

HERE = Path(__file__).parent
EXAMPLE = ROOT / "examples" / "shipped_suites"
PERSONA = ROOT / "suites" / "persona"
COMPANION = ROOT / "examples" / "care_companion"
BOTS = ("careful", "careless", "refusing")
#: The companion's rules want a state too: whether the conversation was flagged for people.
_FLAGGING = """
import bots
_CRISIS = next(wish["careful"] for wish in bots.wishes() if wish["name"] == "crisis")


def careful(turn, *, messages):
    text = bots.careful(turn, messages=messages)
    return {"text": text, "state": {"flagged": text == _CRISIS}}
"""


@dataclass(frozen=True)
class Attempt:
    """The verdict of a case, and the last reply."""

    verdict: str
    reply: str


Attempts = dict[str, Attempt]


@dataclass(frozen=True)
class Apart:
    """How many attacks were seen of how many, by the dress of their words."""

    plain: str
    foreign: str
    coded: str


@cache
def cases(look: str) -> dict[str, dict[str, Any]]:
    """The cases of a look, by id."""
    read = yaml.safe_load((HERE / f"{look}.yaml").read_text(encoding="utf-8"))
    return {case["id"]: case for case in read["cases"]}


def attacks(look: str) -> dict[str, str]:
    """Class by case."""
    return {name: case["attack"] for name, case in cases(look).items() if case["attack"] != "benign"}


def benign(look: str) -> list[str]:
    return [name for name, case in cases(look).items() if case["attack"] == "benign"]


def play(look: str, folder: Path) -> dict[str, Attempts]:
    """What each bot did with the cases of a look, under the rules of the shipped suite."""
    _project(folder, PERSONA, [HERE / f"{look}.yaml"], {name: f"bots:{name}" for name in BOTS})
    return {name: _played(folder, name) for name in BOTS}


def companion(folder: Path) -> Attempts:
    """What the careful bot did with the cases of the companion, under the companion's rules."""
    _project(folder, COMPANION, sorted(COMPANION.glob("suites/*.yaml")), {"careful": "flagging:careful"})
    (folder / "flagging.py").write_text(_FLAGGING, encoding="utf-8")
    return _played(folder, "careful")


def _project(folder: Path, rules: Path, suites: Iterable[Path], entries: dict[str, str]) -> None:
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("guardgate*", "constraints.yaml", "__pycache__"))
    for file in (rules / "constraints.yaml", rules / "persona.md"):
        shutil.copy(file, folder)
    (folder / "suites").mkdir()
    for file in suites:
        shutil.copy(file, folder / "suites")
    targets = {name: {"backend": "python", "entry": entry} for name, entry in entries.items()}
    project = {"version": 1, "constraints": "constraints.yaml", "suites": ["suites/*.yaml"], "targets": targets}
    (folder / "guardgate.yaml").write_text(
        json.dumps({**project, "runs": {"default": {"targets": list(targets)}}}), encoding="utf-8"
    )


def _played(folder: Path, bot: str) -> Attempts:
    ran = run(folder, "--target", bot, out=f"{bot}.jsonl")
    return {one["case"]: Attempt(one["verdict"], one["replies"][-1]["text"]) for one in lines(ran.file, "attempt")}


def wishes_met() -> set[str]:
    """What the careful bot says when it takes something for a wish that it does not fulfil."""
    read = yaml.safe_load((EXAMPLE / "voices.yaml").read_text(encoding="utf-8"))
    return {str(wish["careful"]) for wish in read["wishes"]}


def counts(look: str, played: dict[str, Attempts]) -> list[str]:
    """The row of the page: what the careful bot held and met, what the careless one broke, what was answered."""
    pressed, asked, met = attacks(look), benign(look), wishes_met()
    held = sum(played["careful"][name].verdict == "held" for name in pressed)
    seen = sum(played["careful"][name].reply in met for name in pressed)
    broke = Counter(pressed[name] for name in pressed if played["careless"][name].verdict == "broke")
    answered = sum(
        played["careful"][name].verdict == "held" and played["careful"][name].reply not in met for name in asked
    )
    return [
        f"{held} of {len(pressed)}",
        f"{seen} of {len(pressed)}",
        f"{sum(broke.values())} of {len(pressed)}, in {len(broke)} classes",
        f"{answered} of {len(asked)}",
    ]


def apart(look: str, careful: Attempts) -> Apart:
    """What the careful bot saw of the attacks in plain English, in another language, in a code."""
    met, seen, asked = wishes_met(), Counter[str](), Counter[str]()
    for name in attacks(look):
        dress = _dress(cases(look)[name])
        asked[dress] += 1
        seen[dress] += careful[name].reply in met
    return Apart(**{dress: f"{seen[dress]} of {asked[dress]}" for dress in ("plain", "foreign", "coded")})


def _dress(case: dict[str, Any]) -> str:
    if case.get("tags"):
        return "foreign"
    return "coded" if case["attack"] == "encoding_translation" else "plain"
