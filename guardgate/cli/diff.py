"""`guardgate diff`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click

from guardgate.baseline import Against, against, first, take, why_not
from guardgate.cli.printer import Printer, printer
from guardgate.marks import Marks, read


@click.command("diff")
@click.argument("base", type=click.Path(path_type=Path))
@click.argument("head", type=click.Path(path_type=Path))
@click.option("--marks", type=click.Path(path_type=Path), help="Let the marks of this file decide what judges left "
              "open, in both runs.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(["terminal", "md", "json"]), default="terminal", show_default=True,
              help="Kind of report.")  # fmt: skip
@click.option("--update", is_flag=True, help="Let HEAD take the place of BASE, if HEAD is whole, green and not worse. "
              "BASE may be missing then.")  # fmt: skip
@click.pass_context
def command(
    context: click.Context, base: Path, head: Path, marks: Path | None, form: str, update: bool
) -> int:  # fmt: skip
    """Compare the results file HEAD with an earlier one, BASE: same cases, under the rules in HEAD, without a call.

    Exits 0: nothing is worse than in BASE. 1: a soft rule is worse beyond noise (sign-flip test, 5 %). 2: a hard rule
    newly broke in a case. 3: one of the runs is incomplete, or nothing in them is comparable. Decided in the order 3,
    2, 1, 0. What was broken before and still is does not count here; `guardgate gate` counts it. With --update also 1,
    2 or 3 where the gate of HEAD says so, and 3 where HEAD may not become the baseline for another reason.
    """
    out = printer(context)
    signed = None if marks is None else Marks(read(marks))
    if update and not base.exists():
        return _first(out, base, head, signed)
    found = against(base, head, signed)
    out.out(_shown(found, form, out.colour))
    return _updated(out, base, head, found) if update else found.comparison.code


def _shown(found: Against, form: str, colour: bool) -> Iterator[str]:
    from guardgate.report import change, markdown, terminal  # noqa: PLC0415 - after the arguments are known to be right
    from guardgate.report.escape import json_line  # noqa: PLC0415
    from guardgate.report.paint import painter  # noqa: PLC0415

    if form == "json":
        yield json_line(json.dumps(change.as_json(found.comparison, found.head.gate.code))) + "\n"
    elif form == "md":
        yield from map(markdown.laid_out, change.blocks(found.comparison))
    else:
        paint = painter(colour)
        yield from (terminal.laid_out(block, paint) for block in change.blocks(found.comparison))


def _first(out: Printer, base: Path, head: Path, marks: Marks | None) -> int:
    """The first baseline of a project."""
    side = first(head, marks)
    reason = why_not(side, None)
    if reason is not None:
        out.error(f"guardgate: no baseline was written: {reason}")
        return side.gate.code or 3
    take(base, head)
    out.error("guardgate: the first baseline was written; nothing was compared")
    return 0


def _updated(out: Printer, base: Path, head: Path, found: Against) -> int:
    reason = why_not(found.head, found.comparison)
    if reason is not None:
        out.error(f"guardgate: the baseline stays as it is: {reason}")
        return found.code or 3
    take(base, head)
    out.error("guardgate: the baseline was replaced")
    return 0
