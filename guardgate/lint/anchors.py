"""A project's own anchors: unique, about criteria that exist; and criteria in use that no label speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from guardgate.criteria import SHIPPED, known
from guardgate.errors import Problem, did_you_mean, one_of
from guardgate.loaded import Loaded


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
    """Criteria of rules for which a judge cannot be tested: nobody has said what is right."""
    labelled = {anchor.criterion for anchor in (*loaded.anchors, *loaded.lent_anchors)}
    own = loaded.constraints.criteria if loaded.constraints else {}
    labelled |= {name for name in SHIPPED if name not in own}
    for planned, path in zip(loaded.rules, loaded.rule_paths, strict=True):
        judge = planned.rule.judge
        samples = planned.rule.samples.held and planned.rule.samples.broke
        for name in judge.required_scores if judge and not samples else {}:
            if name in own and name not in labelled:
                yield Problem(
                    planned.file, (*path, "judge", "required_scores", name),
                    f"the criterion {name!r}, for which nobody has labelled a reply", "anchors, or samples of the rule",
                    "add held and broke samples to the rule, or anchors of your own: a judge is tested on them",
                    "no-labels", "warning", at_key=True,
                )  # fmt: skip
