"""The report as one page that needs nothing else: read what broke first, then a sample of what held, then the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from guardgate.gate import Gate
from guardgate.record import Attempt
from guardgate.report import content
from guardgate.report.about import About
from guardgate.report.escape import json_in_html
from guardgate.report.html import frame
from guardgate.report.html.attempts import Choice, Trimmed, as_data
from guardgate.report.html.blocks import laid_out
from guardgate.report.html.charts import heat_map, rule_bars, score_bars
from guardgate.report.html.coverage import coverage_table
from guardgate.report.html.plan import Review, plan_data
from guardgate.report.html.scores import Scores
from guardgate.report.words import banner, facts
from guardgate.summary import Summary
from guardgate.unplayed import planned


def render(
    summary: Summary,
    gate: Gate,
    about: About,
    *,
    attempts: Iterable[Attempt] = (),
    colour: bool = False,  # noqa: ARG001 - every format is called alike
    brief: bool = False,  # noqa: ARG001
) -> Iterator[str]:
    """The page in pieces; at most a few thousand bytes an attempt, and no more than 20,000 attempts."""
    yield from page(summary, gate, about, attempts)


def page(
    summary: Summary, gate: Gate, about: About, attempts: Iterable[Attempt], review: Review | None = None
) -> Iterator[str]:
    """The page; with `review` every text is whole, and people can mark."""
    yield frame.opening(banner(summary, gate), gate.code, review is not None)
    yield frame.verdict("".join(map(laid_out, content.verdict(summary, gate))), gate.code, review is not None)
    yield frame.navigation() + "<main>"
    yield frame.broke(summary.total.broke)
    yield frame.section("undecided", "", "".join(map(laid_out, content.undecided(summary, about, quiet=False))))
    yield frame.sample(summary.total.held)
    yield frame.everything(summary.total.planned)
    scores = Scores(summary.plan)
    yield from _data(summary, about, planned(summary.plan, attempts, summary.end), scores, review)
    yield frame.section("rules", "Rules", rule_bars(summary, gate) + heat_map(summary, gate) + _tables(summary, gate))
    judged = "".join(laid_out(one) for one in content.judged(summary, about) if not isinstance(one, content.Heading))
    yield frame.section("judges", "Judges, and scores against floors", judged + score_bars(scores))
    yield frame.section("coverage", "Coverage", coverage_table(summary.plan))
    yield frame.section("run", "The run", laid_out(content.Lines(tuple(facts(summary, about)))))
    yield "</main>" + frame.closing()


def _tables(summary: Summary, gate: Gate) -> str:
    """The tables of every report, below the pictures that show the same."""
    return "".join(laid_out(block) for block in content.tables(summary, gate))


def _data(
    summary: Summary, about: About, attempts: Iterable[Attempt], scores: Scores, review: Review | None
) -> Iterator[str]:
    """What the page's own code reads: the plan, one attempt a line, and which passes are the sample."""
    head = json_in_html(plan_data(summary.plan, about, review))
    yield f'<script type="application/json" id="plan">{head}</script>\n<script type="application/json" id="attempts">['
    choice = Choice(summary)
    trimmed = Trimmed(len(head.encode()), summary.total.planned, whole=review is not None)
    separator = "\n"
    for attempt in attempts:
        scores.add(attempt)
        if choice.takes(attempt):
            limit = trimmed.limit(attempt, drawn=choice.draws(attempt.n))
            line = json_in_html(as_data(summary.plan, attempt, limit, review))
            trimmed.used += len(line.encode())
            yield separator + line
            separator = ",\n"
    told = {"sample": choice.sample, "left": choice.left}
    yield f'\n]</script>\n<script type="application/json" id="choice">{json_in_html(told)}</script>\n'
