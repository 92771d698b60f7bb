"""One live run of one bot: guardgate in a process of its own, and then its results, read as anybody would."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from guardgate.ci.bots import Bot
from guardgate.ci.child import guardgate, without_the_job
from guardgate.ci.commands import Annotation, Level
from guardgate.ci.inputs import Inputs
from guardgate.comparison import Comparison
from guardgate.errors import GuardgateError
from guardgate.gate import MEANING, WORD, Gate
from guardgate.github.status import NO_PLAN
from guardgate.intake import Intake
from guardgate.marks import Mark, Marks
from guardgate.record import Attempt
from guardgate.recount import decided, summary_of
from guardgate.report import needs, render
from guardgate.report.words import banner
from guardgate.results import Results, open_results
from guardgate.summary import Summary

#: Every report that stands beside the results of a bot, and how its file is called.
REPORTS: Mapping[str, str] = MappingProxyType(
    {"md": ".md", "redacted": ".redacted.json", "html": ".html", "sarif": ".sarif", "junit": ".junit.xml",
     "json": ".report.json"}
)  # fmt: skip


@dataclass(frozen=True)
class Played:
    """What came of a live run. `reason`: why there is no summary, or why the code is not the one of the results.

    `broke`: cases of hard rules that broke. `turned`: those that did, but for the mark of a person.
    """

    bot: Bot
    code: int
    reason: str = ""
    interrupted: str | None = None
    results: Results | None = None
    summary: Summary | None = None
    gated: Gate | None = None
    reports: Mapping[str, Path] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    compared: Comparison | None = None
    broke: frozenset[str] = frozenset()
    turned: frozenset[str] = frozenset()

    @property
    def plan(self) -> str:
        """The hash of the plan; zeros where none was made."""
        return self.summary.plan.sha if self.summary is not None else NO_PLAN

    @property
    def narrowed(self) -> bool:
        """Whether it speaks of less than every case of the project."""
        return self.summary is not None and bool(self.summary.plan.narrowed)

    @property
    def verdict(self) -> str:
        """The verdict in one line, in words of our own."""
        if self.summary is not None and self.gated is not None and self.gated.code == self.code:
            return banner(self.summary, self.gated)
        return f"{self.code}: {WORD[self.code]}: {MEANING[self.code]}"

    @property
    def headline(self) -> str:
        """The verdict, and the reason where there is one; the reason may hold words from outside."""
        return self.verdict + (f": {self.reason}" if self.reason else "")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a live run happens and what it leaves behind."""

    workspace: Path
    results: Path
    environ: Mapping[str, str]
    settings: Path | None = None
    python: Path | None = None
    resume: Path | None = None
    marks: tuple[Mark, ...] = ()


def play(bot: Bot, inputs: Inputs, place: Place, say: Callable[[str], None]) -> Played:
    """Play the run of a bot to its end, or as far as a signal lets it come; its results file decides."""
    out = place.results / f"{bot.stem}.jsonl"
    env = without_the_job(place.environ, inputs.token)
    if place.python is not None:
        env["GUARDGATE_PYTHON"] = str(place.python)
    ended = guardgate([*_arguments(bot, inputs, place, out)], place.workspace, env, say)
    last = next((line for line in reversed(ended.tail) if line.startswith("guardgate: ") and "exit 3" not in line), "")
    reason = last.removeprefix("guardgate: ") or f"guardgate ended with code {ended.code} and said nothing"
    if not out.exists():
        return Played(bot, 3, reason, ended.interrupted)
    _scrub(out, Intake((inputs.token,)))
    return _marked(_read(bot, out, ended.code, reason, ended.interrupted), place.marks)


def _scrub(out: Path, clean: Intake) -> None:
    """The run does not know the job's token, so it cannot take it out of what the app says; here it is taken out."""
    with out.open(encoding="utf-8", errors="replace", newline="\n") as file:
        found = any(clean.redact(line) != line for line in file)
    if found:
        scrubbed = out.with_suffix(".scrubbed")
        with (
            out.open(encoding="utf-8", errors="replace", newline="\n") as file,
            scrubbed.open("w", encoding="utf-8") as kept,
        ):
            kept.writelines(clean.redact(line) for line in file)
        scrubbed.replace(out)


def _read(bot: Bot, out: Path, code: int, reason: str, interrupted: str | None) -> Played:
    """The code that the results give; where the process said another one, nothing is proved."""
    try:
        results = open_results(out)
        summary, gated = summary_of(results)
    except GuardgateError as problem:
        return Played(bot, 3, f"{reason}; its results: {problem}", interrupted)
    if gated.code != code:
        other = f"the run ended with {code}, its results give {gated.code}"
        reason = f"{other}; {reason}" if reason else other
        return Played(bot, 3, reason, interrupted, results, summary, gated, broke=_broke(results, gated))
    return Played(bot, code, "", interrupted, results, summary, gated, broke=_broke(results, gated))


