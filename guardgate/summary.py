"""One bounded summary, folded once from the attempts; every format and the gate read it and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from hashlib import blake2b
from typing import Any

from guardgate.concordance import Across, Compared
from guardgate.errors import Refused
from guardgate.fitness import Fitness
from guardgate.grid import Grid
from guardgate.judged import Concordance, Judged, JudgeFacts
from guardgate.plan import Plan
from guardgate.record import KINDS, Attempt, Finding
from guardgate.unplayed import why_unplayed
from guardgate.verdict import DECIDED_NOTES, decide

#: How many broken attempts, and how many passes, a summary keeps whole.
KEEP_BROKEN = 40
KEEP_UNDECIDED = 20
KEEP_PASSES = 3


@dataclass(frozen=True, slots=True)
class Tally:
    """Attempts by verdict; `undecided` by whose error it is. The five always add up to `planned`."""

    planned: int = 0
    held: int = 0
    broke: int = 0
    target: int = 0
    judge: int = 0
    guardgate: int = 0

    @property
    def undecided(self) -> int:
        """Attempts that say nothing."""
        return self.target + self.judge + self.guardgate


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of `undecided`: how often, and the first detail."""

    side: str
    kind: str
    count: int
    example: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What the run cost: replies received, copied ones among them, tokens, US dollars (None: unknown)."""

    replies: int = 0
    copied: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = None
    judge_asks: int = 0


@dataclass(frozen=True)
class Summary:
    """Everything that reports show: counts, the broken, the undecided, a seeded sample of passes."""

    plan: Plan
    total: Tally
    rules: Mapping[tuple[str, int], Tally]
    classes: Mapping[tuple[str, int], Tally]
    cases: Mapping[str, Tally]
    kinds: tuple[Kind, ...]
    broken: tuple[Attempt, ...]
    undecided: tuple[Attempt, ...]
    passes: tuple[Attempt, ...]
    notes: Mapping[str, int]
    facts: Facts
    judges: tuple[JudgeFacts, ...] = ()
    concordance: tuple[Concordance, ...] = ()
    fitness: tuple[Fitness, ...] = ()
    across: Across | None = None
    grid: Grid | None = None
    marked: tuple[Attempt, ...] = ()
    remarks: tuple[str, ...] = ()
    unplayed: frozenset[tuple[str, int]] = frozenset()  # rules, by cell, with an attempt that has no line
    verdicts: bytes = b""  # of each attempt of the plan, as in MET
    ended: bool = True
    end: Mapping[str, Any] = field(default_factory=dict)

    def severity(self, rule: str) -> str:
        """hard or soft."""
        return self.plan.rule_index[rule].rule.severity

    @property
    def attempted_rules(self) -> tuple[str, ...]:
        """Rules with at least one planned attempt, in the order of the file."""
        return tuple(one.rule.id for one in self.plan.rules if any(key[0] == one.rule.id for key in self.rules))

    @property
    def not_attacked(self) -> tuple[str, ...]:
        """Rules without a planned attempt."""
        attempted = set(self.attempted_rules)
        return tuple(one.rule.id for one in self.plan.rules if one.rule.id not in attempted)


def redecided(plan: Plan, attempt: Attempt) -> Attempt:
    """The attempt with the verdict that its stored words give, under the rules of this plan."""
    decider = plan.decider(plan.at(attempt.n))
    decision = decide(decider, attempt.replies, attempt.failure, attempt.scores, plan.panel, attempt.delivered)
    return Attempt(  # not `replace`, which takes four times as long
        attempt.n, attempt.case, attempt.cell, attempt.repeat, attempt.started, attempt.ms, attempt.sent,
        attempt.delivered, attempt.replies, attempt.failure, attempt.scores,
        decision.verdict, decision.findings, _notes(attempt, decision.notes),
    )  # fmt: skip


def _notes(attempt: Attempt, decided: tuple[str, ...]) -> tuple[str, ...]:
    """Notes of the intake stay; those of an earlier decision give way to those of this one."""
    if not attempt.notes and not decided:
        return ()
    kept = (note for note in attempt.notes if not note.startswith(DECIDED_NOTES))
    return tuple(dict.fromkeys((*kept, *decided)))


def left_open(attempt: Attempt) -> Finding | None:
    """The first finding that leaves an undecided attempt open."""
    if attempt.verdict != "undecided":
        return None
    return next((finding for finding in attempt.findings if finding.outcome == "undecided"), None)


def _overruled(finding: Finding) -> bool:
    """What a judge said before a person decided; `vote:` findings stand behind a panel's own."""
    return finding.by.startswith(("overruled:", "vote:"))


