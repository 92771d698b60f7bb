"""What can still be used of a faulty file, so that the faults of the other files show at the same time.

Nothing of it is ever played: the problems of the file itself are errors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from guardgate.model.constraints import ConstraintsFile, Criterion, Rule
from guardgate.model.project import Project, Run, SuiteEntry, Target, UseSuite

M = TypeVar("M", bound=BaseModel)
_TARGET: TypeAdapter[Any] = TypeAdapter(Target)
_SUITE: TypeAdapter[Any] = TypeAdapter(SuiteEntry)
#: Stands for a criterion whose own entry is faulty, so that its name is known.
_STAND_IN = Criterion(ask="(faulty)", kind="forbids")


def entries(model: type[M], data: Any, key: str) -> Iterator[tuple[int, M]]:
    """The entries of the list under `key` that are fine by themselves, with their numbers."""
    found = data.get(key) if isinstance(data, dict) else None
    for index, entry in enumerate(found if isinstance(found, list) else []):
        try:
            yield index, model.model_validate(entry)
        except ValidationError:
            continue  # reported with the whole file


def constraints(data: Any) -> tuple[ConstraintsFile, tuple[int, ...]]:
    """The rules that are fine by themselves, their numbers in the file, and the names of all criteria."""
    rules = tuple(entries(Rule, data, "rules"))
    criteria = _fine(TypeAdapter(Criterion), _mapping(data, "criteria"))
    persona = data.get("persona") if isinstance(data, dict) else None
    partial = ConstraintsFile.model_construct(
        persona=persona if isinstance(persona, str) and persona.strip() else None,
        criteria={name: criteria.get(name, _STAND_IN) for name in _mapping(data, "criteria")},
        rules=tuple(rule for _, rule in rules),
    )
    return partial, tuple(index for index, _ in rules)


def project(data: Any) -> Project | None:
    """The sections that are fine by themselves; None where not even a mapping stands. `constraints` may be empty."""
    if not isinstance(data, dict):
        return None
    targets, judges = (_fine(_TARGET, _mapping(data, section)) for section in ("targets", "judges"))
    gone = {name for section in ("targets", "judges") for name in _mapping(data, section)} - {*targets, *judges}
    runs = _fine(TypeAdapter(Run), _mapping(data, "runs"))
    name = data.get("constraints")
    return Project.model_construct(
        version=1,
        constraints=name if isinstance(name, str) else "",
        suites=tuple(_suites(data)),
        targets=targets,
        judges=judges,
        runs={name: left for name, run in runs.items() if (left := _without(run, gone)).targets},
        anchors=None,
        translations={key: one for key, one in _mapping(data, "translations").items() if isinstance(one, str)},
        attacks=dict.fromkeys(_mapping(data, "attacks"), "(of the project)"),
    )


def _suites(data: Mapping[str, Any]) -> Iterator[str | UseSuite]:
    found = data.get("suites")
    for one in found if isinstance(found, list) else ():
        yield from _fine(_SUITE, {"": one}).values()


def _without(run: Run, gone: set[str]) -> Run:
    """The run without the targets and judges whose own entries are faulty."""
    return run.model_copy(
        update={
            "targets": tuple(name for name in run.targets if name not in gone),
            "judges": tuple(name for name in run.judges if name not in gone),
            "escalate": None if run.escalate in gone else run.escalate,
        }
    )


def _mapping(data: Any, key: str) -> Mapping[str, Any]:
    found = data.get(key) if isinstance(data, dict) else None
    return found if isinstance(found, dict) else {}


def _fine(model: TypeAdapter[Any], named: Mapping[str, Any]) -> dict[str, Any]:
    done = {}
    for name, value in named.items():
        try:
            done[name] = model.validate_python(value)
        except ValidationError:
            continue  # reported with the whole file
    return done
