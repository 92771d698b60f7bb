"""Cases with a document: a class that fits, a text to read, a clean twin, and a marker that proves something."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from guardgate.attacks import TABLE
from guardgate.errors import Problem, Step
from guardgate.loaded import Loaded
from guardgate.normalize import blank, fold
from guardgate.plan import PlannedCase

Found = Iterator[Problem]

#: A shorter marker stands in many replies by chance.
MARKER_CHARS = 3
#: So much of a document behind the first place of its marker is not shown to be read.
MARKER_REACH = 2000


def document_cases(loaded: Loaded, _environ: Mapping[str, str]) -> Found:
    """What is wrong with documents and markers of cases."""
    by_id = {planned.case.id: planned for planned in loaded.cases}
    for planned, path in zip(loaded.cases, loaded.case_paths, strict=True):
        yield from _channel(planned, path)
        if planned.case.document is not None:
            yield from _empty(planned, loaded, path)
            yield from _same_as_attack(planned, by_id, path)
        if planned.case.marker is not None:
            yield from _marker(planned, planned.case.marker, loaded, (*path, "marker"))


def _channel(planned: PlannedCase, path: tuple[Step, ...]) -> Found:
    row = TABLE.get(planned.attack)
    reads = planned.case.document is not None
    if row is not None and row.channel == "document" and not reads:
        yield Problem(
            planned.file, (*path, "attack"), f"{planned.attack!r}, a class of documents, in a case without one",
            "agent, task and document, or a class of conversations",
            "add them, or name the class of what the user does here", "channel", "warning",
        )  # fmt: skip
    elif row is not None and row.channel == "conversation" and reads:
        yield Problem(
            planned.file, (*path, "attack"), f"{planned.attack!r}, a class of conversations, in a case with a document",
            "a class of documents", "name the class of what the document demands, or declare one of your own",
            "channel", "warning",
        )  # fmt: skip


def _empty(planned: PlannedCase, loaded: Loaded, path: tuple[Step, ...]) -> Found:
    text = _text(planned, planned.case.document, loaded)
    if text is not None and blank(text):
        yield Problem(
            planned.file, (*path, "document"), f"the empty document {planned.case.document!r}", "a text to read",
            "write the document, or name another file", "empty-document",
        )  # fmt: skip


def _same_as_attack(planned: PlannedCase, by_id: Mapping[str, PlannedCase], path: tuple[Step, ...]) -> Found:
    attack = by_id.get(planned.case.twin_of or "")
    if attack is None or not planned.benign or attack.benign or attack.case.document is None:
        return
    mine, its = (one.files.get(str(one.case.document)) for one in (planned, attack))
    if mine is not None and mine == its:
        yield Problem(
            planned.file, (*path, "document"), f"the document of the attack {attack.case.id!r} itself in its twin",
            "a clean document, without the attack", "copy the document, take the attack out, and name the copy here",
            "twin-document", "warning",
        )  # fmt: skip


def _marker(planned: PlannedCase, marker: str, loaded: Loaded, path: tuple[Step, ...]) -> Found:
    case, word = planned.case, fold(marker)
    if case.document is None:
        yield Problem(
            planned.file, path, "a marker in a case without a document", "agent, task and document",
            "remove the marker: it proves that a document was read", "marker", at_key=True,
        )  # fmt: skip
        return
    if len(word) < MARKER_CHARS:
        yield Problem(
            planned.file, path, f"the marker {marker!r}", f"at least {MARKER_CHARS} visible characters",
            "take a longer one: this one may stand in a reply by chance", "marker",
        )  # fmt: skip
        return
    document = _text(planned, case.document, loaded)
    if document is not None and word not in fold(document):
        yield Problem(
            planned.file, path, f"the marker {marker!r}, which does not stand in {case.document!r}",
            "a text of the document, letter by letter", "correct the marker, or the document", "marker",
        )  # fmt: skip
    elif document is not None and not planned.benign:
        yield from _early(planned, word, fold(document), path)
    for where, text in _without_reading(planned, loaded):
        if word in fold(text):
            yield Problem(
                planned.file, path, f"the marker {marker!r}, which stands in {where} too",
                "a text that only the document tells",
                "take another marker: an agent that never saw the document could repeat this one", "marker",
            )  # fmt: skip
            return


def _early(planned: PlannedCase, word: str, document: str, path: tuple[Step, ...]) -> Found:
    """An app that cuts long documents off, and says the marker all the same."""
    after = len(document) - document.index(word) - len(word)
    if after > MARKER_REACH:
        yield Problem(
            planned.file, path,
            f"the marker {planned.case.marker!r}, with {after:,} characters of the document behind it",
            f"at most {MARKER_REACH:,}, so that it shows that the rest was read too",
            "name a text near the end of the document, and let the task ask for that: an app that cuts long documents "
            "off could say this one", "marker", "warning",
        )  # fmt: skip


def _without_reading(planned: PlannedCase, loaded: Loaded) -> Iterator[tuple[str, str]]:
    """What the agent knows without the document."""
    case = planned.case
    if case.task is not None:
        yield "the task", case.task
    for number, turn in enumerate(case.turns, start=1):
        yield f"turn {number}", turn
    agent = _text(planned, case.agent, loaded)
    if agent is not None:
        yield "the agent's instructions", agent


def _text(planned: PlannedCase, name: str | None, loaded: Loaded) -> str | None:
    """The text of a file that the case names, if it could be read."""
    key = planned.files.get(name) if name is not None else None
    return None if key is None else loaded.files[key]
