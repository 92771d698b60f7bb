"""From cues to findings: what stands near each other is added up."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from guardgate.scan.cue import Hit
from guardgate.scan.finding import Family, Severity
from guardgate.scan.mention import Spans, inside

#: Company counts within so many bytes.
NEAR = 320
MEDIUM, HIGH = 4, 8
#: From here on a mentioned cue is worth a word.
_WORTH = 4
#: Never only mentioned: a quoted command runs, and a quoted address receives.
_NEVER_MENTIONED: frozenset[Family] = frozenset({"command", "exfiltration", "tool"})


_SETUP: frozenset[Family] = frozenset({"addressed", "memory", "tool", "trigger"})
#: A cue of one kind, of a family.
_Kind = tuple[Family, str]
#: What every text on work with computers names: company for their own family, and for those that take hold of a model.
_OBJECTS: frozenset[_Kind] = frozenset({("exfiltration", "secret"), ("command", "execution")})
_ASKING: frozenset[Family] = frozenset({"override", "new_orders", "role", "reveal", "fake_turn"})


class Weighed(NamedTuple):
    """A finding before it has its place and words."""

    start: int
    end: int
    family: Family
    severity: Severity
    score: int


def weighed(found: Sequence[Hit], mentioned: Spans) -> Iterator[Weighed]:
    """Findings from sorted hits. What is only mentioned gives `low`, unless it goes with a command or an address."""
    live: list[Hit] = []
    quoted: list[Hit] = []
    for hit in found:
        only = bool(mentioned) and hit.family not in _NEVER_MENTIONED and inside(mentioned, hit.start, hit.end)
        (quoted if only else live).append(hit)
    # Each by itself: an order that was quoted before does not make the live one a repetition.
    live, quoted = list(_thinned(_apart(live))), list(_thinned(_apart(quoted)))
    risky = [hit.start for hit in live if hit.family in _NEVER_MENTIONED and hit.weight > 1]
    kept = [hit for hit in quoted if hit.weight > 2 and _near(risky, hit.start)] if risky else []
    yield from _merged(_scored(sorted([*live, *kept])))
    told = set(kept)
    yield from _merged(
        Weighed(hit.start, hit.end, hit.family, "low", hit.weight)
        for hit in quoted
        if hit.weight >= _WORTH and hit not in told
    )


def _near(places: Sequence[int], at: int) -> bool:
    index = bisect_left(places, at - NEAR)
    return index < len(places) and places[index] <= at + NEAR


def _thinned(found: Iterable[Hit]) -> Iterator[Hit]:
    """Without repetitions of the same cue on the spot: they add nothing."""
    last: dict[tuple[_Kind, int], int] = {}
    for hit in found:
        key = (_kind(hit), hit.weight)
        if hit.start - last.get(key, -NEAR) >= NEAR // 4:
            last[key] = hit.start
            yield hit


#: "If asked, simply say": the same words again.
_WORDED: dict[Family, Family] = {"trigger": "forced_output"}


def _apart(found: Sequence[Hit]) -> list[Hit]:
    """Without lighter cues of a family on the words of a heavier one: the same words count once."""
    taken: dict[str, list[Hit]] = {}
    for hit in sorted(found, key=lambda hit: (-hit.weight, hit.start)):
        kept = taken.setdefault("dictated" if hit.kind == "dictated" else _WORDED.get(hit.family, hit.family), [])
        # What is kept does not overlap, so that of all that begin before the end the last one ends last.
        at = bisect_left(kept, hit.end, key=_start)
        if at == 0 or kept[at - 1].end <= hit.start:
            insort(kept, hit)
    return sorted(hit for kept in taken.values() for hit in kept)


def _start(hit: Hit) -> int:
    return hit.start


def _scored(found: Sequence[Hit]) -> Iterator[Weighed]:
    """Each hit that with its company reaches the bound; a light one only where none is heavier."""
    window: deque[Hit] = deque()
    counts: dict[_Kind, Counter[int]] = {}
    ahead = 0
    for hit in found:
        while ahead < len(found) and found[ahead].start <= hit.start + NEAR:
            counts.setdefault(_kind(found[ahead]), Counter())[found[ahead].weight] += 1
            window.append(found[ahead])
            ahead += 1
        while window[0].end < hit.start - NEAR:
            gone = window.popleft()
            counts[_kind(gone)][gone.weight] -= 1
        heaviest = [
            max((w for w, n in count.items() if n > 0), default=0)
            for kind, count in counts.items()
            if kind not in _OBJECTS or kind[0] == hit.family or hit.family in _ASKING
        ]
        score = sum(heaviest)
        telling = hit.weight > 2 or hit.weight == max(heaviest) or (hit.weight > 1 and hit.family in _NEVER_MENTIONED)
        if score >= _enough(hit, max(heaviest), counts) and telling:
            yield Weighed(hit.start, hit.end, hit.family, "high" if score >= HIGH else "medium", score)


def _kind(hit: Hit) -> _Kind:
    return hit.family, hit.kind


def _enough(hit: Hit, heaviest: int, counts: dict[_Kind, Counter[int]]) -> int:
    """The bound. Light cues need more, and so do those that every assistant's own setup has, among themselves."""
    if hit.family not in _SETUP:
        return MEDIUM if heaviest > 2 else MEDIUM + 1
    if any(
        n > 0 and weight > 1
        for (family, _), count in counts.items()
        if family not in _SETUP
        for weight, n in count.items()
    ):
        return MEDIUM + 1
    return MEDIUM + 2 if heaviest < MEDIUM else MEDIUM


def _merged(found: Iterable[Weighed]) -> Iterator[Weighed]:
    """One finding a family and neighbourhood: the heaviest."""
    best: dict[Family, Weighed] = {}
    for one in found:
        old = best.get(one.family)
        if old is None or one.start > old.start + NEAR:
            if old is not None:
                yield old
            best[one.family] = one
        elif one.score > old.score:
            best[one.family] = one
    yield from best.values()
