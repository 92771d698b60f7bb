"""Names of attack classes that a project declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from guardgate.attacks import canonical
from guardgate.errors import Problem
from guardgate.loaded import Loaded


def attack_names(loaded: Loaded, _environ: Mapping[str, str]) -> Iterator[Problem]:
    """A declared class must not hide one of the table."""
    for name in loaded.project.attacks:
        taken = canonical(name)
        if taken is not None:
            has = "has already" if taken == name else f"calls {taken!r} as well"
            yield Problem(
                loaded.file, ("attacks", name), f"the class {name!r}, which the shipped table {has}",
                "a name of its own", "rename it, or remove it here and use the shipped class", "attack-taken",
                at_key=True,
            )  # fmt: skip
