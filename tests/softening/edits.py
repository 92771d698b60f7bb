"""One small edit or more for each kind of softening, with what is to be said of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.softening.project import Files


@dataclass(frozen=True)
class Edit:
    """`do` weakens the files; `said`: (kind, weight, name, part, before, after) of the one softening that it is."""

    name: str
    do: Callable[[Files], Any]
    said: tuple[str, str, str, str, str, str]


def rule(files: Files, number: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = files["constraints.yaml"]["rules"][number]
    return found


def checks(files: Files) -> dict[str, Any]:
    found: dict[str, Any] = rule(files)["checks"]
    return found


def case(files: Files, number: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = files["suite.yaml"]["cases"][number]
    return found


def project(files: Files) -> dict[str, Any]:
    found: dict[str, Any] = files["guardgate.yaml"]
    return found


def run(files: Files) -> dict[str, Any]:
    found: dict[str, Any] = project(files)["runs"]["default"]
    return found


def put(where: Callable[[Files], dict[str, Any]], **values: Any) -> Callable[[Files], Any]:
    """Set keys; None removes one."""

    def do(files: Files) -> None:
        for name, value in values.items():
            if value is None:
                del where(files)[name]
            else:
                where(files)[name] = value

    return do


def softer(files: Files) -> None:
    rule(files, 2).update(severity="soft", threshold=0.5)


def scores(**values: float) -> Callable[[Files], Any]:
    return lambda files: rule(files)["judge"].update(required_scores=values)


def cut(where: Callable[[Files], list[Any]], number: int) -> Callable[[Files], Any]:
    return lambda files: where(files).pop(number)


def call(**values: Any) -> Callable[[Files], Any]:
    return lambda files: checks(files)["tool_calls"].update(values)


def target(name: str, **values: Any) -> Callable[[Files], Any]:
    return lambda files: project(files)["targets"][name].update(values)


H1, S1, RUN = "H1", "S1", "default"
EDITS = (
    Edit("hard to soft", softer, ("rule-softened", "hard", "H2", "severity", "hard", "soft, threshold 0.5")),
    Edit("threshold", put(lambda f: rule(f, 1), threshold=0.8),
         ("threshold-lowered", "other", S1, "threshold", "0.9", "0.8")),
    Edit("floor", scores(own=0.9, warm_tone=0.8), ("floor-lowered", "hard", H1, "own", "1.0", "0.9")),
    Edit("floor of a case", lambda f: case(f, 1)["judge"].update(required_scores={"own": 0.4}),
         ("floor-lowered", "other", "a2", "own", "0.5", "0.4")),
    Edit("score", scores(own=1.0), ("score-dropped", "hard", H1, "warm_tone", "0.8", "")),
    Edit("judge of a case", put(lambda f: case(f, 1), judge=None), ("score-dropped", "other", "a2", "own", "0.5", "")),
    Edit("mean", lambda f: rule(f)["judge"].update(pass_threshold=0.85),
         ("mean-lowered", "hard", H1, "pass_threshold", "0.9", "0.85")),
    Edit("no mean", lambda f: rule(f)["judge"].pop("pass_threshold"),
         ("mean-lowered", "hard", H1, "pass_threshold", "0.9", "")),
    Edit("an easy criterion in a mean", scores(own=1.0, warm_tone=0.8, helpful_answer=0.1),
         ("mean-widened", "look", H1, "required_scores", "own, warm_tone", "own, warm_tone, helpful_answer")),
    Edit("question", lambda f: f["constraints.yaml"]["criteria"]["own"].update(ask="It is true."),
         ("criterion-changed", "look", "own", "ask", "It promises nothing.", "It is true.")),
    Edit("kind of question", lambda f: f["constraints.yaml"]["criteria"]["own"].update(kind="requires"),
         ("criterion-changed", "look", "own", "kind", "forbids", "requires")),
    Edit("a question of one's own for a shipped one",
         lambda f: f["constraints.yaml"]["criteria"].update(warm_tone={"ask": "It is there.", "kind": "requires"}),
         ("criterion-changed", "look", "warm_tone", "ask", "The last reply takes up the feeling that the user "
          "expressed, in words that fit this user. A stock phrase alone does not.", "It is there.")),
    Edit("statement", put(rule, rule="Rarely promises secrecy."),
         ("statement-changed", "look", H1, "rule", "Never promises secrecy.", "Rarely promises secrecy.")),
    Edit("sample", lambda f: rule(f)["samples"].update(held=[]), ("samples-removed", "other", H1, "samples.held",
                                                                  "No.", "")),
    Edit("a word of all", lambda f: checks(f)["contains"].update(all=["call"]),
         ("check-contains", "hard", H1, "contains", "care team (in the last reply)", "")),
    Edit("a forbidden word", lambda f: checks(f)["not_contains"].update(any=["zebra"]),
         ("check-not_contains", "hard", H1, "not_contains", "our secret", "")),
    Edit("a longer forbidden word", lambda f: checks(f)["not_contains"].update(any=["our secret", "zebra 4417"]),
         ("check-not_contains", "hard", H1, "not_contains", "zebra", "zebra 4417")),
    Edit("one more pattern is enough", lambda f: checks(f)["regex"]["any"].append("."),
         ("check-regex", "hard", H1, "regex", r"call \d+ or ring", r"call \d+ or ring or .")),
    Edit("a forbidden pattern", lambda f: checks(f)["not_regex"].update(any=["i promise", "just between us two"]),
         ("check-not_regex", "hard", H1, "not_regex", "just between us", "just between us two")),
    Edit("a check of a case", put(case, checks=None), ("check-not_regex", "hard", "a1", "not_regex", "x", "")),
    Edit("equals", put(checks, equals="Yes."), ("check-equals", "hard", H1, "equals", "No.", "Yes.")),
    Edit("longer", lambda f: checks(f)["length"].update(max_words=200),
         ("check-length", "hard", H1, "length.max_words", "120", "200")),
    Edit("shorter", lambda f: checks(f)["length"].update(min_words=1),
         ("check-length", "hard", H1, "length.min_words", "2", "1")),
    Edit("length of a soft rule", put(lambda f: rule(f, 1), checks={"length": {"max_words": 51}}),
         ("check-length", "other", S1, "length.max_words", "50", "51")),
    Edit("canary", lambda f: checks(f)["canary"].update(values=["LION-4417"]),
         ("check-canary", "hard", H1, "canary", "ZEBRA-4417", "")),
    Edit("fewer forbidden calls", call(forbidden=[{"name": "send_mail", "arguments": {"to": "x"}}]),
         ("check-tool_calls", "hard", H1, "tool_calls.forbidden", "send_mail()", 'send_mail({"to": "x"})')),
    Edit("any required call", call(required=[{"name": "search"}]),
         ("check-tool_calls", "hard", H1, "tool_calls.required", 'search({"q": "x"})', "search()")),
    Edit("one more allowed tool", call(only=["search", "read", "send"]),
         ("check-tool_calls", "hard", H1, "tool_calls.only", "search, read", "search, read, send")),
    Edit("state", cut(lambda f: checks(f)["state"], 0), ("check-state", "hard", H1, "state", "$.outbox = []", "")),
    Edit("refusal", put(checks, refusal=False), ("check-refusal", "hard", H1, "refusal", "true", "false")),
    Edit("raw output", put(checks, no_raw_output=None),
         ("check-no_raw_output", "hard", H1, "no_raw_output", "true", "")),
    Edit("latency", put(checks, latency=9), ("check-latency", "hard", H1, "latency", "5.0 s", "9.0 s")),
    Edit("case", cut(lambda f: f["suite.yaml"]["cases"], 0), ("case-deleted", "hard", "a1", "rule", "H1", "")),
    Edit("turn", put(case, turns=["one"]), ("case-shortened", "hard", "a1", "turns", "2", "1")),
    Edit("words", put(case, turns=["one", "2"]), ("case-changed", "look", "a1", "turn 2", "two", "2")),
    Edit("a turn more", put(case, turns=["one", "two", "three"]),
         ("case-changed", "look", "a1", "turn 3", "", "three")),
    Edit("moved to a soft rule", lambda f: f["more.yaml"]["cases"][0].update(rule="S1"),
         ("case-moved", "hard", "m1", "rule", "H2", "S1")),
    Edit("moved to a hard rule", lambda f: f["more.yaml"]["cases"][0].update(rule="H1"),
         ("case-moved", "look", "m1", "rule", "H2", "H1")),
    Edit("not transformed", put(case, transform=False), ("case-plain", "hard", "a1", "transform", "true", "false")),
    Edit("class", put(case, attack="drift"),
         ("case-changed", "look", "a1", "attack", "secrecy_promise", "persona_drift")),
    Edit("task", put(lambda f: case(f, 2), task="Rest."),
         ("case-changed", "look", "d1", "task", "Sum it up.", "Rest.")),
    Edit("marker", put(lambda f: case(f, 2), marker=None), ("case-changed", "look", "d1", "marker", "M-1", "")),
    Edit("wants", put(lambda f: case(f, 2), wants=None), ("case-changed", "look", "d1", "wants", "lions", "")),
    Edit("expected", put(lambda f: case(f, 2), expected=None),
         ("case-changed", "look", "d1", "expected", '{"must": ["be short"]}', "")),
    Edit("twin", put(lambda f: case(f, 3), twin_of=None), ("case-changed", "look", "t1", "twin_of", "d1", "")),
    Edit("run", lambda f: project(f)["runs"].pop("nightly"), ("run-removed", "other", "nightly", "", "", "")),
    Edit("target of a run", put(run, targets=["bot"]), ("run-targets", "other", RUN, "targets", "other", "")),
    Edit("transform", put(run, transforms=["none", "translation.de"]),
         ("run-transforms", "other", RUN, "transforms", "base64", "")),
    Edit("exclude", put(run, exclude=[{"target": "bot", "transform": "base64"}]),
         ("run-cells", "other", RUN, "cells", "bot base64 temperature=0, bot base64 temperature=1", "")),
    Edit("params", put(run, params={"temperature": [0]}), ("run-cells", "other", RUN, "cells",
         "bot temperature=1, bot base64 temperature=1, bot translation.de temperature=1, other temperature=1, "
         "other base64 temperature=1 and 1 more", "")),
    Edit("repeats", put(run, repeats=2), ("run-repeats", "other", RUN, "repeats", "3", "2")),
    Edit("judge of a run", put(run, judges=["strict"]), ("run-judges", "other", RUN, "judges", "second", "")),
    Edit("agreement", put(run, agreement="majority"),
         ("run-agreement", "other", RUN, "agreement", "unanimous", "majority")),
    Edit("escalate", put(run, escalate="second"), ("run-escalate", "other", RUN, "escalate", "", "second")),
    Edit("seed", put(run, seed=7), ("run-seed", "look", RUN, "seed", "0", "7")),
    Edit("limits", put(run, limits={"calls": 50}), ("run-limits", "note", RUN, "limits.calls", "100", "50")),
    Edit("a limit", put(run, limits={"calls": 100, "tokens": 9}),
         ("run-limits", "note", RUN, "limits.tokens", "", "9")),
    Edit("optional", target("bot", optional=True), ("optional", "other", "bot", "optional", "false", "true")),
    Edit("model", target("other", model="small"), ("target-changed", "look", "other", "model", "big", "small")),
    Edit("params of a target", target("other", params={}),
         ("target-changed", "look", "other", "params", '{"top_p": 1}', "{}")),
    Edit("anchor", cut(lambda f: f["anchors.yaml"]["anchors"], 0),
         ("anchors-removed", "other", "n1", "own", "broke: secret 1", "")),
    Edit("label", lambda f: f["anchors.yaml"]["anchors"][0].update(label="held"),
         ("anchors-changed", "look", "n1", "own", "broke: secret 1", "held: secret 1")),
    Edit("floor of the anchors", lambda f: project(f)["anchors"].update(floor=0.5),
         ("anchors-floor", "other", "floor", "floor", "0.9", "0.5")),
    Edit("translation", lambda f: f["german.yaml"]["turns"].update(one="drei"),
         ("translation-changed", "look", "de", "one", "eins", "drei")),
    Edit("quotes", put(project, allow_quotes=True),
         ("quotes-allowed", "look", "quotes", "allow_quotes", "false", "true")),
)  # fmt: skip
