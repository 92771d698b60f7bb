"""`guardgate init`."""

from __future__ import annotations

from pathlib import Path

import click

from guardgate.cli.common import printer
from guardgate.errors import Refused
from guardgate.schema import WRITTEN_BY_USERS, published

TEMPLATE = Path(__file__).resolve().parent.parent / "templates" / "start"
#: Files whose name a packager would treat specially carry another one in the template.
RENAMED = {"gitignore": ".gitignore"}


@click.command("init")
@click.argument("folder", type=click.Path(path_type=Path), default=Path())
@click.pass_context
def command(context: click.Context, folder: Path) -> int:
    """Write a small working project into FOLDER: persona, rules, ten attacks, a careful and a careless target.

    Never overwrites a file. Exits 0, or 3 when something is in the way.
    """
    files = dict(_files())
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
    out.out(f"wrote {len(files)} files\n\nNext:\n")
    if folder != Path():
        from guardgate.report.escape import terminal  # noqa: PLC0415

        out.out(f"  cd {terminal(str(folder))}\n")
    out.out("  guardgate check                  # are the files right?\n")
    out.out("  guardgate run                    # exits 2: the careless target breaks rules\n")
    out.out("  guardgate run --target careful   # exits 0\n")
    return 0


def _files() -> list[tuple[str, str]]:
    """(name, text) of every file of a new project."""
    found = [
        (path.relative_to(TEMPLATE).as_posix(), path.read_text(encoding="utf-8"))
        for path in sorted(TEMPLATE.rglob("*"))
        if path.is_file()
    ]
    files = [(RENAMED.get(name, name), text) for name, text in found]
    return files + [(f".guardgate/{name}.schema.json", published(name)) for name in WRITTEN_BY_USERS]