class Counts:
    """Counters by key, turned into tallies at the end; each attempt is planned, and in one other column."""

    def __init__(self) -> None:
        self.by: dict[Any, list[int]] = {}

    def add(self, key: Any, column: int) -> None:
        row = self.by.get(key)
        if row is None:
            row = self.by[key] = [0] * 6
        row[0] += 1
        row[column] += 1

    def tallies(self) -> dict[Any, Tally]:
        return {key: Tally(*row) for key, row in self.by.items()}


#: What `Folding.met` and `Summary.verdicts` hold of each attempt; 0: it has no line.
MET = {"held": 1, "broke": 2, "undecided": 3}
_COLUMN = {"held": 1, "broke": 2, "target": 3, "judge": 4, "guardgate": 5}


class Folding:
    """The state of one pass over the attempts; its size depends on the plan, not on the attempts."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.rules, self.classes, self.cases, self.total = Counts(), Counts(), Counts(), Counts()
        self.kinds: dict[tuple[str, str], list[Any]] = {}
        self.first: dict[str, Attempt] = {}
        self.hard: list[Attempt] = []
        self.soft: list[Attempt] = []
        self.undecided: list[Attempt] = []
        self.passes: list[tuple[bytes, Attempt]] = []
        self.notes: dict[str, int] = {}
        self.facts = Facts()
        self.usd: Fraction | None = None  # exact, so that the order of attempts changes nothing
        self.met = bytearray(len(plan))
        self.judged = Judged()
        self.compared = Compared(plan)
        self.grid = Grid(plan)
        self.marked: list[Attempt] = []
        self.unplayed: set[tuple[str, int]] = set()

    def keys(self, n: int) -> Iterator[tuple[Counts, Any]]:
        spot = self.plan.at(n)
        planned = self.plan.cases[spot.case]
        yield self.rules, (planned.case.rule, spot.cell)
        yield self.classes, (planned.attack, spot.cell)
        yield self.cases, planned.case.id
        yield self.total, None

    def count(self, n: int, column: str) -> None:
        for counts, key in self.keys(n):
            counts.add(key, _COLUMN[column])
        self.compared.add(n, column)
        spot = self.plan.at(n)
        self.grid.add(spot.case, spot.cell, column)

    def kind(self, kind: str, detail: str) -> None:
        entry = self.kinds.setdefault((KINDS[kind], kind), [0, detail])
        entry[0] += 1

    def add(self, attempt: Attempt) -> None:
        if self.met[attempt.n]:
            raise second_line(attempt.n)
        self.met[attempt.n] = MET[attempt.verdict]
        finding = left_open(attempt)
        if finding is None:
            self.count(attempt.n, attempt.verdict)
        else:
            self.count(attempt.n, KINDS[str(finding.kind)])
        hole = next((one for one in attempt.findings if one.outcome == "undecided" and not _overruled(one)), None)
        if hole is not None:  # a rule that broke before the target died: its error is counted too
            self.kind(str(hole.kind), hole.why)
        self._show(attempt)
        for note in attempt.notes:
            self.notes[note] = self.notes.get(note, 0) + 1
        self._cost(attempt)
        if attempt.scores:
            self.judged.add(attempt)
            self.grid.judged(attempt)
        if attempt.findings and attempt.findings[0].by.startswith("mark:") and len(self.marked) < KEEP_BROKEN:
            self.marked.append(attempt)

    def _show(self, attempt: Attempt) -> None:
        match attempt.verdict:
            case "broke":
                rule = self.plan.cases[self.plan.at(attempt.n).case].case.rule
                kept = self.hard if self.plan.rule_index[rule].rule.severity == "hard" else self.soft
                self.first.setdefault(rule, attempt)
                if len(kept) < self.most_broken:
                    kept.append(attempt)
            case "undecided":
                if len(self.undecided) < KEEP_UNDECIDED:
                    self.undecided.append(attempt)
            case "held":
                self._sample(attempt)

    @property
    def most_broken(self) -> int:
        """With the first of each rule among them, there are still enough others."""
        return KEEP_BROKEN + len(self.plan.rules)

    def _sample(self, attempt: Attempt) -> None:
        """Drawn by the plan and the attempt's number alone: the order of attempts changes nothing."""
        lot = blake2b(b"%d" % attempt.n, digest_size=8, key=self.plan.sha.encode()[:64]).digest()
        if len(self.passes) < KEEP_PASSES or lot < self.passes[-1][0]:
            self.passes = drawn((*self.passes, (lot, attempt)))

    def _cost(self, attempt: Attempt) -> None:
        facts, replies, scores = self.facts, attempt.replies, attempt.scores
        usages = [reply.usage for reply in replies if reply.usage is not None]
        usages += [score.usage for score in scores if score.usage is not None]
        money = [usage.usd for usage in usages if usage.usd is not None]
        if money:
            self.usd = sum(map(Fraction, money), self.usd or Fraction())
        self.facts = Facts(
            facts.replies + len(replies),
            facts.copied + sum([reply.copied for reply in replies]),
            facts.input_tokens + sum([usage.input or 0 for usage in usages]),
            facts.output_tokens + sum([usage.output or 0 for usage in usages]),
            None,
            facts.judge_asks + sum([score.asks for score in scores]),
        )

    def broken(self) -> tuple[Attempt, ...]:
        """Hard rules before soft ones, one break of every rule before a second of any."""
        rules = self.plan.rule_index
        first = {"hard": [], "soft": []}  # type: dict[str, list[Attempt]]
        for rule, attempt in self.first.items():
            first[rules[rule].rule.severity].append(attempt)
        more = max(KEEP_BROKEN - len(self.first), 0)
        met = {attempt.n for attempt in self.first.values()}
        hard, soft = ([one for one in kept if one.n not in met] for kept in (self.hard, self.soft))
        hard = hard[:more]
        return (*first["hard"], *hard, *first["soft"], *soft[: more - len(hard)])

    def missing(self, end: Mapping[str, Any]) -> None:
        """Planned attempts without a line: of a target that was stopped, or left out because the run ended."""
        for n in self.plan.numbers:
            if self.met[n]:
                continue
            spot = self.plan.at(n)
            self.unplayed.add((self.plan.cases[spot.case].case.rule, spot.cell))
            kind, detail = why_unplayed(self.plan, n, end)
            self.count(n, KINDS[kind])
            self.kind(kind, detail)

    def done(self, end: Mapping[str, Any] | None, fit: tuple[Fitness, ...] = ()) -> Summary:
        """The summary; planned attempts that were not added count as undecided. To be called once."""
        self.missing(end or {})
        return Summary(
            plan=self.plan,
            total=self.total.tallies().get(None, Tally()),
            rules=self.rules.tallies(),
            classes=self.classes.tallies(),
            cases=self.cases.tallies(),
            kinds=tuple(Kind(side, kind, *entry) for (side, kind), entry in sorted(self.kinds.items())),
            broken=self.broken(),
            undecided=tuple(self.undecided),
            passes=tuple(sorted((attempt for _, attempt in self.passes), key=lambda one: one.n)),
            notes=self.notes,
            facts=replace(self.facts, usd=None if self.usd is None else float(self.usd)),
            judges=self.judged.facts(),
            concordance=self.judged.concordance(),
            fitness=fit,
            across=self.compared.across(),
            grid=self.grid,
            marked=tuple(self.marked),
            unplayed=frozenset(self.unplayed),
            verdicts=bytes(self.met),
            end=end or {},
        )


def second_line(n: int) -> Refused:
    """An attempt that stands in a file twice."""
    return Refused(f"attempt {n}", "a second line", "one line an attempt", "join shards with gate --out")


def drawn(lots: Iterable[tuple[bytes, Attempt]]) -> list[tuple[bytes, Attempt]]:
    """The few that are kept, by their lots."""
    return sorted(lots, key=lambda one: one[0])[:KEEP_PASSES]


def summarise(
    plan: Plan,
    attempts: Iterable[Attempt],
    end: Mapping[str, Any] | None = None,
    fit: tuple[Fitness, ...] = (),
) -> Summary:
    """Fold attempts into a summary. Attempts that are planned and absent count as undecided."""
    fold = Folding(plan)
    for attempt in attempts:
        fold.add(attempt)
    return fold.done(end, fit)