def _broke(results: Results, gated: Gate, marks: tuple[Mark, ...] = ()) -> frozenset[str]:
    """Cases of hard rules that broke in any attempt."""
    rules, plan = gated.hard_broke, results.plan
    if not rules:
        return frozenset()
    attempts = decided(results, plan, Marks(marks))
    cases = (plan.cases[plan.at(one.n).case].case for one in attempts if one.verdict == "broke")
    return frozenset(case.id for case in cases if case.rule in rules)


def _marked(played: Played, marks: tuple[Mark, ...]) -> Played:
    """The same under the marks of people, where the results could be read and agree with their run."""
    if not marks or played.reason or played.results is None:
        return played
    summary, gated = summary_of(played.results, marks=Marks(marks))
    broke = _broke(played.results, gated, marks)
    turned = played.broke - broke
    return replace(played, code=gated.code, summary=summary, gated=gated, marks=marks, broke=broke, turned=turned)


def _arguments(bot: Bot, inputs: Inputs, place: Place, out: Path) -> Iterator[str]:
    """The command line; every value stands behind its option, so that none can become one."""
    yield from ("run", f"--project={bot.file}", f"--out={out}")
    many = (("target", inputs.targets), ("judge", inputs.judges), ("suite", inputs.suites))
    yield from (f"--{name}={value}" for name, values in many for value in values)
    one = {
        "max-calls": inputs.max_calls,
        "max-cost-usd": inputs.max_cost_usd,
        "repeats": inputs.repeats,
        "concurrency": inputs.concurrency,
        "shard": inputs.shard,
        "config-from": str(place.settings) if place.settings else "",
        "resume": str(place.resume) if place.resume else "",
    }
    yield from (f"--{name}={value}" for name, value in one.items() if value)
    yield from ("--", inputs.run)


def reported(played: Played, place: Place, clean: Intake) -> Mapping[str, Path]:
    """Write the reports beside the results; one that cannot be written is missing, and changes no verdict."""
    if played.summary is None or played.gated is None or played.results is None:
        return {}
    written: dict[str, Path] = {}
    for form, ending in REPORTS.items():
        path = place.results / f"{played.bot.stem}{ending}"
        with suppress(OSError), path.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(clean.redact(piece) for piece in pieces(played, form, place.workspace))
            written[form] = path
    return written


def pieces(played: Played, form: str, workspace: Path) -> Iterator[str]:
    """The report of a run in blocks. It says the code of the step, also where the results alone give another one."""
    assert played.summary and played.gated and played.results  # noqa: S101, PT018 - asked only where they are there
    results, summary, marks = played.results, played.summary, Marks(played.marks)
    attempts = decided(results, results.plan, marks, summary.verdicts, needs(form, summary))
    name = results.path.relative_to(workspace).as_posix()
    gated = replace(played.gated, code=played.code)
    return render(form, summary, gated, results.head, name, attempts=attempts, folder=played.bot.folder)


def annotated(played: Played) -> list[Annotation]:
    """What the reader of the changed files should see, at the suite's own lines: hard breaks, soft ones, what is open.

    No word of a reply stands there: annotations are shown to everybody.
    """
    level: Level = "warning" if played.code == 1 else "error"
    found = [] if played.code == 0 else [Annotation(level, "guardgate live", f"{played.bot.name}: {played.headline}")]
    if played.summary is None:
        return found
    hard = [one for one in played.summary.broken if _severity(played.summary, one) == "hard"]
    soft = [one for one in played.summary.broken if _severity(played.summary, one) != "hard"]
    found += [_at(played, one, "error", "broke") for one in hard]
    found += [_at(played, one, "warning", "broke") for one in soft]
    return found + [_at(played, one, "warning", "undecided") for one in played.summary.undecided]


def _severity(summary: Summary, attempt: Attempt) -> str:
    return summary.severity(summary.plan.cases[summary.plan.at(attempt.n).case].case.rule)


def _at(played: Played, attempt: Attempt, level: Level, what: str) -> Annotation:
    assert played.summary is not None  # noqa: S101 - asked only where it is there
    plan = played.summary.plan
    case = plan.cases[plan.at(attempt.n).case]
    rule = plan.rule_index[case.case.rule].rule
    kind = next((f": {one.kind}" for one in attempt.findings if one.outcome == "undecided"), "")
    message = f"case {case.case.id} ({case.attack}) {what}{kind if what == 'undecided' else ''}\n{rule.rule}"
    title = f"{rule.severity} rule {rule.id} {what}"
    file = f"{played.bot.folder}{case.file}"
    return Annotation(level, title, message, file, case.line)
