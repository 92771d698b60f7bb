"""The report as JUnit XML. Broke is a failure, undecided an error, and what the run left out on purpose is skipped.

JUnit knows no thresholds: a soft rule that held by its threshold still shows the attempts that broke it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from guardgate.gate import MEANING, WORD, Gate
from guardgate.record import KINDS, Attempt
from guardgate.report.about import About
from guardgate.report.deed import Deed, deed
from guardgate.report.escape import xml, xml_attribute
from guardgate.report.exhibit import exhibit
from guardgate.report.quote import quoted
from guardgate.report.sentence import Sentence, say
from guardgate.summary import Summary
from guardgate.unplayed import planned

#: How many characters of what the user said, and of a reply.
SAID = 1000
REPLY = 4000


def render(
    summary: Summary,
    gate: Gate,
    about: About,
    *,
    attempts: Iterable[Attempt] = (),
    colour: bool = False,  # noqa: ARG001 - every format is called alike
    brief: bool = False,  # noqa: ARG001
) -> Iterator[str]:
    """One suite, one test case an attempt; the class name is the rule."""
    left = [*_left_out(summary)]
    lost = [_lost(gate)] if gate.code == 3 and not summary.total.undecided else []
    total = summary.total
    tests = total.planned + len(left) + len(lost)
    numbers = f'tests="{tests}" failures="{total.broke}" errors="{total.undecided + len(lost)}" skipped="{len(left)}"'
    name = xml_attribute(f"guardgate {summary.plan.name}")
    started = f' timestamp="{xml_attribute(about.started)}"' if about.started else ""
    took = f' time="{about.seconds or 0}"'
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="guardgate" {numbers}{took}>\n'
    yield f'<testsuite name="{name}" {numbers}{took}{started}>\n' + _properties(summary, gate, about)
    for attempt in planned(summary.plan, attempts, summary.end):
        yield _case(summary, deed(summary.plan, attempt, about), about)
    yield "".join((*left, *lost))
    yield "</testsuite>\n</testsuites>\n"


def _properties(summary: Summary, gate: Gate, about: About) -> str:
    values = {
        "exit-code": gate.code, "verdict": WORD[gate.code], "meaning": MEANING[gate.code], "plan": summary.plan.sha,
        "held": summary.total.held, "broke": summary.total.broke, "undecided": summary.total.undecided,
        "results": about.results, "commit": about.commit,
        **({"narrowed": "; ".join(summary.plan.narrowed)} if summary.plan.narrowed else {}),
    }  # fmt: skip
    rows = (f'<property name="{name}" value="{xml_attribute(str(value))}"/>\n' for name, value in values.items())
    return f"<properties>\n{''.join(rows)}</properties>\n"


def _case(summary: Summary, one: Deed, about: About) -> str:
    attempt = one.attempt
    place = f'file="{xml_attribute(one.file)}" line="{one.line}" time="{attempt.ms / 1000:.3f}"'
    opening = f'<testcase classname="{xml_attribute(one.rule)}" name="{xml_attribute(one.name)}" {place}'
    if attempt.verdict == "held":
        return f"{opening}/>\n"
    what = "failure" if attempt.verdict == "broke" else "error"
    return f"{opening}>{_told(what, *_reason(one))}{xml(_text(summary, one, about))}</{what}></testcase>\n"


def _reason(one: Deed) -> tuple[str, str]:
    """Type and message: whose error it is and its kind, or the severity of the rule."""
    finding = one.finding
    why = f"{finding.by}: {finding.why or 'no reason given'}"
    if one.attempt.verdict == "broke":
        return f"{one.severity} rule broke", f"{one.severity} rule {one.rule} broke: {why}"
    kind = str(finding.kind)
    return f"undecided: {KINDS.get(kind, 'guardgate')}: {kind}", f"undecided, which is no failure of the rule: {why}"


def _told(what: str, kind: str, message: str) -> str:
    return f'<{what} type="{xml_attribute(kind)}" message="{xml_attribute(message)}">'


def _text(summary: Summary, one: Deed, about: About) -> str:
    """Where the case stands, what was said, and why it was decided so: as the report in a terminal tells it."""
    shown = exhibit(summary.plan, one.attempt, about.results)
    reply = quoted(shown.reply, shown.words, REPLY) if one.attempt.replies else ("(no reply)",)
    lines = [
        f"{one.file}:{one.line}", _plain(shown.title), *map(_plain, shown.before),
        *map(str, quoted(shown.said, None, SAID)), "the reply:", *map(str, reply), *map(_plain, shown.after),
    ]  # fmt: skip
    return "\n" + "\n".join(lines) + "\n"


def _plain(sentence: Sentence) -> str:
    """One line, so that a text from outside begins none: `xml` escapes the whole."""
    return " ".join(say(sentence, str).split())


def _left_out(summary: Summary) -> Iterator[str]:
    """Rules that no case attacks, and targets and cells that were not played. None is decided, none is counted."""
    for rule in summary.not_attacked:
        yield _skipped(rule, "not attacked", "no attempt of this run attacks the rule: it is not decided")
    for target, reason in summary.plan.skipped:
        yield _skipped("optional targets", target, f"left out: {reason}")
    for cell, reason in summary.plan.left_out:
        yield _skipped("cells", cell, f"left out: {reason}")


def _skipped(group: str, name: str, why: str) -> str:
    names = f'classname="{xml_attribute(group)}" name="{xml_attribute(name)}" time="0"'
    return f'<testcase {names}><skipped message="{xml_attribute(why)}"/></testcase>\n'


def _lost(gate: Gate) -> str:
    """Every attempt is decided and yet the run proves nothing, as with a judge that is unfit: never a green file."""
    head = _told("error", "incomplete", f"{gate.code}: {MEANING[gate.code]}")
    return f'<testcase classname="guardgate" name="the run" time="0">{head}see the report</error></testcase>\n'
