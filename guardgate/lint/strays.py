"""Suite files that lie where suites lie, and that no pattern of the project file reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path, PurePosixPath

from guardgate.errors import Problem
from guardgate.loaded import MAX_NAMED, Loaded
from guardgate.shipped import PREFIX
from guardgate.source import Reason, read_text

#: So many files below a folder of suites are looked at.
_MOST = 2000
_WILD = re.compile(r"[*?\[]")
_CASES = re.compile(r"""^(?:--- *)?(?:\{ *)?["']?cases["']?[ \t]*:""", re.MULTILINE)


def unread(loaded: Loaded, _environ: Mapping[str, str]) -> Iterator[Problem]:
    """Files with cases below a folder that the patterns name: whoever wrote them believes that they are played."""
    if not loaded.all_cases_read:
        return  # what could not be read is told already
    read = {*loaded.documents, *loaded.files}
    seen: set[str] = set()
    for index, entry in enumerate(loaded.project.suites):
        folder = _folder(entry) if isinstance(entry, str) and not entry.startswith(PREFIX) else None
        for name in sorted(_suites(loaded.root, folder)) if folder else ():
            if name not in read | seen:
                yield Problem(
                    loaded.file, ("suites", index), f"{name}, a file with cases that no pattern reads",
                    "every suite file of the folder",
                    "widen the pattern, such as suites/**/*.yaml, rename the file, or move it away",
                    "unread-suite", "warning",
                )  # fmt: skip
            seen.add(name)


def _folder(pattern: str) -> str | None:
    """What stands before the first wildcard; none for the project's own folder, where other files lie too."""
    parts = PurePosixPath(pattern).parts[:-1]
    fixed = [part for part, wild in zip(parts, _so_far_wild(parts), strict=True) if not wild]
    return "/".join(fixed) if fixed and ".." not in fixed and not pattern.startswith("/") else None


def _so_far_wild(parts: tuple[str, ...]) -> Iterator[bool]:
    wild = False
    for part in parts:
        wild = wild or _WILD.search(part) is not None
        yield wild


def _suites(root: Path, folder: str) -> Iterator[str]:
    for path in islice((root / folder).rglob("*.y*ml"), _MOST):
        if path.suffix not in (".yaml", ".yml") or not path.is_file():
            continue
        text = read_text(path, MAX_NAMED)
        if not isinstance(text, Reason) and _CASES.search(text):
            yield path.relative_to(root).as_posix()
