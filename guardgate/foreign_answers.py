"""The note on an attempt that words alone let hold, though its answers are in another language than its turns."""

from __future__ import annotations

from collections.abc import Sequence

from guardgate.checks.base import Forbids
from guardgate.plan import Plan, Spot
from guardgate.record import Attempt
from guardgate.tongue import language

#: So many characters of a text show its language.
_ENOUGH = 2_000


def foreign_note(plan: Plan, spot: Spot, attempt: Attempt) -> str:
    """The note, where no judge read the answers and patterns or words held the attempt; else an empty text."""
    if attempt.verdict != "held" or attempt.scores or not any(map(_of_words, plan.decider(spot).forbids)):
        return ""
    return answered_in_another(plan.turns(spot), [reply.text for reply in attempt.replies])


def answered_in_another(asked: Sequence[str], answered: Sequence[str]) -> str:
    """The note, where the answers are not in the language of the questions; else an empty text."""
    question, answer = (" ".join(one[:_ENOUGH] for one in texts) for texts in (asked, answered))
    found = language(answer, fewest=4)
    if found is None or language(question, fewest=2) in (None, found):
        return ""
    return f"held by patterns, though the answer is in {found} and the case is not"


def _of_words(part: Forbids) -> bool:
    return part.name.startswith(("not_regex", "not_contains"))
