"""Suites that ship, as part of a project: their rules and cases, with `NAME/` before each id."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from guardgate.adapting import adapted, named_by, unheard
from guardgate.constraints import MARKS, Constraints, readable
from guardgate.entries import case_sha, cases_of, rules_of
from guardgate.errors import Problem, Step, did_you_mean, one_of
from guardgate.explain import validated
from guardgate.model.anchors import Anchor, AnchorsFile
from guardgate.model.constraints import Criterion
from guardgate.model.judged import JudgedFile
from guardgate.model.project import UseSuite
from guardgate.model.suite import JudgeSettings
from guardgate.plan import PlannedCase, PlannedRule
from guardgate.reader import Reader
from guardgate.shipped import PREFIX, shipped, shipped_suites


@dataclass(frozen=True, slots=True)
class Lent:
    """What shipped suites add to a project. The paths lead into the files that messages call `guardgate:NAME/...`."""

    rules: tuple[PlannedRule, ...] = ()
    rule_paths: tuple[tuple[Step, ...], ...] = ()
    cases: tuple[PlannedCase, ...] = ()
    case_paths: tuple[tuple[Step, ...], ...] = ()
    anchors: tuple[Anchor, ...] = ()
    criteria: Mapping[str, Criterion] = field(default_factory=dict)
    judged: Mapping[str, JudgeSettings] = field(default_factory=dict)
    """By rule: what a judge is asked beside its checks, where the project says so."""

    def __add__(self, other: Lent) -> Lent:
        return Lent(
            (*self.rules, *other.rules),
            (*self.rule_paths, *other.rule_paths),
            (*self.cases, *other.cases),
            (*self.case_paths, *other.case_paths),
            (*self.anchors, *other.anchors),
            {**self.criteria, **other.criteria},
            {**self.judged, **other.judged},
        )


def lent(
    reader: Reader, entries: Iterable[str | UseSuite], file: str, own: tuple[str, ...], soft: Collection[str] = ()
) -> Lent:
    """What the shipped suites among the entries of `suites` add. `own`: ids of the project's rules, `soft`: of some."""
    found, used = Lent(), set[str]()
    for index, entry in enumerate(entries):
        if isinstance(entry, str) and not entry.startswith(PREFIX):
            continue
        use = entry if isinstance(entry, UseSuite) else UseSuite(use=entry)
        path: tuple[Step, ...] = ("suites", index) if isinstance(entry, str) else ("suites", index, "use")
        name = use.use.removeprefix(PREFIX)
        fault = _unusable(use.use, name in used, file, path)
        if fault is not None:
            reader.problems.append(fault)
            continue
        used.add(name)
        whole = suite(reader, name)
        wrong = list(_mistakes(use, whole, file, ("suites", index), own))
        reader.problems += (*wrong, *_softer(use, whole, file, ("suites", index), soft))
        found += whole if wrong else _mapped(reader, whole, _in_full(use, _rules(whole)), name)
    return found


def _unusable(word: str, again: bool, file: str, path: tuple[Step, ...]) -> Problem | None:
    names = [f"{PREFIX}{one}" for one in shipped_suites()]
    if word not in names:
        return Problem(
            file, path, f"the shipped suite {word!r}", one_of(names),
            did_you_mean(f"{PREFIX}{word.removeprefix(PREFIX)}", names)
            + "name a suite that ships (`guardgate suites` lists them)", "unknown-suite",
        )  # fmt: skip
    if again:
        return Problem(file, path, f"{word!r} a second time", "each suite once", "remove one of the two", "suite-twice")
    return None


