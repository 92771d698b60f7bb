"""What a judge must score right before it may judge: labelled replies, shipped, own, and from rule samples."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from guardgate.criteria import SHIPPED, known
from guardgate.errors import Refused
from guardgate.explain import validated
from guardgate.fitness import Trial, spoken_of
from guardgate.judging.question import Question
from guardgate.judging.vote import Bar, Vote, vote
from guardgate.loaded import Loaded
from guardgate.model.anchors import Anchor, AnchorsFile
from guardgate.model.constraints import Criterion, FullSample, Rule
from guardgate.record import Reply, Score, ToolCall
from guardgate.shipped import shipped
from guardgate.source import Document, read

#: Samples do not say what the user said.
UNKNOWN_TURN = "(What the user said is not recorded. Score the reply as it stands.)"


@dataclass(frozen=True, slots=True)
class Probe:
    """One labelled transcript as a question. `kind`: plain, null, hijack, language or sample."""

    id: str
    label: str
    kind: str
    question: Question

    def agrees(self, opinion: Vote) -> bool:
        """Whether a vote is what people said; a vote that is left open is not."""
        return opinion.outcome == self.label

    def asks(self, criteria: Mapping[str, Criterion]) -> bool:
        """Whether it asks what these criteria say, where they have its names: a label speaks of a statement."""
        return all(criteria.get(name, one) == one for name, one in self.question.criteria.items())

    def opinion(self, score: Score) -> Vote:
        """What the judge's scores come to."""
        bar = Bar(self.question.floors, self.question.criteria, self.question.pass_threshold)
        return vote(score, bar, self.question.replies)

    def trial(self, opinion: Vote, used: Collection[str]) -> Trial:
        """The vote beside the label. `used`: what the judge is asked about."""
        return Trial(self.label, opinion.outcome, spoken_of(self.id, self.kind, self.label, self.question.floors, used))


@cache
def shipped_anchors() -> tuple[Anchor, ...]:
    """The anchors that ship, with `shipped/` before their ids. Raises Refused where they cannot be read."""
    # Only where a judge is tested: `check` must not pay for reading them.
    folder = shipped("anchors")
    found = [anchor for path in sorted(folder.glob("*.yaml")) for anchor in _read(path)]
    if not found:
        raise _damaged(str(folder), "no file with anchors")
    return tuple(anchor.model_copy(update={"id": f"shipped/{anchor.id}"}) for anchor in found)


def _read(path: Path) -> tuple[Anchor, ...]:
    document = read(path, path.name)
    model = validated(AnchorsFile, document.data, document.file) if isinstance(document, Document) else document
    if not isinstance(model, AnchorsFile):
        raise _damaged(str(path), str(model[0]))
    return model.anchors


def _damaged(where: str, found: str) -> Refused:
    return Refused(where, found, "the labelled replies that ship", "install guardgate again: this copy is damaged")


def probes(loaded: Loaded, floors: Mapping[str, float]) -> tuple[Probe, ...]:
    """Every probe for these criteria (criterion -> floor), in a stable order."""
    criteria = known(loaded.constraints.criteria if loaded.constraints else {})
    # A label speaks of a statement: where a project words a shipped criterion anew, the shipped labels say nothing.
    fitting = (one for one in shipped_anchors() if criteria[one.criterion] == SHIPPED[one.criterion])
    anchors = [
        probe
        for one in (*fitting, *loaded.anchors, *loaded.lent_anchors)
        if (probe := _of_anchor(one, criteria, floors)) is not None
    ]
    samples = [
        probe
        for planned in loaded.rules
        if planned.rule.judge is not None
        and set(planned.rule.judge.required_scores) & set(floors)
        # Their samples were written for the checks, and each criterion has anchors of its own.
        and planned.rule.id not in loaded.beside_checks
        for probe in _of_samples(planned.rule, criteria)
    ]
    return (*anchors, *samples)


def _of_anchor(anchor: Anchor, criteria: Mapping[str, Criterion], floors: Mapping[str, float]) -> Probe | None:
    if anchor.criterion not in floors:
        return None
    replies = (*(Reply("(not recorded)") for _ in anchor.turns[1:]), Reply(anchor.reply))
    name = anchor.criterion
    question = Question(
        rule=criteria[name].ask,
        criteria={name: criteria[name]},
        floors={name: floors[name]},
        turns=anchor.turns,
        replies=replies,
    )
    return Probe(anchor.id, anchor.label, anchor.kind, question)


def _of_samples(rule: Rule, criteria: Mapping[str, Criterion]) -> Iterator[Probe]:
    """The samples of a judged rule: a reply that held or broke it as a whole."""
    assert rule.judge is not None  # noqa: S101 - the caller asked
    floors = rule.judge.required_scores
    labelled = (("held", rule.samples.held), ("broke", rule.samples.broke))
    for label, samples in labelled:
        for number, sample in enumerate(samples, start=1):
            question = Question(
                rule=rule.rule,
                criteria={name: criteria[name] for name in floors},
                floors=floors,
                turns=(UNKNOWN_TURN,),
                replies=(_reply(sample),),
                pass_threshold=rule.judge.pass_threshold,
            )
            yield Probe(f"{rule.id}:{label}:{number}", label, "sample", question)


def _reply(sample: str | FullSample) -> Reply:
    if isinstance(sample, str):
        return Reply(sample)
    tools = tuple(ToolCall(call.name, call.arguments, call.result) for call in sample.tools)
    return Reply(sample.text, tools=tools, state=sample.state)
