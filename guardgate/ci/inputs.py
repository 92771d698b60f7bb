"""The inputs of the action: one table that action.yml repeats, and the record that the rest reads."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from types import MappingProxyType

from guardgate.errors import Refused, did_you_mean, one_of
from guardgate.github.mode import MODES

#: Every input of action.yml: its default, and what the reader of action.yml is told.
INPUTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "mode": ("auto", "auto decides by the event; check, live and publish say it."),
        "project": (".", "Project file or its folder, seen from the workspace; * and ** find several bots."),
        "suites": ("", "Play only these suite files, one a line. Such a run never sets the status to success."),
        "run": ("default", "Name of the run that live plays."),
        "target": ("", "Play these targets instead, one a line. Without one that the run names, never a success."),
        "judge": ("", "Let these judges score instead, one a line. Without one that the run names, never a success."),
        "live-label": ("guardgate:live", "The label that starts a live run of a pull request."),
        "require-live": ("false", "true: without a live run on the very commit the step fails with 3."),
        "strict": (
            "false",
            "true: a warning of check gives 3, such as a rule without a case; live plays nothing then.",
        ),
        "fail-on": (
            "hard",
            "What fails the step beside 3. hard: 2; soft: 1 and 2; never: nothing, at night only.",
        ),
        "comment": ("auto", "auto: one comment on the pull request, one issue for the nights; never: neither."),
        "comment-replies": ("auto", "none: no word of a reply; broken: those that broke; auto: broken if private."),
        "status-context": ("guardgate/live", "Name of the commit status of live runs."),
        "config-from": ("head", "base: targets and judges come from the base branch, rules from the pull request."),
        "baseline": ("", "Results of an earlier run, a file or a folder: what is worse than they are raises the code."),
        "setup": ("", "Shell commands that install the app; they run without a token, as a user of their own."),
        "results-dir": ("guardgate-results", "Folder in the workspace for results and reports."),
        "max-calls": ("", "Most calls, where the run allows more."),
        "max-cost-usd": ("", "Most US dollars, where the run allows more."),
        "repeats": ("", "How often each case is played. Less often than the run says: never a success."),
        "concurrency": ("", "Most attempts in flight."),
        "shard": ("", "Play part I of N, as I/N. A part never sets the status to success."),
        "github-token": ("${{ github.token }}", "Token for the status, the label and the label's author."),
        "ca-bundle": ("", "File with certificates that count beside the public ones."),
    }
)
FAIL_ON = ("hard", "soft", "never")
COMMENT = ("auto", "never")
REPLIES = ("auto", "none", "broken")
CONFIG_FROM = ("head", "base")
_COUNT = re.compile(r"[1-9][0-9]{0,8}")
_SHARD = re.compile(r"[1-9][0-9]{0,3}/[1-9][0-9]{0,3}")
_CONTEXT = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._/-]{0,99}")


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the workflow asks for. `token` and `setup` are never shown."""

    mode: str = "auto"
    project: str = "."
    suites: tuple[str, ...] = ()
    run: str = "default"
    targets: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    live_label: str = "guardgate:live"
    require_live: bool = False
    strict: bool = False
    fail_on: str = "hard"
    comment: str = "auto"
    comment_replies: str = "auto"
    status_context: str = "guardgate/live"
    config_from: str = "head"
    baseline: str = ""
    setup: str = field(default="", repr=False)
    results_dir: str = "guardgate-results"
    max_calls: str = ""
    max_cost_usd: str = ""
    repeats: str = ""
    concurrency: str = ""
    shard: str = ""
    token: str = field(default="", repr=False)
    ca_bundle: str = ""


def given(environ: Mapping[str, str]) -> dict[str, str]:
    """The inputs as a runner passes them: `INPUT_` and the name in capitals, dashes kept. Empty: the default.

    The default of the token is an expression that only a workflow can fill in: here it is none.
    """
    values = {name: environ.get(f"INPUT_{name.upper()}", "").strip() for name in INPUTS}
    return {name: value or ("" if name == "github-token" else INPUTS[name][0]) for name, value in values.items()}


def read(environ: Mapping[str, str]) -> Inputs:
    """The inputs, each checked. Raises Refused by the name of the input."""
    values = given(environ)
    unknown = next((name for name in _unknown(environ)), None)
    if unknown is not None:
        todo = did_you_mean(unknown, list(INPUTS)) + "correct the name: an input that nobody reads changes nothing"
        raise Refused("with", f"the unknown input {unknown!r}", one_of(INPUTS, 30), todo)
    if values["mode"] == "check" and _flag("require-live", values):
        raise Refused(
            "input require-live", "'true' beside `mode: check`, which asks nobody about live runs", "one of the two",
            "use `mode: auto`, or leave require-live out and make the commit status required",
        )  # fmt: skip
    return Inputs(
        mode=_choice("mode", values, MODES),
        project=values["project"],
        suites=_lines(values["suites"]),
        run=values["run"],
        targets=_lines(values["target"]),
        judges=_lines(values["judge"]),
        live_label=values["live-label"],
        require_live=_flag("require-live", values),
        strict=_flag("strict", values),
        fail_on=_choice("fail-on", values, FAIL_ON),
        comment=_choice("comment", values, COMMENT),
        comment_replies=_choice("comment-replies", values, REPLIES),
        status_context=_form("status-context", values, _CONTEXT, "letters, digits, spaces and ._/-"),
        config_from=_choice("config-from", values, CONFIG_FROM),
        baseline=_inside("baseline", values["baseline"]),
        setup=values["setup"],
        results_dir=_inside("results-dir", values["results-dir"]),
        max_calls=_form("max-calls", values, _COUNT, "a number from 1 on"),
        max_cost_usd=_dollars(values["max-cost-usd"]),
        repeats=_form("repeats", values, _COUNT, "a number from 1 on"),
        concurrency=_form("concurrency", values, _COUNT, "a number from 1 on"),
        shard=_form("shard", values, _SHARD, "I/N, such as 2/4"),
        token=values["github-token"],
        ca_bundle=values["ca-bundle"],
    )


def _unknown(environ: Mapping[str, str]) -> list[str]:
    """GitHub only warns of an input that action.yml does not have; a misspelt one would be a silent default."""
    known = {f"INPUT_{name.upper()}" for name in INPUTS}
    return sorted(name[6:].lower() for name in environ if name.startswith("INPUT_") and name not in known)


def _lines(value: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in value.splitlines() if line.strip())


def _choice(name: str, values: Mapping[str, str], known: tuple[str, ...]) -> str:
    value = values[name]
    if value not in known:
        raise Refused(f"input {name}", repr(value), one_of(known), did_you_mean(value, known) + "correct it")
    return value


def _flag(name: str, values: Mapping[str, str]) -> bool:
    return _choice(name, {name: values[name].lower()}, ("true", "false")) == "true"


def _form(name: str, values: Mapping[str, str], form: re.Pattern[str], expected: str) -> str:
    value = values[name]
    if value and not form.fullmatch(value):
        raise Refused(f"input {name}", repr(value), expected, "correct it, or leave it out")
    return value


def _dollars(value: str) -> str:
    try:
        fine = not value or 0 < float(value) < math.inf
    except ValueError:
        fine = False
    if not fine:
        raise Refused("input max-cost-usd", repr(value), "a number of US dollars over 0", "correct it, or leave it out")
    return value


def _inside(name: str, value: str) -> str:
    path = PurePosixPath(value)
    if path.is_absolute() or ".." in path.parts or "\\" in value or "\0" in value:
        raise Refused(f"input {name}", repr(value), "a folder inside the workspace", "name one there")
    return value