def suite(reader: Reader, name: str) -> Lent:
    """A shipped suite as it stands in its files, with `NAME/` before each id. Problems go to the reader."""
    inner = Reader(shipped("suites") / name, prefix=f"{PREFIX}{name}/")
    document = inner.document(inner.root / "constraints.yaml", MARKS)
    rules = readable(document) if document is not None else None
    planned = tuple(rules_of(inner, rules)) if rules is not None else ()
    files = [inner.document(path, ("cases",)) for path in sorted((inner.root / "cases").glob("*.yaml"))]
    pairs = list(cases_of(inner, (), [one for one in files if one is not None]))
    anchors = tuple(_anchors(inner))
    judged = _judged(inner)
    inner.problems += rules.problems if rules is not None else ()
    reader.problems += inner.problems
    reader.documents.update(inner.documents)
    reader.files.update(inner.files)
    return Lent(
        tuple(replace(one, rule=one.rule.model_copy(update={"id": f"{name}/{one.rule.id}"})) for one in planned),
        tuple(("rules", number) for number in rules.numbers) if rules is not None else (),
        tuple(_named(reader, case, name) for case, _ in pairs),
        tuple(path for _, path in pairs),
        tuple(one.model_copy(update={"id": f"{name}/{one.id}"}) for one in anchors),
        rules.constraints.criteria if rules is not None else {},
        {f"{name}/{rule}": settings for rule, settings in judged.items()},
    )


def _anchors(reader: Reader) -> Iterator[Anchor]:
    path = reader.root / "anchors.yaml"
    document = reader.document(path, ("anchors",)) if path.is_file() else None
    model = reader.model("anchors", AnchorsFile, document) if document is not None else None
    yield from model.anchors if model is not None else ()


def _judged(reader: Reader) -> Mapping[str, JudgeSettings]:
    path = reader.root / "judged.yaml"
    document = reader.document(path, ("rules",)) if path.is_file() else None
    found = validated(JudgedFile, document.data, document.file) if document is not None else None
    if isinstance(found, list):
        reader.problems += found
    return found.rules if isinstance(found, JudgedFile) else {}


def _named(reader: Reader, planned: PlannedCase, name: str) -> PlannedCase:
    case = planned.case
    update = {"id": f"{name}/{case.id}", "rule": f"{name}/{case.rule}"}
    return _changed(reader, planned, update | ({"twin_of": f"{name}/{case.twin_of}"} if case.twin_of else {}))


def _changed(reader: Reader, planned: PlannedCase, update: Mapping[str, str | None]) -> PlannedCase:
    case = planned.case.model_copy(update=update)
    return replace(planned, case=case, sha=case_sha(case, planned.files, reader.files))


def _rules(whole: Lent) -> list[str]:
    """The ids of the rules, as the suite's own files have them."""
    return [one.rule.id.partition("/")[2] for one in whole.rules]


def _in_full(use: UseSuite, rules: Sequence[str]) -> UseSuite:
    """The same with whole ids; each word names one rule."""
    full = {word: named_by(word, rules)[0] for word in (*use.rules, *use.without)}
    return use.model_copy(
        update={
            "rules": {full[here]: there for here, there in use.rules.items()},
            "without": tuple(full[word] for word in use.without),
        }
    )


