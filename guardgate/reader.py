"""Reads the files of one project, keeps their texts and hashes, and gathers what is wrong with them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from guardgate import schema
from guardgate.errors import Problem, Step, did_you_mean
from guardgate.explain import validated
from guardgate.loaded import MAX_NAMED
from guardgate.shipped import located, top_of
from guardgate.source import MAX_BYTES, Document, Reason, inside, read, read_text

M = TypeVar("M", bound=BaseModel)


@dataclass
class Reader:
    """What is gathered while the files of one project are read. `also`: other names of files that were read.

    `prefix`: what the names of files begin with in messages and results; empty for those of the project.
    """

    root: Path
    problems: list[Problem] = field(default_factory=list)
    documents: dict[str, Document] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    also: dict[str, str] = field(default_factory=dict)
    prefix: str = ""

    def name(self, path: Path) -> str:
        """How messages and results call a file: relative to the project, with /."""
        inner = Path(path).relative_to(self.root).as_posix() if path.is_relative_to(self.root) else None
        return str(path) if inner is None else f"{self.prefix}{inner}"

    def document(self, path: Path, marks: tuple[str, ...] = ()) -> Document | None:
        """What a file says, or None and its problems."""
        return self.keep(read(path, self.name(path), marks))

    def keep(self, document: Document | list[Problem]) -> Document | None:
        """A document that was read, or None and its problems."""
        if isinstance(document, Document):
            self.documents[document.file] = document
            return document
        self.problems += document
        return None

    def model(self, kind: str, model: type[M], document: Document) -> M | None:
        """The document as a model; the published schema is run over it as well."""
        result = validated(model, document.data, document.file)
        if isinstance(result, model):
            self.problems += schema.refused(kind, document.data, document.file)
            return result
        self.problems += result if isinstance(result, list) else []
        return None

    def place(
        self, base: Path, name: str, file: str, path: tuple[Step, ...], what: str, most: int = MAX_BYTES
    ) -> Path | None:
        """The real path of a file (of at most so many bytes) that another one names, or None and the problem."""
        found = inside(self.root, base, name, most)
        if isinstance(found, Reason):
            self.problems.append(missing(file, path, what, name, found, self.root, base))
            return None
        return found

    def text(self, base: Path, name: str, file: str, path: tuple[Step, ...], what: str) -> str | None:
        """Reads a file that another one names; returns the key of its text in `files`."""
        place = self.place(base, name, file, path, what, MAX_NAMED)
        if place is None:
            return None
        key = self.name(place)
        if key not in self.files:
            text = read_text(place, MAX_NAMED)
            if isinstance(text, Reason):
                self.problems.append(missing(file, path, what, name, text, self.root, base))
                return None
            self.files[key] = text
        return key


def folder_of(root: Path, file: str) -> Path:
    """The folder that names in a file are relative to: its own, or the root for rules that came from outside."""
    place, top = located(root, file).resolve(), top_of(root, file)
    return place.parent if place.is_relative_to(top) and place.is_file() else top


def missing(file: str, path: tuple[Step, ...], what: str, name: str, reason: Reason, root: Path, base: Path) -> Problem:
    """The problem of a named file that cannot be used. `what`: such as `agent`."""
    why, _, advice = reason.partition("; ")
    if "out of the project" in why:
        advice = "copy the file into the project, and name it from there"
    elif why == "does not exist":
        advice = did_you_mean(name, neighbours(root, base, name))
        advice += f"correct the name (it is relative to the folder of {file}), or add the file"
    article = "an" if what[0] in "aeiou" else "a"
    return Problem(
        file, path, f"the {what} {name!r}, which {why}", f"{article} {what} inside the project",
        advice or f"name another file (relative to the folder of {file})", "missing-file",
    )  # fmt: skip


def neighbours(root: Path, base: Path, name: str) -> list[str]:
    """The files of the folder in which the named one should be, written as the name is; inside the project only."""
    folder, slash, _ = name.rpartition("/")
    real = (base / folder).resolve()
    if not real.is_relative_to(root) or not real.is_dir():
        return []
    return sorted(f"{folder}{slash}{one.name}" for one in real.iterdir() if one.is_file())
