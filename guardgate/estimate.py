"""What a plan will ask for, before anything is asked: calls, and an estimate of tokens and cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from guardgate.anchors import probes
from guardgate.engine import question_of
from guardgate.inuse import floors_in_use
from guardgate.judging.question import Question, system_message, user_message
from guardgate.loaded import Loaded
from guardgate.model.project import Limits, Price, Target
from guardgate.plan import Cell, Plan, Spot
from guardgate.planning import asked
from guardgate.record import Reply
from guardgate.targets import find

#: Characters of a token, and tokens of a reply and of a judge's answer: a guess, since nobody has said anything yet.
CHARS_PER_TOKEN = 4
REPLY_TOKENS = 200
#: Backends that are sent the whole conversation with every turn.
SENT_AGAIN = frozenset({"openai", "litellm", "claude_cli", "codex_cli"})
_NONCE = "0" * 16
_FREE = Price(input=0, output=0)


@dataclass(frozen=True, slots=True)
class Asked:
    """What one target or judge is asked for: calls, and tokens in and out."""

    calls: int = 0
    input: int = 0
    output: int = 0

    def __add__(self, other: Asked) -> Asked:
        return Asked(self.calls + other.calls, self.input + other.input, self.output + other.output)

    def __mul__(self, times: int) -> Asked:
        return Asked(self.calls * times, self.input * times, self.output * times)


@dataclass(frozen=True, slots=True)
class CellCost:
    """What one cell asks its target for. `usd`: None where the price is not known; judges come on top."""

    name: str
    attempts: int
    asked: Asked
    usd: float | None


@dataclass(frozen=True, slots=True)
class Expected:
    """By name: what targets and judges are asked for, and the anchors among what judges are asked.

    `usd`: of all whose price is known, None where it is of nobody; `unpriced`: the others.
    """

    targets: Mapping[str, Asked]
    cells: tuple[CellCost, ...]
    judges: Mapping[str, Asked]
    anchors: int
    usd: float | None
    unpriced: tuple[str, ...]

    @property
    def total(self) -> Asked:
        """Everything together."""
        return sum((*self.targets.values(), *self.judges.values()), Asked())


def expected(loaded: Loaded, planned: Plan, environ: Mapping[str, str]) -> Expected:
    """What the plan comes to if every turn is answered at once; re-asks, retries and escalation come on top."""
    targets: dict[str, Asked] = {}
    by_cell = [Asked() for _ in planned.cells]
    attempts = [0 for _ in planned.cells]
    judged = Asked()
    by_case: dict[tuple[int, int], Asked] = {}  # of a case in a cell: its repeats are asked for alike
    for spot in planned.spots():
        name = planned.cells[spot.cell].target
        settings = find(loaded.project, name, environ)
        if settings is not None:
            talk = _talk(loaded, planned, spot, settings)
            targets[name] = targets.get(name, Asked()) + talk
            by_cell[spot.cell] += talk
            attempts[spot.cell] += 1
        if planned.panel.judges:
            place = (spot.cell, spot.case)
            if place not in by_case:
                by_case[place] = _judging(planned, spot)
            judged += by_case[place]
    anchors = _anchors(loaded, planned) if planned.panel.judges else Asked()
    judges = {name: (judged if name in planned.panel.judges else Asked()) + anchors for name in asked(planned.panel)}
    priced = [(name, one, _price(find(loaded.project, name, environ))) for name, one in targets.items()]
    for name, one in judges.items():
        priced.append((f"judge {name}", one, _price(find(loaded.project, name, environ, judge=True))))
    money = [usd for _, one, price in priced if (usd := _money(one, price)) is not None]
    unpriced = tuple(name for name, _, price in priced if price is None)
    cells = tuple(
        CellCost(cell.name, attempts[cell.index], one, _money(one, _price(find(loaded.project, cell.target, environ))))
        for cell, one in zip(planned.cells, by_cell, strict=True)
    )
    return Expected(targets, cells, judges, anchors.calls, sum(money) if money else None, unpriced)


def too_small(found: Expected, limits: Limits) -> Iterator[str]:
    """Bounds that the plan is expected to hit."""
    total = found.total
    bounds = (
        ("calls", total.calls, limits.calls),
        ("tokens", total.input + total.output, limits.tokens),
        ("cost_usd", found.usd or 0.0, limits.cost_usd),
    )
    for name, wanted, most in bounds:
        if most is not None and wanted > most:
            yield f"limits.{name} {most:g}, expected {wanted:.6g}"


def _talk(loaded: Loaded, planned: Plan, spot: Spot, settings: Target) -> Asked:
    """One attempt: what is sent, turn by turn."""
    case = planned.cases[spot.case]
    turns = planned.turns(spot)
    agent = case.case.agent
    system = _system(loaded, settings, planned.cells[spot.cell]) if agent is None else planned.files[case.files[agent]]
    sizes = [len(turn) for turn in turns]
    sizes[0] += len(planned.document(case) or "")
    if settings.backend in SENT_AGAIN:
        reply = REPLY_TOKENS * CHARS_PER_TOKEN
        sent = sum(len(system) + sum(sizes[: n + 1]) + n * reply for n in range(len(sizes)))
    else:
        sent = sum(sizes)
    return Asked(len(turns), _tokens(sent), REPLY_TOKENS * len(turns))


def _system(loaded: Loaded, settings: Target, cell: Cell) -> str:
    name = cell.params.get("system", settings.system)
    return "" if name is None else loaded.files.get(str(name), "")


def _judging(planned: Plan, spot: Spot) -> Asked:
    """What one judge is asked about one attempt; nothing where code decides alone."""
    if not planned.deciders[spot.case].floors:
        return Asked()
    replies = tuple(Reply("x" * REPLY_TOKENS * CHARS_PER_TOKEN) for _ in planned.turns(spot))
    return _question(question_of(planned, spot.case, replies, planned.sent(spot)))


def _anchors(loaded: Loaded, planned: Plan) -> Asked:
    floors = floors_in_use(planned)
    return sum((_question(probe.question) for probe in probes(loaded, floors)), Asked()) if floors else Asked()


def _question(question: Question) -> Asked:
    sent = len(system_message(question, _NONCE)) + len(user_message(question, _NONCE))
    return Asked(1, _tokens(sent), REPLY_TOKENS)


def _tokens(chars: int) -> int:
    return -(-chars // CHARS_PER_TOKEN)


def _money(one: Asked, price: Price | None) -> float | None:
    return None if price is None else (one.input * price.input + one.output * price.output) / 1e6


def _price(settings: Target | None) -> Price | None:
    if settings is None or settings.backend == "scripted":
        return _FREE
    return settings.price
