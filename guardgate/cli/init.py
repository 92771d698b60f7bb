"""`guardgate init`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from guardgate.cli.printer import printer
from guardgate.errors import Refused
from guardgate.schema import WRITTEN_BY_USERS, published

TEMPLATE = Path(__file__).resolve().parent.parent / "templates" / "start"
#: Files whose name a packager would treat specially carry another one in the template.
RENAMED = {"gitignore": ".gitignore"}


@click.command("init")
@click.argument("folder", type=click.Path(path_type=Path), default=Path())
@click.option("--from", "persona", type=click.Path(path_type=Path),
              help="A persona in Markdown: propose a rule for each promise, and two attacks on it.")  # fmt: skip
@click.pass_context
def command(context: click.Context, folder: Path, persona: Path | None) -> int:
    """Write a small working project into FOLDER: persona, rules, ten attacks and two harmless
    questions, a careful and a careless target.

    With --from the rules and attacks are drafts made from a persona of your own, and a person corrects them.

    Never overwrites a file. Exits 0, or 3 when something is in the way.
    """
    told = "" if persona is None else _text(persona)
    files = dict(_files()) if persona is None else _drafts(folder, persona, told)
    there = [name for name in files if (folder / name).exists()]
    if there:
        raise Refused(
            str(folder / there[0]),
            "a file that exists",
            "no file of a project",
            "choose an empty folder, or move the file away",
        )
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    out = printer(context)
    if persona is not None:
        out.out("".join(_read_from(persona, told)))
    out.out(f"wrote {len(files)} files\n\nNext:\n")
    if folder != Path():
        from guardgate.report.escape import terminal  # noqa: PLC0415

        out.out(f"  cd {terminal(str(folder))}\n")
    out.out("".join(f"  {line}\n" for line in (_NEXT if persona is None else _NEXT_DRAFTS)))
    return 0


_NEXT = (
    "guardgate check                  # are the files right?",
    "guardgate run                    # exits 2: the careless target breaks rules",
    "guardgate run --target careful   # exits 0",
)
_NEXT_DRAFTS = (
    "constraints.yaml and suites/drafts.yaml   # correct the drafts, and fill in the samples",
    "guardgate.yaml                            # name your bot under targets",
    "guardgate check                           # are the files right?",
)


def _text(persona: Path) -> str:
    """The persona, read once: what is printed about it is about the same text as the drafts."""
    from guardgate.loaded import MAX_NAMED  # noqa: PLC0415 - only with --from
    from guardgate.source import Reason, read_text  # noqa: PLC0415

    text = read_text(persona, MAX_NAMED)
    if isinstance(text, Reason):
        raise Refused(f"--from {persona}", f"a file that {text}", "a persona in Markdown", "name another file")
    return text


def _drafts(folder: Path, persona: Path, text: str) -> dict[str, str]:
    """The files of a project made from a persona; the persona itself too where it stands outside of the folder."""
    from guardgate.drafting.project import drafts  # noqa: PLC0415 - only with --from

    real, root = persona.resolve(), folder.resolve()
    inside = real.is_relative_to(root)
    name = real.relative_to(root).as_posix() if inside else real.name
    if "#" in name or "\\" in name or not name.isprintable():
        raise Refused(
            f"--from {persona}", "a name with # or \\, or with invisible characters", "a plain name", "rename it"
        )
    ignored = {} if (folder / ".gitignore").exists() else {".gitignore": (TEMPLATE / "gitignore").read_text("utf-8")}
    return {**drafts(text, name), **ignored, **dict(_schemas()), **({} if inside else {name: text})}


#: So many sentences that were not taken are named, each with so many characters.
_NAMED, _LONG = 20, 100


def _read_from(persona: Path, text: str) -> Iterator[str]:
    """How many promises were found, which sentences look like one and were not taken, and whether it is English."""
    from guardgate.drafting.project import foreign  # noqa: PLC0415 - only with --from
    from guardgate.drafting.promises import read  # noqa: PLC0415
    from guardgate.report.escape import terminal  # noqa: PLC0415
    from guardgate.report.sentence import number  # noqa: PLC0415
    from guardgate.tongue import other_language  # noqa: PLC0415

    reading = read(text)
    found, left = reading.promises, reading.left
    hard = sum(one.severity == "hard" for one in found)
    yield f"{number(len(found), 'promise')} in {terminal(str(persona))}: {hard} hard, {len(found) - hard} soft\n"
    if language := other_language(text):
        yield f"  {foreign(language)}\n"
    for one in left[:_NAMED]:
        short = one.text if len(one.text) <= _LONG else f"{one.text[:_LONG]}..."
        yield f"  not taken, because {one.why}: {terminal(short)}\n"
    if len(left) > _NAMED:
        yield f"  and {len(left) - _NAMED} more that were not taken: see the end of constraints.yaml\n"


def _files() -> list[tuple[str, str]]:
    """(name, text) of every file of a new project."""
    found = [
        (path.relative_to(TEMPLATE).as_posix(), path.read_text(encoding="utf-8"))
        for path in sorted(TEMPLATE.rglob("*"))
        if path.is_file()
    ]
    files = [(RENAMED.get(name, name), text) for name, text in found]
    return [*files, *_schemas()]


def _schemas() -> list[tuple[str, str]]:
    return [(f".guardgate/{name}.schema.json", published(name)) for name in WRITTEN_BY_USERS]