def _mistakes(use: UseSuite, whole: Lent, file: str, path: tuple[Step, ...], own: tuple[str, ...]) -> Iterator[Problem]:
    """Names of rules that are nowhere or that are several, and a choice that leaves nothing."""
    rules = _rules(whole)
    yield from unheard(use, whole.rules, whole.cases, whole.judged, file, path)
    places = (
        *(((*path, "rules", one), one, True) for one in use.rules),
        *(((*path, "without", number), one, False) for number, one in enumerate(use.without)),
    )
    meant: dict[str, str] = {}
    for place, word, at_key in places:
        found = named_by(word, rules)
        if not found:
            yield Problem(
                file, place, f"the rule {word!r}, which {use.use} does not have", one_of(rules, 40),
                did_you_mean(word, rules) + "name a rule of the suite", "unknown-rule", at_key=at_key,
            )  # fmt: skip
        elif len(found) > 1:
            yield Problem(
                file, place, f"the rule {word!r}, which may be {' or '.join(found)}", "one rule of the suite",
                "write the whole id", "unknown-rule", at_key=at_key,
            )  # fmt: skip
        elif at_key and found[0] in meant:
            yield Problem(
                file, place, f"the rule {found[0]!r}, which {meant[found[0]]!r} maps already", "each rule once",
                "remove one of the two", "mapped-twice", at_key=True,
            )  # fmt: skip
        elif at_key:
            meant[found[0]] = word
    for here, there in use.rules.items():
        if own and there not in own:
            yield Problem(
                file, (*path, "rules", here), f"the unknown rule {there!r}", one_of(own),
                did_you_mean(there, own) + "name a rule of the constraints file", "unknown-rule",
            )  # fmt: skip
    left = [found[0] for one in use.without if len(found := named_by(one, rules)) == 1]
    both = [one for one in use.without if set(named_by(one, rules)) & set(meant)]
    if both:
        yield Problem(
            file, (*path, "without", use.without.index(both[0])), f"the rule {both[0]!r}, which is mapped as well",
            "each rule under rules or under without", "remove it from one of the two", "mapped-and-left-out",
        )  # fmt: skip
    if rules and set(rules) <= set(left):
        yield Problem(
            file, (*path, "without"), "every rule of the suite", "at least one rule that stays",
            "leave out fewer rules, or remove the suite", "nothing-left",
        )  # fmt: skip


def _softer(use: UseSuite, whole: Lent, file: str, path: tuple[Step, ...], soft: Collection[str]) -> Iterator[Problem]:
    """Hard rules of the suite that no longer have to hold each time."""
    hard = {one.rule.id.partition("/")[2] for one in whole.rules if one.rule.severity == "hard"}
    for here, there in use.rules.items():
        if there in soft and hard & set(named_by(here, _rules(whole))):
            yield Problem(
                file, (*path, "rules", here), f"the hard rule {here!r} in the place of which stands the soft {there!r}",
                "a hard rule, which may never break", f"make {there} hard, or map {here} onto another rule",
                "mapped-softer", "warning",
            )  # fmt: skip


def _mapped(reader: Reader, whole: Lent, use: UseSuite, name: str) -> Lent:
    """The suite without what is left out, and with the project's rules in the places that it names."""
    gone = {f"{name}/{one}" for one in use.without}
    onto = {f"{name}/{here}": there for here, there in use.rules.items()}
    rules = [
        (one, at) for one, at in zip(whole.rules, whole.rule_paths, strict=True) if one.rule.id not in gone | {*onto}
    ]
    kept = [(one, at) for one, at in zip(whole.cases, whole.case_paths, strict=True) if one.case.rule not in gone]
    left = {one.case.id for one, _ in kept}
    return replace(
        whole,
        rules=tuple(adapted(reader, one, use, whole.judged, whole.criteria) for one, _ in rules),
        rule_paths=tuple(at for _, at in rules),
        cases=tuple(_rewritten(reader, one, onto, left) for one, _ in kept),
        case_paths=tuple(at for _, at in kept),
        judged=whole.judged if use.judged else {},
    )


def _rewritten(reader: Reader, planned: PlannedCase, onto: Mapping[str, str], left: set[str]) -> PlannedCase:
    case = planned.case
    update: dict[str, str | None] = {"rule": onto[case.rule]} if case.rule in onto else {}
    if case.twin_of is not None and case.twin_of not in left:
        update["twin_of"] = None
    return _changed(reader, planned, update) if update else planned


def with_criteria(reader: Reader, own: Constraints, more: Mapping[str, Criterion]) -> Constraints:
    """The project's constraints with the criteria of its shipped suites; a name with two meanings is a problem."""
    for name in (one for one in more if one in own.criteria and own.criteria[one] != more[one]):
        reader.problems.append(
            Problem(
                own.file,
                ("criteria", name),
                f"the criterion {name!r}, which a shipped suite words otherwise",
                "a name of its own",
                "rename the criterion",
                "criterion-taken",
                at_key=True,
            )
        )
    return replace(own, criteria={**more, **own.criteria}) if more else own
