"""What a reply, as people wrote it, makes of a case: the verdict, and which of its checks turned red."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from guardgate.checks import settings
from guardgate.checks.base import Forbids, Hit, Part, Seen
from guardgate.checks.pattern import found
from guardgate.decider import decider
from guardgate.load import load
from guardgate.loaded import Loaded
from guardgate.model.constraints import Rule
from guardgate.model.suite import Case
from guardgate.normalize import plain
from guardgate.record import Reply, ToolCall
from guardgate.verdict import Decision, decide

Calls = Sequence[ToolCall]


def project(folder: Path) -> Loaded:
    """The suite as a project, read as the command line reads it."""
    loaded, problems = load(folder / "guardgate.yaml")
    assert loaded is not None
    assert problems == []
    return loaded


def rule_of(loaded: Loaded, case: Case) -> Rule:
    return next(planned.rule for planned in loaded.rules if planned.rule.id == case.rule)


def replies(texts: Sequence[str], calls: Calls = ()) -> tuple[Reply, ...]:
    """The texts as replies; the tool calls belong to the last one."""
    return tuple(Reply(text, tools=tuple(calls) if text is texts[-1] else ()) for text in texts)


def verdict(loaded: Loaded, case: Case, texts: Sequence[str], calls: Calls = ()) -> Decision:
    """The verdict of a conversation in which the document was delivered."""
    return decide(decider(rule_of(loaded, case), case, {}, {}), replies(texts, calls), None, delivered="marker")


def parts(case: Case) -> Iterator[tuple[str, Part]]:
    """The checks of the case itself."""
    both = decider(Rule(id="R", severity="hard", rule="Holds."), case, {}, {})
    for part in both.forbids:
        yield part.name, part
    for needed in both.requires:
        yield needed.name, needed


def red(part: Part, texts: Sequence[str], calls: Calls = ()) -> bool:
    """Whether the part finds something against the conversation."""
    seen = [Seen(reply) for reply in replies(texts, calls)]
    if isinstance(part, Forbids):
        return any(isinstance(part.look(one), Hit) for one in seen)
    return isinstance(part.look(tuple(seen)), Hit)


def patterns(case: Case) -> list[str]:
    """The forbidden patterns of the case."""
    return [one for kind, _, spec in settings(case.checks) if kind == "not_regex" for one in spec.any]


def idle(case: Case, conversations: Sequence[Sequence[str]]) -> list[str]:
    """Forbidden patterns that none of the conversations turns red."""
    texts = [text for conversation in conversations for text in conversation]
    views = [view for text in texts for view in (text, plain(text))]
    return [pattern for pattern in patterns(case) if not any(found(pattern, view) for view in views)]
