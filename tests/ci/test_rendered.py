"""Comment and summary by GitHub's own renderer: whatever the texts are, they are shown, and nothing else happens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardgate.ci import comment, told
from guardgate.ci.bots import Bot, Checked
from guardgate.ci.inputs import Inputs
from guardgate.ci.play import Played
from guardgate.ci.publish import HINT
from guardgate.ci.summary import CUT, bounded
from guardgate.ci.told import Told
from guardgate.comparison import Apart, Side, compare
from guardgate.errors import Problem
from guardgate.github.event import Event
from guardgate.results import Results
from guardgate.softening import KINDS, Softening
from guardgate.softening.record import WEIGHTS
from tests.ci.rendered import Page, faults, rendered
from tests.report.hostile import PIECES, run, texts

FEW = settings(max_examples=40, deadline=None)
ROOT = Path("workspace").absolute()
EVENT = Event("pull_request", "labeled", "acme/bot", "a" * 40, "b" * 40, 7, url="https://github.example/acme/runs/1")


@dataclass(frozen=True)
class Job:
    """What a job says, and the inputs that it had."""

    told: Told
    inputs: Inputs

    def comment(self) -> str:
        """As it is posted: long texts may have cut it."""
        return comment.marker(self.inputs) + "\n" + comment.body(self.told, self.inputs, EVENT)

    def uncut(self) -> str:
        return comment.marker(self.inputs) + "\n" + "".join(self.pieces()["comment"])

    def pieces(self) -> dict[str, list[str]]:
        """Each page in its blocks."""
        said = comment._blocks(self.told, self.inputs, EVENT)
        return {"comment": list(said), "summary": list(told.blocks(self.told))}


def job(text: Iterator[str], *, replies: str, bots: int, known: bool) -> Job:
    """A job that takes each of its texts from `text`: bots with bad files, each played to 2 or without results."""
    names = [f"bots/b{next(text).replace('/', '-')}{number}" for number in range(bots)]
    each = [Bot(ROOT, ROOT / name / "guardgate.yaml") for name in names]
    checked = tuple(Checked(bot, _problems(text), loaded=True, cases=3, rules=2) for bot in each)
    played = (*(_played(text, bot) for bot in each[1:]), _played(text, each[0], read=known))
    weaker = tuple(_softening(text, kind, n) for n, kind in enumerate(KINDS))
    end = Told(
        2, 0, "live", next(text) + ".", next(text) + ".", "2 of 3 rules attempted", (next(text) + ".",), checked,
        played, next(text) + ".", softened=weaker, hint=HINT if bots > 1 else "",
    )  # fmt: skip
    named = Inputs(project=next(text), run=next(text) + ".", live_label=next(text), comment_replies=replies)
    return Job(end, named)


def _problems(text: Iterator[str]) -> tuple[Problem, ...]:
    return tuple(
        Problem(f"{next(text)}{severity}", (), next(text), next(text), next(text), next(text), severity, 1, 2)
        for severity in ("error", "warning", "note")
    )


def _softening(text: Iterator[str], kind: str, n: int) -> Softening:
    name, part, before, after, file = (next(text) + "." for _ in range(5))
    side: Literal["base", "head"] = "base" if n % 2 else "head"
    return Softening(kind, WEIGHTS[n % 4], "rule", name, part, before, after, file, 3, side)


def _played(text: Iterator[str], bot: Bot, *, read: bool = True) -> Played:
    if not read:
        return Played(bot, 3, next(text) + ".")
    one = run(text)
    head = {
        "started": next(text) + ".", "guardgate": next(text) + ".", "git": next(text) + ".",
        "targets": {next(text): {"backend": next(text) + ".", "model": next(text) + ".", "note": next(text) + "."}},
    }  # fmt: skip
    side = Side(next(text), one.told.summary, one.told.gate, head)
    found = compare(side, side)
    apart = Apart(next(text), next(text), next(text) + ".")
    words = {name: (next(text) + ".",) for name in ("lacks", "other", "gone", "less")}
    found = type(found)(**{**vars(found), **words, "apart": (apart,)})
    results = Results(ROOT / f"r{next(text).replace('/', '-')}.jsonl", one.told.summary.plan, head)
    return Played(
        bot, 2, next(text) + ".", None, results, one.told.summary, one.told.gate, notes=(next(text),), compared=found
    )


REPLIES = st.sampled_from(["none", "broken"])


@st.composite
def jobs(draw: st.DrawFn) -> tuple[Job, Job]:
    """A job with arbitrary text everywhere, and the same one with harmless text."""
    pool = draw(st.lists(texts, min_size=1, max_size=8))
    random = Random(draw(st.integers(0, 2**32)))
    how: dict[str, Any] = {"replies": draw(REPLIES), "bots": draw(st.integers(1, 2)), "known": draw(st.booleans())}

    def endless() -> Iterator[str]:
        while True:
            yield random.choice(pool)

    return job(endless(), **how), job(cycle(["word"]), **how)


def clean(page: Page) -> None:
    assert list(faults(page)) == []
    assert page.headings[0].startswith(("guardgate live: 2: broke", "Not proved: guardgate live: 2: broke"))
    assert set(page.links) <= {EVENT.url}


@FEW
@given(jobs())
def test_the_comment_has_one_shape_whatever_the_texts_are(both: tuple[Job, Job]) -> None:
    evil, tame = (rendered(one.uncut()) for one in both)
    clean(evil)
    clean(rendered(both[0].comment()))
    assert evil.shape == tame.shape
    assert evil.links == [EVENT.url]
    assert len(evil.comments) == 1


@FEW
@given(jobs())
def test_the_summary_too(both: tuple[Job, Job]) -> None:
    evil, tame = (rendered("".join(told.blocks(one.told))) for one in both)
    clean(evil)
    assert evil.shape == tame.shape
    assert evil.links == evil.comments == []


@pytest.mark.parametrize("name", ["comment", "summary"])
@pytest.mark.parametrize("replies", ["none", "broken"])
def test_a_page_may_be_cut_anywhere(name: str, replies: str) -> None:
    """At each length at which one more block fits: the line that says so is no part of what stands before it."""
    blocks = job(cycle(PIECES), replies=replies, bots=2, known=True).pieces()[name]
    room, lengths = len(CUT.encode()), []
    for block in blocks:
        room += len(block.encode("utf-8", "replace"))
        lengths.append(room)
    assert len(lengths) > 40
    for most in {*lengths[:-1]}:
        page = rendered(bounded(blocks, most))
        clean(page)
        assert page.strong[-2:] == [CUT.strip().strip("*").partition("`")[0], "."]
    assert CUT not in bounded(blocks, lengths[-1])


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_cut_at_any_length_keeps_the_verdict_or_nothing(data: st.DataObject) -> None:
    one, _ = data.draw(jobs())
    text = bounded(one.pieces()["comment"], data.draw(st.integers(0, 20_000)))
    page = rendered(text)
    assert list(faults(page)) == []
    assert text == CUT or page.headings[0].startswith(("guardgate live: 2", "Not proved: guardgate live: 2"))


@pytest.mark.parametrize("text", [
    "@octocat", "fixes #1", "![x](https://x.example/y.png)", "[a](https://x.example)", "www.x.example", "~~gone~~",
    "https://x.example", "<img src=x>", "<script>x</script>", "<details>", "<!-- -->\n<b>x</b>", "> quoted", "$x$",
    "- [ ] task", "# h", "---", "1. one", "*emphasis*", ":tada:", "GH-1", "<!DOCTYPE x>", "<?x?>",
])  # fmt: skip
def test_the_eye_sees_each_of_them(text: str) -> None:
    """What the tests above look for is found where nothing was escaped."""
    page = rendered(f"word\n\n{text}\n")
    assert [*faults(page), *page.links, *page.comments]
