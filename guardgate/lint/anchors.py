"""A project's own anchors: unique, about criteria that exist; and criteria in use that no label speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from guardgate.criteria import known
from guardgate.errors import Problem, Step, did_you_mean, one_of
from guardgate.fitness import LABELS
from guardgate.loaded import Loaded

_ALONE = {"held": "held", "broke": "breaks it alone"}


def own_anchors(loaded: Loaded, _environ: Mapping[str, str]) -> Iterator[Problem]:
    """An anchor that is never asked, or asked as if it were another."""
    file = _file(loaded)
    if file is None or loaded.constraints is None:
        return
    names = list(known(loaded.constraints.criteria))
    seen: set[str] = set()
    for index, anchor in enumerate(loaded.anchors):
        path = ("anchors", index)
        if anchor.criterion not in names:
            yield Problem(
                file, (*path, "criterion"), f"the unknown criterion {anchor.criterion!r}", one_of(names),
                did_you_mean(anchor.criterion, names) + "name a criterion that exists", "unknown-criterion",
            )  # fmt: skip
        if anchor.id in seen:
            yield Problem(
                file, (*path, "id"), f"the anchor {anchor.id!r} a second time", "each id once",
                "rename it, or remove one of the two", "duplicate-anchor",
            )  # fmt: skip
        seen.add(anchor.id)


def _file(loaded: Loaded) -> str | None:
    """The document of the anchors, as messages call it."""
    named = loaded.project.anchors.file if loaded.project.anchors else None
    return named if named is not None and named in loaded.documents else None


def unlabelled(loaded: Loaded, _environ: Mapping[str, str]) -> Iterator[Problem]:
    """Criteria of rules for which a judge cannot be tested, or on one side only: it may say the same of everything."""
    labels, own = _labels(loaded), loaded.constraints.criteria if loaded.constraints else {}
    for planned, path in zip(loaded.rules, loaded.rule_paths, strict=True):
        for name in planned.rule.judge.required_scores if planned.rule.judge else {}:
            missing = [label for label in LABELS if (name, label) not in labels]
            # The shipped ones have labels of both kinds, unless the project words them anew.
            if name in own and missing:
                yield _untested(planned.file, (*path, "judge", "required_scores", name), name, missing)


def _untested(file: str, path: tuple[Step, ...], name: str, missing: list[str]) -> Problem:
    if len(missing) == len(LABELS):
        return Problem(
            file, path, f"the criterion {name!r}, for which nobody has labelled a reply",
            "anchors, or samples of the rule",
            "add held and broke samples to the rule, or anchors of your own: a judge is tested on them",
            "no-labels", "warning", at_key=True,
        )  # fmt: skip
    return Problem(
        file, path, f"the criterion {name!r}, for which no labelled reply {_ALONE[missing[0]]}",
        "replies of both kinds",
        f"add an anchor with the label {missing[0]}: a judge that never says so would pass for fit",
        "one-label", "warning", at_key=True,
    )  # fmt: skip


def _labels(loaded: Loaded) -> set[tuple[str, str]]:
    """(criterion, label) of all that judges are tested on, except the anchors that ship."""
    found: set[tuple[str, str]] = {
        (anchor.criterion, anchor.label) for anchor in (*loaded.anchors, *loaded.lent_anchors)
    }
    for planned in loaded.rules:
        if planned.rule.judge is None or planned.rule.id in loaded.beside_checks:
            continue
        names = list(planned.rule.judge.required_scores)
        if planned.rule.samples.held:
            found |= {(name, "held") for name in names}
        if planned.rule.samples.broke and len(names) == 1:  # of several, nobody says which one a sample breaks
            found.add((names[0], "broke"))
    return found
