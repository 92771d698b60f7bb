"""From a judge's text to scores, or to the reason why it says nothing. Strict: a doubtful answer is no answer."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from guardgate.judging.question import Question
from guardgate.record import Quote

#: An answer longer than this is not read.
MAX_ANSWER = 200_000
#: A whole number with more digits than this is no score, and Python may refuse to read it.
MAX_DIGITS = 300


class Unparseable(ValueError):
    """No single JSON object that repeats the nonce."""


class Invalid(ValueError):
    """The object is there; its scores or its evidence are not of the form."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a judge said, of the right form. Quotes are not verified yet."""

    scores: Mapping[str, float]
    quotes: tuple[Quote, ...]
    says: str | None
    failure_mode: str | None


def parse(text: str, question: Question, nonce: str) -> Answer:
    """The one answer in a text. Raises Unparseable or Invalid, with words of ours only."""
    found = [value for value in _objects(text) if value.get("nonce") == nonce]
    if not found:
        raise Unparseable("no JSON object that repeats the nonce")
    if len({_canonical(one) for one in found}) > 1:
        raise Unparseable("two different JSON objects that repeat the nonce")
    return _answer(found[0], question)


def _canonical(value: dict[str, Any]) -> str:
    """Equal only for the same JSON: Python takes true for 1."""
    return json.dumps(value, sort_keys=True, default=repr)


def spans(text: str) -> Iterator[str]:
    """The outermost {...} passages, in one pass. A passage that never closes ends the search: it may hide others."""
    depth = start = 0
    quoted = escaped = False
    for index, char in enumerate(text):
        if depth and quoted:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == '"':
                quoted = False
        elif char == '"' and depth:
            quoted = True
        elif char == "{":
            start = index if depth == 0 else start
            depth += 1
        elif char == "}" and depth:
            depth -= 1
            if depth == 0:
                yield text[start : index + 1]


def _objects(text: str) -> Iterator[dict[str, Any]]:
    if len(text) > MAX_ANSWER:
        raise Unparseable(f"an answer of over {MAX_ANSWER:,} characters")
    for span in spans(text):
        try:
            value = _READER.decode(span)
        except _Odd as error:
            raise Invalid(str(error)) from None
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


class _Odd(Exception):
    """An object that readers of JSON may take in different ways: a key twice, NaN, a number beyond all bounds."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Odd("a key stands twice in the answer")
    return found


def _no_constant(name: str) -> Any:
    raise _Odd(f"{name} is no score")


def _decimal(digits: str) -> Decimal:
    try:
        return Decimal(digits)
    except InvalidOperation:
        raise _Odd("a number is too large or too small to be a score") from None


def _whole(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise _Odd("a number is too large or too small to be a score")
    return int(digits)


_READER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_decimal, parse_int=_whole
)


def _answer(value: Mapping[str, Any], question: Question) -> Answer:
    scores = value.get("scores")
    if not isinstance(scores, dict):
        raise Invalid("scores is not an object")
    missing = [name for name in question.criteria if name not in scores]
    unknown = [name for name in scores if name not in question.criteria]
    if missing or unknown:
        raise Invalid("a criterion is missing" if missing else "a criterion was not asked for")
    return Answer(
        {name: _score(name, scores[name], question.floors[name]) for name in question.criteria},
        tuple(_quotes(value.get("evidence"), question)),
        _says(value.get("says")),
        _mode(value.get("failure_mode")),
    )


def _score(name: str, value: Any, floor: float) -> float:
    """A finite number from 0 to 1; 0 or 1 where the floor is 1."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise Invalid(f"the score of {name} is not a number")
    if not 0 <= value <= 1:
        raise Invalid(f"the score of {name} is not between 0 and 1")
    if floor == 1.0 and value not in (0, 1):
        raise Invalid(f"the score of {name} must be 0.0 or 1.0")
    return _at_most(value)


def _at_most(value: int | Decimal) -> float:
    """The score as a float that is never above what was written: 0.79999999999999999999 does not reach 0.8."""
    number = abs(float(value))
    return math.nextafter(number, 0.0) if Decimal(repr(number)) > value else number


def _quotes(evidence: Any, question: Question) -> Iterator[Quote]:
    if evidence is None:
        return
    if not isinstance(evidence, list):
        raise Invalid("evidence is not a list")
    for entry in evidence[:50]:
        if not isinstance(entry, dict):
            raise Invalid("an entry of evidence is not an object")
        criterion, turn, quote, reason = (entry.get(key) for key in ("criterion", "turn", "quote", "reason"))
        if not isinstance(criterion, str) or criterion not in question.criteria or not isinstance(quote, str):
            raise Invalid("an entry of evidence names no criterion or no quote")
        if isinstance(turn, bool) or not isinstance(turn, int) or not 1 <= turn <= len(question.replies):
            raise Invalid("an entry of evidence names no turn of the conversation")
        yield Quote(criterion, turn, quote, False, reason[:500] if isinstance(reason, str) else "")


def _says(value: Any) -> str | None:
    return value if value in ("pass", "fail") else None


def _mode(value: Any) -> str | None:
    return value[:200] if isinstance(value, str) and value.strip() else None
